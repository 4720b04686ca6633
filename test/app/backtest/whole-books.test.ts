import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { depthSource, type NaiveRow } from './naive-depth.ts';
import { filledOf, fillTexts, type Planned, type PlannedFill } from './planned-fills.ts';

/** More of them: TRADEWIND_FILL_SEEDS=200. */
const RUNS = Number(process.env.TRADEWIND_FILL_SEEDS ?? 15);
const START_PRICE = 10_000;
const LEVELS = 3;

/** The levels of one side are steps apart, best first. */
interface Book {
  readonly ms: number;
  readonly bid: number;
  readonly ask: number;
  readonly amounts: readonly number[];
}

const books = fc
  .array(
    fc.record({
      afterMs: fc.constantFrom(0, 0, 1, 500),
      by: fc.integer({ min: -3, max: 3 }),
      spread: fc.integer({ min: 1, max: 3 }),
      amounts: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 2 * LEVELS, maxLength: 6 }),
    }),
    { minLength: 60, maxLength: 150 },
  )
  .map((steps) => {
    let [ms, bid] = [0, START_PRICE];
    return steps.map(({ afterMs, by, spread, amounts }): Book => {
      ms += afterMs;
      bid += by;
      return { ms, bid, ask: bid + spread, amounts };
    });
  });

const wishes = fc.array(
  fc.record({
    place: fc.nat(),
    type: fc.constantFrom('limit', 'limit', 'ioc'),
    away: fc.integer({ min: -5, max: 4 }),
    amount: fc.integer({ min: 1, max: 90 }),
  }),
  { minLength: 10, maxLength: 40 },
);

/** Prices and amounts of one side, best first. */
function levelsOf({ bid, ask, amounts }: Book, side: 'bids' | 'asks') {
  return Array.from({ length: LEVELS }, (_, depth) => ({
    price: side === 'bids' ? bid - depth : ask + depth,
    amount: amounts[2 * depth + (side === 'bids' ? 0 : 1)]!,
  }));
}

/** All rows of a whole book. */
function rowsOf(book: Book, update: number): NaiveRow[] {
  const [bids, asks] = [levelsOf(book, 'bids'), levelsOf(book, 'asks')];
  // As Tardis writes them: ask and bid of each depth beside each other.
  return bids.flatMap((bid, depth) => [
    { ms: book.ms, update, event: 'snapshot', buys: false, ...asks[depth]! },
    { ms: book.ms, update, event: 'snapshot', buys: true, ...bid },
  ]);
}

/**
 * Fills of orders of one side: on arrival at the prices of the book that set them off, at their own
 * once a later one reaches them; a whole book says anew what stands at each price.
 */
function naiveFills(all: readonly Book[], { plan, buys }: { plan: Planned[]; buys: boolean }) {
  const sign = buys ? 1 : -1;
  const fills: PlannedFill[] = [];
  let resting: { tag: string; price: number; left: number }[] = [];
  for (const [at, book] of all.entries()) {
    const offered = levelsOf(book, buys ? 'asks' : 'bids');
    const take = (order: (typeof resting)[number], own?: number): void => {
      for (const level of offered) {
        if ((order.price - level.price) * sign < 0) return;
        const amount = Math.min(order.left, level.amount);
        level.amount -= amount;
        order.left -= amount;
        const { tag } = order;
        if (amount > 0) fills.push({ tag, price: own ?? level.price, amount, ms: book.ms });
      }
    };
    resting.sort((a, b) => (b.price - a.price) * sign);
    for (const order of resting) take(order, order.price);
    for (const wish of plan) {
      if (wish.at !== at || 'cancel' in wish) continue;
      const order = { tag: wish.tag, price: wish.price, left: wish.amount };
      take(order);
      if (wish.type !== 'ioc') resting.push(order);
    }
    resting = resting.filter(({ left }) => left > 0);
  }
  return fillTexts(fills);
}

const changes = fc.array(
  fc.record({
    afterMs: fc.constantFrom(0, 0, 0, 1),
    depth: fc.nat({ max: LEVELS - 1 }),
    isBid: fc.boolean(),
    amount: fc.integer({ min: 1, max: 40 }),
    taken: fc.integer({ min: 1, max: 60 }),
  }),
  { minLength: 20, maxLength: 60 },
);

describe('a backtest of changes of one level each', () => {
  it('has an order meet the book that set it off, not the next of its time', {
    timeout: RUNS * 6_000,
  }, async () => {
    const property = fc.asyncProperty(changes, fc.boolean(), async (steps, buys) => {
      const amounts = Array.from({ length: 2 * LEVELS }, () => 20);
      const rows = rowsOf({ ms: 0, bid: START_PRICE, ask: START_PRICE + 1, amounts }, 0);
      const best = buys ? START_PRICE + 1 : START_PRICE;
      const plan: Planned[] = [];
      const fills: PlannedFill[] = [];
      let [ms, left] = [0, 20];
      for (const [index, step] of steps.entries()) {
        const update = index + 1;
        ms += step.afterMs;
        const { isBid, depth } = step;
        const price = isBid ? START_PRICE - depth : START_PRICE + 1 + depth;
        rows.push({ ms, update, event: 'change', buys: isBid, price, amount: step.amount });
        if (price === best) left = step.amount;
        const tag = `t${update}`;
        plan.push({ at: update, tag, type: 'ioc', price: best, amount: step.taken });
        const amount = Math.min(left, step.taken);
        if (amount > 0) fills.push({ tag, price: best, amount, ms });
        left -= amount;
      }
      const run = { source: depthSource(rows), plan, backtest: { fill: { model: 'depth' } } };
      const told = await filledOf({ ...run, hearsBooks: true, side: buys ? 'buy' : 'sell' });
      expect(told.fills).toEqual(fillTexts(fills));
    });
    await fc.assert(property, { numRuns: RUNS });
  });
});

describe('a backtest of whole books', () => {
  let compared = 0;

  it('fills as a naive loop over them does', { timeout: RUNS * 6_000 }, async () => {
    const property = fc.asyncProperty(books, wishes, fc.boolean(), async (all, made, buys) => {
      const used = new Set<number>();
      const plan = made.flatMap(({ place, type, away, amount }, number): Planned[] => {
        const at = place % all.length;
        const price = buys ? all[at]!.bid - away : all[at]!.ask + away;
        if (used.has(price)) return [];
        used.add(price);
        return [{ at, tag: `t${number}`, type, price, amount }];
      });
      const backtest = { fill: { model: 'depth' } };
      const run = { source: depthSource(all.flatMap(rowsOf)), plan, backtest, hearsBooks: true };
      const { fills } = await filledOf({ ...run, side: buys ? 'buy' : 'sell' });
      expect(fills).toEqual(naiveFills(all, { plan, buys }));
      compared += fills.length;
    });
    await fc.assert(property, { numRuns: RUNS });
  });

  it('has fills to compare', () => {
    expect(compared).toBeGreaterThan(50);
  });
});
