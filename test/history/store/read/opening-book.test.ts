import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEPTH_EVENTS, openingBook } from '../../../../src/history/index.ts';
import { type DepthRow, depthRows, Store } from '../fixture.ts';

describe('openingBook', () => {
  it('is the book of all rows before, and none in a gap or before the first whole one', async () => {
    const changes = Array.from({ length: 6 }, () => 'change' as const);
    const event = fc.constantFrom('snapshot', ...changes, 'trade', 'trade', 'gap');
    const row = fc.record({
      event: event as fc.Arbitrary<keyof typeof DEPTH_EVENTS>,
      side: fc.constantFrom('buy', 'sell'),
      price: fc.integer({ min: 1, max: 6 }),
      amount: fc.integer({ min: 0, max: 3 }),
      // Several days, so several files; and stamps that fall behind those before them.
      pause: fc.constantFrom(-0.5, 0, 1, 1, 50_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 12, maxLength: 30 }), async (steps) => {
        let seconds = 3_600;
        const rows = depthRows(
          steps.map(({ event, side, price, amount, pause }) => {
            seconds += pause;
            const least = event === 'snapshot' ? Math.max(1, amount) : amount;
            return [seconds, event, side as 'buy' | 'sell', price, least];
          }),
        );
        const dataset = await new Store().record(rows);
        for (const end of [1, Math.floor(rows.length / 2), rows.length - 1]) {
          const from = Number(rows[end]![0]);
          const book = await openingBook(dataset, from);
          expect(book === undefined ? undefined : levelsOf(book)).toEqual(naive(rows, from));
          if (book === undefined) continue;
          expect(book.time.every((time) => time === from)).toBe(true);
          // Rows are heard five milliseconds late here.
          expect(book.received.every((received) => received === from + 5)).toBe(true);
          expect(book.event.every((event) => event === DEPTH_EVENTS.snapshot)).toBe(true);
          const signed = Array.from(book.side, (side, at) => -side * book.price[at]!);
          expect(signed).toEqual(signed.toSorted((a, b) => a - b));
        }
      }),
      { numRuns: 12, seed: 11 },
    );
  }, 60_000);
});

describe('openingBook, of a long recording,', () => {
  const DAY_S = 86_400;

  it('begins with a whole book days before, and takes no trade for a level', async () => {
    const rows = depthRows([
      [0, 'snapshot', 'buy', 100, 1],
      [0, 'snapshot', 'sell', 103, 2],
      [1, 'trade', 'buy', 102, 4],
      [DAY_S, 'change', 'buy', 101, 3],
      [DAY_S, 'change', 'sell', 104, 5],
      [DAY_S, 'change', 'sell', 103, 0],
      [DAY_S + 1, 'trade', 'sell', 101, 3],
      [2 * DAY_S, 'change', 'sell', 104, 0],
    ]);
    const dataset = await new Store().record(rows);
    expect(dataset.parts.length).toBeGreaterThan(2);
    const book = await openingBook(dataset, Number(rows.at(-1)![0]));
    expect(levelsOf(book!)).toEqual(['-1 104 5', '1 100 1', '1 101 3']);
  });

  it('finds a whole book that many changes are behind', async () => {
    const changes = Array.from({ length: 70_000 }, (_, at): DepthRow => {
      return [1 + at / 1_000, 'change', 'sell', 103, 1 + (at % 7)];
    });
    const rows = depthRows([[0, 'snapshot', 'buy', 100, 1], ...changes]);
    const dataset = await new Store().record(rows);
    const book = await openingBook(dataset, Number(rows.at(-1)![0]));
    expect(levelsOf(book!)).toEqual(['-1 103 6', '1 100 1']);
  });
});

type Rows = ReturnType<typeof depthRows>;

/** The book by reading all rows from the first on; undefined where it is unknown or empty. */
function naive(rows: Rows, before: number): string[] | undefined {
  let levels: Map<string, number> | undefined;
  let update: unknown;
  for (const [time, , its, event, side, price, amount] of rows) {
    if (Number(time) >= before) continue;
    if (event === DEPTH_EVENTS.gap) levels = undefined;
    if (event === DEPTH_EVENTS.snapshot && its !== update) levels = new Map();
    if (event === DEPTH_EVENTS.trade || event === DEPTH_EVENTS.gap) continue;
    update = its;
    if (Number(amount) > 0) levels?.set(`${side} ${price}`, Number(amount));
    else levels?.delete(`${side} ${price}`);
  }
  const found = [...(levels ?? [])].map(([place, amount]) => `${place} ${amount}`).sort();
  return found.length === 0 ? undefined : found;
}

function levelsOf(book: NonNullable<Awaited<ReturnType<typeof openingBook>>>): string[] {
  const { side, price, amount } = book;
  return Array.from(side, (own, at) => `${own} ${price[at]} ${amount[at]}`).sort();
}
