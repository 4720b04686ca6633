import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/app/backtest/index.ts';
import { START_MS } from './fixture.ts';
import { type NaiveQuote, NaiveQuotes } from './naive-quotes.ts';
import {
  AMOUNT_FACTOR,
  filledOf,
  fillTexts,
  type Planned,
  PRICE_FACTOR,
  plannedSource,
} from './planned-fills.ts';

/** More of them: TRADEWIND_FILL_SEEDS=200. */
const RUNS = Number(process.env.TRADEWIND_FILL_SEEDS ?? 20);
const START_PRICE = 10_000;
const amount = fc.integer({ min: 1, max: 50 });

/** A step of a market: both prices of a quote, and how long after the one before it came. */
const step = fc.record({
  afterMs: fc.constantFrom(0, 0, 1, 40, 700),
  /** How far the middle moves; most often not at all. */
  by: fc.oneof(fc.constant(0), fc.integer({ min: -4, max: 4 })),
  /** Between bid and ask; rarely they meet or cross. */
  spread: fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 1, max: 5 }) },
    { weight: 1, arbitrary: fc.integer({ min: -2, max: 0 }) },
  ),
  /** Undefined: as before. */
  bidAmount: fc.option(amount, { nil: undefined }),
  askAmount: fc.option(amount, { nil: undefined }),
  empty: fc.oneof(
    { weight: 20, arbitrary: fc.constant('none') },
    { weight: 1, arbitrary: fc.constantFrom('bid', 'ask', 'both') },
  ),
});

const wish = fc.record({
  place: fc.nat(),
  type: fc.constantFrom('limit', 'limit', 'postOnly', 'ioc'),
  away: fc.integer({ min: -4, max: 8 }),
  amount: fc.integer({ min: 1, max: 120 }),
  /** After how many quotes it is taken back, if at all. */
  cancel: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Wish = typeof wish extends fc.Arbitrary<infer T> ? T : never;

function quotesOf(steps: readonly Step[]): NaiveQuote[] {
  let [ms, middle, bidAmount, askAmount] = [0, START_PRICE, 10, 10];
  return steps.map(({ afterMs, by, spread, empty, ...amounts }, at) => {
    ms += afterMs;
    middle += by;
    bidAmount = amounts.bidAmount ?? bidAmount;
    askAmount = amounts.askAmount ?? askAmount;
    const bid = { bid: middle, bidAmount };
    const ask = { ask: middle + spread, askAmount };
    const lacks = (side: string): boolean => at > 0 && (empty === side || empty === 'both');
    return {
      ...{ ms, ...bid, ...ask },
      ...(lacks('bid') && { bid: 0, bidAmount: 0 }),
      ...(lacks('ask') && { ask: 0, askAmount: 0 }),
    };
  });
}

/** Orders near the market, each at a price of its own. */
function planOf(wishes: readonly Wish[], { quotes, buys }: Case): Planned[] {
  const used = new Set<number>();
  return wishes.flatMap(({ place, type, away, amount: wanted, cancel }, number): Planned[] => {
    const at = place % quotes.length;
    const { bid, ask } = quotes[at]!;
    const tag = `t${number}`;
    const price = (buys ? bid || START_PRICE : ask || START_PRICE) - (buys ? away : -away);
    if (used.has(price)) return [];
    used.add(price);
    const order = { at, tag, type, price, amount: wanted } as const;
    return cancel === undefined ? [order] : [order, { at: at + cancel, cancel: tag }];
  });
}

interface Case {
  readonly quotes: readonly NaiveQuote[];
  readonly buys: boolean;
}

function quoteSource(quotes: readonly NaiveQuote[]): Source {
  const column = (value: (quote: NaiveQuote) => number) => Float64Array.from(quotes, value);
  const columns = {
    ...{ time: column(({ ms }) => START_MS + ms), received: column(() => Number.NaN) },
    bid: column(({ bid }) => bid / PRICE_FACTOR),
    bidAmount: column(({ bidAmount }) => bidAmount / AMOUNT_FACTOR),
    ask: column(({ ask }) => ask / PRICE_FACTOR),
    askAmount: column(({ askAmount }) => askAmount / AMOUNT_FACTOR),
  };
  return plannedSource({ kind: 'quotes', stepMs: 1, columns, lengthMs: quotes.at(-1)!.ms + 1 });
}

describe('a backtest of quotes', () => {
  let compared = 0;

  it('fills as a naive loop over the quotes does', { timeout: RUNS * 6_000 }, async () => {
    const cases = fc.record({
      steps: fc.array(step, { minLength: 100, maxLength: 300 }),
      wishes: fc.array(wish, { minLength: 10, maxLength: 60 }),
      buys: fc.boolean(),
    });
    const compare = async ({
      steps,
      wishes,
      buys,
    }: {
      steps: Step[];
      wishes: Wish[];
      buys: boolean;
    }) => {
      const quotes = quotesOf(steps);
      const plan = planOf(wishes, { quotes, buys });
      const naive = new NaiveQuotes(buys);
      naive.play(quotes, plan);
      const source = quoteSource(quotes);
      const backtest = { fill: { model: 'quotes' } };
      const side = buys ? 'buy' : 'sell';
      const { fills } = await filledOf({ source, side, plan, backtest });
      expect(fills).toEqual(fillTexts(naive.fills));
      compared += fills.length;
    };
    await fc.assert(fc.asyncProperty(cases, compare), { numRuns: RUNS });
  });

  it('has fills to compare', () => {
    expect(compared).toBeGreaterThan(50);
  });
});
