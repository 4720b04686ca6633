import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEPTH_EVENTS, openingBook } from '../../../../src/history/index.ts';
import { depthRows, Store } from '../fixture.ts';

describe('openingBook', () => {
  it('is the book of all rows before, and none in a gap or before the first whole one', async () => {
    const event = fc.constantFrom('snapshot', 'change', 'change', 'change', 'trade', 'gap');
    const row = fc.record({
      event: event as fc.Arbitrary<keyof typeof DEPTH_EVENTS>,
      side: fc.constantFrom('buy', 'sell'),
      price: fc.integer({ min: 1, max: 6 }),
      amount: fc.integer({ min: 0, max: 3 }),
      // Several days, so several files; and stamps that fall behind those before them.
      pause: fc.constantFrom(-0.5, 0, 1, 1, 50_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 2, maxLength: 30 }), async (steps) => {
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
