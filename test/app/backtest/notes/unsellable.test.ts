import { describe, expect, it } from 'vitest';
import { replayed } from '../fixture.ts';

const FLAT = Array.from({ length: 6 }, () => ({ close: 100, volume: 1e6 }));

/** What is noted of what is left of a buy of some amount, and of what is sold of it. */
async function noted(amount: number, backtest: object = {}): Promise<string[]> {
  const { record } = await replayed({
    ...{ minutes: FLAT, script: { 1: amount, 3: 0 } },
    settings: { fees: { maker: 0.002, taker: 0.002 } },
    backtest,
  });
  return record.notes!.filter((note) => note.includes('is left with'));
}

describe('unsellable', () => {
  it('names what a fee has left of the least amount that can be bought', async () => {
    const [note, ...others] = await noted(0.001);
    expect(note).toMatch(
      /^\S+ is left with 0\.000998 btc in btc_usdt, less than an order may sell \(0\.001\): /,
    );
    expect(others).toEqual([]);
  });

  it('says nothing of the dust that larger amounts leave, nor where the fee is no part of them', async () => {
    expect(await noted(0.0123)).toEqual([]);
    expect(await noted(0.001, { fees: { maker: 0.002, taker: 0.002, in: 'quote' } })).toEqual([]);
  });
});
