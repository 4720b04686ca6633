import { currenciesOf, type TradingEvent } from '../../../domain/index.ts';
import { type Bus, Decimal } from '../../../kernel/index.ts';
import type { RefusalCode, RiskConfig } from '../../../risk/index.ts';
import { statedIn } from '../../refusal-settings.ts';

/** The limits on values that have a default, and the refusal codes of their checks. */
const LIMITS = ['positionValueMax', 'orderValueMax', 'openValueMax'] as const;
const CHECKS: { readonly [code in RefusalCode]?: (typeof LIMITS)[number] } = {
  position: 'positionValueMax',
  aboveMaximum: 'orderValueMax',
  openValue: 'openValueMax',
};

/** The highest value refused in a market, in its quote currency, by limit. */
type Worths = Map<(typeof LIMITS)[number], Decimal>;

/**
 * Keeps the values of refused wishes, to name at once all limits that are too small. A refusal
 * names only the first that a wish fails: raising it would lead to the next one in the next run.
 */
export class SizeLimits {
  readonly #risk: RiskConfig;
  readonly #byMarket = new Map<string, Worths>();
  /** The slippage that standing targets allow, by strategy and market. */
  readonly #targets = new Map<string, number>();

  constructor(bus: Bus<TradingEvent>, risk: RiskConfig) {
    this.#risk = risk;
    bus.on('intent').subscribe(({ market, strategy, intent }) => {
      if (intent.kind !== 'target') this.#targets.delete(`${strategy} ${market}`);
      else this.#targets.set(`${strategy} ${market}`, intent.slippage);
    });
    bus.on('refusal').subscribe(({ market, strategy, refusal: { code, observed } }) => {
      const limit = CHECKS[code as RefusalCode];
      if (limit === undefined) return;
      const worth = worthIn(observed, currenciesOf(market).quote);
      if (worth === undefined) return;
      this.#note(market, { limit, worth });
      const slippage = this.#targets.get(`${strategy} ${market}`);
      if (code !== 'position' || slippage === undefined) return;
      // Orders of a refused target are never checked. One may be the whole target, at its limit.
      const atLimit = worth.times(Decimal.of(1 + slippage));
      this.#note(market, { limit: 'orderValueMax', worth: atLimit });
    });
  }

  /** A sentence for each market in which several limits are too small for what was wished. */
  notes(): string[] {
    return Array.from(this.#byMarket, ([market, worths]) => this.#noteOf(market, worths)).flat();
  }

  #note(
    market: string,
    { limit, worth }: { readonly limit: (typeof LIMITS)[number]; readonly worth: Decimal },
  ): void {
    const worths: Worths = this.#byMarket.get(market) ?? new Map();
    this.#byMarket.set(market, worths.set(limit, larger(worth, worths.get(limit))));
  }

  #noteOf(market: string, worths: Worths): string[] {
    // An order counts for all limits: it rests, then becomes a position.
    const order = worths.get('orderValueMax');
    const small = LIMITS.flatMap((key) => {
      const worth = larger(worths.get(key) ?? Decimal.ZERO, order);
      const { path, value } = statedIn(key, { market, risk: this.#risk });
      const isPassed = typeof value !== 'number' || Decimal.of(value).compare(worth) >= 0;
      return isPassed ? [] : [{ path, value, wanted: roundedUp(worth) }];
    });
    if (small.length < 2) return [];
    const are = small.map(({ path, value }) => `${path} (${value})`).join(', ');
    const set = small.map(({ path, wanted }) => `--set ${path}=${wanted}`).join(' ');
    return [
      `The orders refused in ${market} exceed several limits: ${are}. ${set} raises all of them far ` +
        'enough.',
    ];
  }
}

function larger(a: Decimal, b: Decimal | undefined): Decimal {
  return b !== undefined && b.compare(a) > 0 ? b : a;
}

/** The value that a refusal states, such as `long 1 btc, worth 4924.79 usdt`. */
function worthIn(observed: string, quote: string): Decimal | undefined {
  const [, worth, currency] = /(?:^|worth )(\d+(?:\.\d+)?) (\w+)$/.exec(observed) ?? [];
  return worth === undefined || currency !== quote ? undefined : Decimal.of(worth);
}

/** The next higher number of two digits, to leave room as prices move. */
function roundedUp(worth: Decimal): string {
  const value = worth.toNumber();
  const step = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Decimal.of(Number(((Math.floor(value / step) + 1) * step).toPrecision(2))).toString();
}
