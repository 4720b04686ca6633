import { describe, expect, it } from 'vitest';
import { type FillRows, fillRows } from '../../../../src/app/backtest/record/fill-rows.ts';
import { Decimal } from '../../../../src/kernel/index.ts';
import type { RecordedFill } from '../../../../src/report/index.ts';
import { makeFill } from '../../../report/fixture.ts';

const EXACT = { value: Decimal.of('1234.56789012'), fee: Decimal.of('0.00000001') };

describe('fillRows', () => {
  it('has a row for each fill, in its order, many at a time', () => {
    const fills = Array.from({ length: 2_500 }, (_, at): RecordedFill => {
      return makeFill({ ...EXACT, time: at, clientOrderId: `order${at}`, liquidity: 'maker' });
    });
    const blocks = [...fillRows(fills)];
    expect(blocks.map(({ time }) => time.length)).toEqual([1_024, 1_024, 452]);
    expect(blocks.flatMap(({ time }) => [...time])).toEqual(fills.map(({ time }) => time));
    expect(blocks.flatMap(({ clientOrderId }) => clientOrderId)).toEqual(
      fills.map(({ clientOrderId }) => clientOrderId),
    );
    const [{ value, fee, liquidity }] = blocks as [FillRows];
    expect([value[0], fee[0], liquidity[0]]).toEqual([1234.56789012, 1e-8, 'maker']);
  });

  it('says of what is not known that it is not', () => {
    const fill = makeFill({ liquidity: undefined, referencePrice: undefined });
    const [{ liquidity, referencePrice }] = [...fillRows([fill])] as [FillRows];
    expect([liquidity, [...referencePrice]]).toEqual([[null], [Number.NaN]]);
  });

  it('has columns without rows where nothing was filled', () => {
    expect([...fillRows([])].map(({ time, market }) => [time.length, market.length])).toEqual([
      [0, 0],
    ]);
  });
});
