import { describe, expect, it } from 'vitest';
import { pack, packedMax, unpack } from '../../../../src/app/backtest/record/even-columns.ts';

const ROWS = 4;

/** What is left of columns that are packed and put back over others. */
function packedAndBack(...columns: readonly (readonly number[])[]) {
  const numbers = Float64Array.from(columns.flat());
  const packed = pack(
    { numbers, rows: ROWS },
    new Float64Array(packedMax({ numbers, rows: ROWS })),
  );
  const back = new Float64Array(numbers.length).fill(7);
  unpack(packed, { numbers: back, rows: ROWS });
  return {
    length: packed.length,
    columns: columns.map((_, at) => [...back.subarray(at * ROWS, (at + 1) * ROWS)]),
  };
}

describe('pack', () => {
  it.each([
    ['stands still', [1.25, 1.25, 1.25, 1.25]],
    [
      'goes in even steps',
      [1_700_000_000_000, 1_700_000_060_000, 1_700_000_120_000, 1_700_000_180_000],
    ],
    ['goes down', [3, 2, 1, 0]],
  ])('keeps two numbers of a column that %s', (_, column) => {
    expect(packedAndBack(column)).toEqual({ length: 2, columns: [column] });
  });

  it.each([
    ['jumps at its end', [1, 1, 1, 2]],
    ['goes in steps that sums of doubles miss', [0.1, 0.2, 0.3, 0.4]],
    ['has no number yet', [Number.NaN, Number.NaN, Number.NaN, Number.NaN]],
    ['begins without one', [Number.NaN, 1, 1, 1]],
    ['grows without end', [0, Number.POSITIVE_INFINITY, 0, 0]],
  ])('keeps every number of a column that %s', (_, column) => {
    expect(packedAndBack(column)).toEqual({ length: 2 + ROWS, columns: [column] });
  });

  it('puts every column in its place, in all the room there may have to be', () => {
    const columns = [
      [5, 5, 5, 5],
      [1, 4, 2, 3],
      [0, 1, 2, 3],
      [9, 7, 8, 6],
    ];
    expect(packedAndBack(...columns)).toEqual({ length: 4 * 2 + 2 * ROWS, columns });
    const numbers = Float64Array.from(columns.flat());
    expect(packedMax({ numbers, rows: ROWS })).toBe(4 * (2 + ROWS));
  });
});
