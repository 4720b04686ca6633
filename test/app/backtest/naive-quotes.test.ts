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

/** 400 quotes of which another engine was given the same: prices in steps, plenty at each. */
function sharedQuotes(): NaiveQuote[] {
  let state = 7n;
  const draw = (below: number): number => {
    state = (state * 1_103_515_245n + 12_345n) % 2_147_483_648n;
    return Number(state >> 8n) % below;
  };
  let [ms, bid] = [0, 110_000];
  return Array.from({ length: 400 }, () => {
    ms += draw(1_000);
    bid += draw(7) - 3;
    return { ms, bid, bidAmount: 1e6, ask: bid + 1 + draw(3), askAmount: 1e6 };
  });
}

/** With each tenth quote a limit at the best price or some steps behind, in place of the one before. */
function sharedPlan(quotes: readonly NaiveQuote[]): Planned[] {
  return Array.from({ length: quotes.length / 10 }, (_, place): Planned[] => {
    const [at, number] = [10 * place + 9, place + 1];
    const { bid, ask } = quotes[at]!;
    const away = 2 * (number % 7);
    const terms =
      number % 2 === 0
        ? ({ side: 'buy', price: bid - away } as const)
        : ({ side: 'sell', price: ask + away } as const);
    const order = { at, tag: `t${number}`, type: 'limit', ...terms, amount: 1_000 } as const;
    return [{ at, cancel: `t${number - 1}` }, order];
  }).flat();
}

/** The fills of NautilusTrader 1.221.0: milliseconds after the start, price in steps. */
const NAUTILUS_FILLS = [
  ...['15338: 109985', '27734: 109971', '48728: 109965', '76011: 109968', '87006: 109955'],
  ...['113052: 109956', '129121: 109941', '147810: 109918', '153048: 109914', '159348: 109917'],
  ...['170443: 109909', '182359: 109909', '189931: 109919'],
];

describe('a backtest of quotes', () => {
  it('fills limit orders as NautilusTrader does', async () => {
    const quotes = sharedQuotes();
    const backtest = { fill: { model: 'quotes' } };
    const plan = sharedPlan(quotes);
    const { fills } = await filledOf({ source: quoteSource(quotes), plan, backtest });
    const brief = fills.map((text) => {
      const [, ms, amount, value] = /at (\d+): (\d+) for (\d+)/.exec(text)!.map(Number);
      return { ms: ms!, text: `${ms}: ${value! / amount!}` };
    });
    const told = brief.sort((a, b) => a.ms - b.ms).map(({ text }) => text);
    expect(told).toEqual(NAUTILUS_FILLS);
  });

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
