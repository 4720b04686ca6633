import { currenciesOf, type TradingEvent } from '../../../domain/index.ts';
import { type Bus, Decimal } from '../../../kernel/index.ts';
import type { RefusalCode, RiskConfig } from '../../../risk/index.ts';
import { statedIn } from '../../refusal-settings.ts';

/** The limits of what something is worth that have a default, and the checks that ask for them. */
const LIMITS = ['positionValueMax', 'orderValueMax', 'openValueMax'] as const;
const CHECKS: { readonly [code in RefusalCode]?: (typeof LIMITS)[number] } = {
  position: 'positionValueMax',
  aboveMaximum: 'orderValueMax',
  openValue: 'openValueMax',
};

/** What was refused in a market was worth at most, in its quote currency, by the limit. */
type Worths = Map<(typeof LIMITS)[number], Decimal>;

/**
 * Keeps what refused wishes were worth. A refusal names the first limit that a wish does not pass:
 * whoever raises that one alone meets the next in the next run, and so on.
 */
export class SizeLimits {
  readonly #risk: RiskConfig;
  readonly #byMarket = new Map<string, Worths>();
  /** By strategies in markets, whose wish that stands is a target: the slippage that it allows. */
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
      // Its orders are not asked for before it has passed: one of them may be all of it, at its limit.
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
    // An order rests, and becomes a position.
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
      `What was refused in ${market} is too large for more limits than one: ${are}. With ${set} it ` +
        'passes all of them.',
    ];
  }
}

function larger(a: Decimal, b: Decimal | undefined): Decimal {
  return b !== undefined && b.compare(a) > 0 ? b : a;
}

/** What a refusal says that something was worth, such as `long 1 btc, worth 4924.79 usdt`. */
function worthIn(observed: string, quote: string): Decimal | undefined {
  const [, worth, currency] = /(?:^|worth )(\d+(?:\.\d+)?) (\w+)$/.exec(observed) ?? [];
  return worth === undefined || currency !== quote ? undefined : Decimal.of(worth);
}

/** The next number of two digits: prices move. */
function roundedUp(worth: Decimal): string {
  const value = worth.toNumber();
  const step = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Decimal.of(Number(((Math.floor(value / step) + 1) * step).toPrecision(2))).toString();
}
