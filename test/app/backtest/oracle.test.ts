import { describe, expect, it } from 'vitest';
import { loadBacktest, runBacktest } from '../../../src/app/backtest/index.ts';
import type { TradingEvent } from '../../../src/domain/index.ts';
import { Decimal, seededRandom } from '../../../src/kernel/index.ts';
import { Ema } from '../../../src/strategy/index.ts';
import { backtestFile, LIMITS, type Minute, minuteSource } from './fixture.ts';
import { ownedByBalances } from './owned.ts';

const FAST = 3;
const SLOW = 8;
const AMOUNT = '0.5';
const FEE = '0.001';
/** Less is no order: more than fees take of one, and less than that. */
const LEASTS = ['0.01', '0.0001'] as const;
const START = { usdt: '10000', btc: '10' };

/** Minutes that wander, and open a little away from where the one before closed. */
const MINUTES: readonly Minute[] = (() => {
  const random = seededRandom('oracle');
  const cents = (span: number) => random.integer(2 * span + 1) - span;
  let close = 10_000;
  return Array.from({ length: 300 }, () => {
    const open = close + cents(8);
    close = open + cents(60);
    const high = Math.max(open, close) + random.integer(20);
    const low = Math.min(open, close) - random.integer(20);
    return { open: open / 100, high: high / 100, low: low / 100, close: close / 100 };
  });
})();

/** What is wished when a minute has closed, by minute. */
const WISHES: readonly (string | undefined)[] = (() => {
  const fast = new Ema(FAST);
  const slow = new Ema(SLOW);
  let above: boolean | undefined;
  return MINUTES.map(({ close }) => {
    const [quick, calm] = [fast.next(close), slow.next(close)];
    if (quick === undefined || calm === undefined || quick === calm) return undefined;
    const isCross = above !== undefined && above !== quick > calm;
    above = quick > calm;
    return isCross ? (above ? AMOUNT : '0') : undefined;
  });
})();

/** Minutes of a run that ends with the wish to buy, and of one that ends while it holds. */
const WISHING = WISHES.lastIndexOf(AMOUNT) + 1;
const HOLDING = WISHES.findIndex((wish, at) => at > 200 && wish === AMOUNT) + 3;

interface Rules {
  readonly minutes: number;
  readonly at: 'thisClose' | 'nextOpen';
  readonly feesIn: 'received' | 'quote' | 'base';
  readonly closeAtEnd: 'none' | 'close' | 'open';
  readonly least: (typeof LEASTS)[number];
}

/** The run by hand: a loop over the minutes that knows nothing but the rules. */
class ByHand {
  readonly owned = { usdt: Decimal.of(START.usdt), btc: Decimal.of(START.btc) };
  trades = 0;
  readonly #feesIn: Rules['feesIn'];
  readonly #least: Decimal;
  #position = Decimal.ZERO;
  #wished = '0';

  constructor({ minutes, at, feesIn, closeAtEnd, least }: Rules) {
    this.#feesIn = feesIn;
    this.#least = Decimal.of(least);
    let wish: string | undefined;
    const heard = closeAtEnd === 'open' ? minutes - 1 : minutes;
    for (let minute = 0; minute < heard; minute++) {
      const { open = 0, close } = MINUTES[minute]!;
      if (at === 'nextOpen' && wish !== undefined) this.#reach(wish, open);
      wish = WISHES[minute];
      if (at === 'thisClose' && wish !== undefined) this.#reach(wish, close);
    }
    const { open = 0, close } = MINUTES[minutes - 1]!;
    if (closeAtEnd === 'close') this.#close(close);
    if (closeAtEnd !== 'open') return;
    if (at === 'nextOpen' && wish !== undefined) this.#reach(wish, open);
    this.#close(open);
  }

  /** What a trade holds: what fees left of those before is none. */
  #close(price: number): void {
    if (this.#wished === AMOUNT) this.#reach('0', price);
  }

  /** Trades the whole way to a position at a price. */
  #reach(wish: string, price: number): void {
    this.#wished = wish;
    const way = Decimal.of(wish).minus(this.#position);
    const amount = way.abs().round(4, 'down');
    if (amount.compare(this.#least) < 0) return;
    const buys = way.sign > 0;
    const signed = buys ? amount : amount.negated();
    const value = signed.times(Decimal.of(price));
    this.trades++;
    this.owned.btc = this.owned.btc.plus(signed);
    this.owned.usdt = this.owned.usdt.minus(value);
    this.#position = this.#position.plus(signed);
    const isBase = this.#feesIn === 'base' || (this.#feesIn === 'received' && buys);
    if (isBase) {
      const fee = feeOf(amount);
      this.owned.btc = this.owned.btc.minus(fee);
      this.#position = this.#position.minus(fee);
    } else this.owned.usdt = this.owned.usdt.minus(feeOf(value.abs()));
  }
}

/** Money has eight decimal places; a fee is rounded up to the last. */
function feeOf(charged: Decimal): Decimal {
  return charged.times(Decimal.of(FEE)).round(8, 'up');
}

/** The same by a backtest: what the account owns at the end, and how many trades that took. */
async function byBacktest({ minutes, at, feesIn, closeAtEnd, least }: Rules) {
  const params = { amount: Number(AMOUNT), interval: '1min', fast: FAST, slow: SLOW };
  const file = backtestFile({
    strategies: [{ use: 'ema-cross', params }],
    fees: { maker: Number(FEE), taker: Number(FEE) },
    risk: LIMITS,
    backtest: {
      ...{ balances: START, closeAtEnd, fees: { in: feesIn } },
      fill: { model: 'candles', at, volumeCap: null },
    },
  });
  const source = minuteSource(MINUTES.slice(0, minutes));
  const market = { ...source.market, minAmount: Number(least) };
  const events: TradingEvent[] = [];
  const onEvent = (event: TradingEvent): void => void events.push(event);
  const { record } = await runBacktest({
    ...{ deployment: loadBacktest(file), sources: [{ ...source, market }], onEvent },
  });
  return { owned: ownedByBalances(events), trades: record.counts.fills };
}

const rulesOf = (minutes: number): Rules[] =>
  (['thisClose', 'nextOpen'] as const).flatMap((at) =>
    (['received', 'quote', 'base'] as const).flatMap((feesIn) =>
      (['none', 'close', 'open'] as const).flatMap((closeAtEnd) =>
        LEASTS.map((least) => ({ minutes, at, feesIn, closeAtEnd, least })),
      ),
    ),
  );

const CASES = [WISHING, HOLDING].flatMap(rulesOf);

describe('a run computed by hand', () => {
  it.each(CASES)(
    'is reproduced to the last digit: $minutes minutes, $at, fees in $feesIn, end at $closeAtEnd, from $least',
    async (rules) => {
      const hand = new ByHand(rules);
      const { owned, trades } = await byBacktest(rules);
      expect(hand.trades).toBeGreaterThan(10);
      expect(trades).toBe(hand.trades);
      expect(`${owned.usdt} usdt, ${owned.btc} btc`).toBe(
        `${hand.owned.usdt} usdt, ${hand.owned.btc} btc`,
      );
    },
  );

  it('differs between all rules', () => {
    const ends = rulesOf(HOLDING).flatMap((rules) => {
      if (rules.least !== LEASTS[0]) return [];
      const { owned } = new ByHand(rules);
      return [`${owned.usdt} ${owned.btc}`];
    });
    expect(new Set(ends).size).toBe(ends.length);
  });
});
