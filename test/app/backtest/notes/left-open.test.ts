import { describe, expect, it } from 'vitest';
import { LIMITS, replayed } from '../fixture.ts';

/** What is told of a run whose strategies hold that much at its end and may send no more orders. */
async function toldOf(held: Readonly<Record<string, number>>, fees = {}) {
  const strategies = Object.entries(held).map(([name, amount]) => {
    return { use: './scripted.ts', name, params: { wishes: { 1: amount } } };
  });
  const risk = { ...LIMITS, ordersPerWindowMax: strategies.length, orderRateWindowMs: 3_600_000 };
  const { record } = await replayed({
    ...{ minutes: Array.from({ length: 4 }, () => ({ close: 100 })), script: {} },
    settings: { strategies, risk },
    backtest: { closeAtEnd: 'close', fees },
  });
  return record.notes?.filter((note) => note.startsWith('closeAtEnd')) ?? [];
}

const WHY = 'the closing order was refused or did not fill.';

describe('what the end leaves open', () => {
  it('is told', async () => {
    expect(await toldOf({ one: 5 })).toEqual([
      `closeAtEnd did not close 5 btc in btc_usdt: ${WHY}`,
    ]);
  });

  it('is not told of less than an order may sell', async () => {
    expect(await toldOf({ one: 0.001 }, { taker: 0.01, in: 'received' })).toEqual([]);
  });

  it('is told of each strategy, though together they hold nothing', async () => {
    expect(await toldOf({ one: 5, two: -5 })).toEqual([
      `closeAtEnd did not close 5 btc in btc_usdt, of one: ${WHY}`,
      `closeAtEnd did not close -5 btc in btc_usdt, of two: ${WHY}`,
    ]);
  });
});
