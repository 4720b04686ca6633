import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wholeUpdates } from '../../../../src/app/backtest/feeds/whole-updates.ts';
import type { DepthColumns } from '../../../../src/domain/index.ts';

const NAMES = ['time', 'received', 'update', 'event', 'side', 'price', 'amount'] as const;

/** Chunks of rows by their updates, in arrays that serve again. */
async function* chunksOf(chunks: readonly (readonly number[])[]): AsyncGenerator<DepthColumns> {
  const used = NAMES.map((name) => [name, new Float64Array(50)] as const);
  let row = 0;
  for (const updates of chunks) {
    const columns = used.map(([name, column], place) => {
      for (const [at, update] of updates.entries()) {
        column[at] = name === 'update' ? update : (row + at) * 10 + place;
      }
      return [name, column.subarray(0, updates.length)];
    });
    row += updates.length;
    yield Object.fromEntries(columns) as unknown as DepthColumns;
  }
}

it('wholeUpdates keeps all rows in their order, and no update in two chunks', async () => {
  const updates = fc
    .array(fc.integer({ min: 1, max: 6 }), { maxLength: 20 })
    .map((lengths) => lengths.flatMap((length, at) => new Array<number>(length).fill(at)));
  const cuts = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 30 });
  const property = fc.asyncProperty(updates, cuts, async (rows, lengths) => {
    const left = [...rows];
    const parts = lengths.map((length) => left.splice(0, length));
    const chunks = [...parts, ...left.map((update) => [update])];
    const whole: number[][] = [];
    const seen = new Set<number>();
    for await (const chunk of wholeUpdates(chunksOf(chunks))) {
      const own = new Set(chunk.update);
      expect(own.isDisjointFrom(seen)).toBe(true);
      for (const update of own) seen.add(update);
      for (let at = 0; at < chunk.time.length; at++) whole.push(NAMES.map((n) => chunk[n][at]!));
    }
    const wanted = rows.map((update, row) =>
      NAMES.map((name, place) => (name === 'update' ? update : row * 10 + place)),
    );
    expect(whole).toEqual(wanted);
  });
  await fc.assert(property);
});
