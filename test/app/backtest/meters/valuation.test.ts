import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../../src/kernel/index.ts';
import { MINUTE, replayed } from '../fixture.ts';

/** A run of so many minutes, of which there are the first three hours and the last minute. */
async function valued(minutes: number, backtest: object = {}) {
  const first = Array.from({ length: 180 }, () => ({ close: 100 }));
  const { record } = await replayed({
    minutes: [...first, { close: 101, at: minutes - 1 }],
    ...{ script: { 0: 0 }, backtest },
  });
  const [begin = 0, next = 0] = [...record.curve].flatMap(({ time }) => [...time]);
  const notes = record.notes?.filter((note) => !note.includes('candles are missing'));
  return { notes, everyMs: next - begin };
}

describe('valuationOf', () => {
  it('is with every candle, and no more than hourly where that would be very often', async () => {
    expect(await valued(1_100_000)).toEqual({ notes: [], everyMs: MINUTE });
    const note =
      'The account is valued every 1hour, as every 1min would make more than 1,100,000 ' +
      'values: no figure shows what equity did in between. backtest.equityEvery: 1min values it as ' +
      'often as the data allow.';
    expect(await valued(1_100_001)).toEqual({ notes: [note], everyMs: HOUR_MS });
  });

  it('is as often as is said, however often that is', async () => {
    const { notes, everyMs } = await valued(1_100_001, { equityEvery: '1min' });
    expect([notes, everyMs]).toEqual([[], MINUTE]);
  });

  it('is with every candle where returns are of each, however many there are', async () => {
    const report = { returnPeriod: '1min' };
    expect(await valued(1_100_001, { report })).toEqual({ notes: [], everyMs: MINUTE });
  });
});

it('accountCurve is valued by no candle that has no price, and nothing fills at one', async () => {
  const closes = [100, 100, -5, 0, 100, 110];
  const minutes = closes.map((close) => ({ close, high: close, low: close }));
  const { record } = await replayed({ minutes, script: { 0: 1, 2: 0, 3: 0 } });
  const [curve] = record.curve;
  expect(record.fills).toHaveLength(1);
  expect(new Set(curve!.positionValue)).toEqual(new Set([1_000, 1_100, 1_210]));
  expect(Math.min(...curve!.buyAndHold!)).toBe(curve!.equity[0]);
});
