import { describe, expect, it } from 'vitest';
import type { CandleColumns } from '../../../src/domain/index.ts';
import { joined } from '../../../src/sim/models/joined-candles.ts';

/** Open, high, low and close of each. */
function rowsOf(...candles: readonly (readonly [number, number, number, number])[]): CandleColumns {
  const column = (at: 0 | 1 | 2 | 3) => Float64Array.from(candles, (candle) => candle[at]);
  const none = new Float64Array(candles.length);
  const prices = { open: column(0), high: column(1), low: column(2), close: column(3) };
  return { time: none, ...prices, volume: none };
}

describe('joined', () => {
  it('lets candles begin at the close before, their high and low as far as that', () => {
    const rows = rowsOf([10, 12, 9, 11], [13, 14, 12, 13], [8, 9, 7, 8]);
    const met = rowsOf([10, 12, 9, 11], [11, 14, 11, 13], [13, 13, 7, 8]);
    expect(joined(rows, Number.NaN)).toEqual(met);
    expect(rows.open).toEqual(Float64Array.of(10, 13, 8));
  });

  it('goes on from the close that was last', () => {
    expect(joined(rowsOf([13, 14, 12, 13]), 15)).toEqual(rowsOf([15, 15, 12, 13]));
    expect(joined(rowsOf(), 15)).toEqual(rowsOf());
  });
});
