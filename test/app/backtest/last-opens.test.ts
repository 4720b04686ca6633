import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../../src/app/backtest/index.ts';
import { wholeCurve } from '../../report/fixture.ts';
import { MINUTE, START_MS, scriptedDeployment, sourceOf } from './fixture.ts';

const minutesOf = (ms: number): number => (ms - START_MS) / MINUTE;

/** A run of two markets until the twelfth minute, of which one has candles until the sixth alone. */
async function run(at: string, wishes: Readonly<Record<number, number>>) {
  const ends = { btc_usdt: 6, eth_usdt: 12 };
  const sources = Object.entries(ends).map(([id, end]) => {
    const minutes = Array.from({ length: end }, (_, minute) => ({
      ...{ open: 1_000 + minute, close: 1_000.5 + minute },
    }));
    return sourceOf(id, minutes);
  });
  const deployment = scriptedDeployment({
    script: {},
    settings: {
      markets: Object.keys(ends),
      strategies: [{ use: './scripted.ts', markets: ['btc_usdt'], params: { wishes } }],
    },
    backtest: {
      ...{ to: '2024-01-01T00:12', closeAtEnd: 'open' },
      fill: { model: 'candles', at, volumeCap: null },
    },
  });
  const { record } = await runBacktest({ deployment, sources });
  const trades = Array.from(record.fills, ({ side, price, time }) => {
    return [side, price, minutesOf(time)] as const;
  });
  const { time, equity } = wholeCurve(record);
  const worth = Object.fromEntries(Array.from(time, (ms, i) => [minutesOf(ms), equity[i]]));
  return { trades, worth };
}

describe('the last candle of a market that ends ahead of others, with closeAtEnd: open,', () => {
  it.each(['nextOpen', 'heardOpen'])('opens at its time, for orders that wait: %s', async (at) => {
    const { trades, worth } = await run(at, { 4: 1 });
    expect(trades).toEqual([
      ['buy', 1_005, 5],
      ['sell', 1_005, 11],
    ]);
    expect(worth[8]! - worth[6]!).toBe(0);
  });

  it('is worth its open from then on', async () => {
    const { trades, worth } = await run('thisClose', { 1: 1 });
    expect(trades.at(-1)).toEqual(['sell', 1_005, 11]);
    expect(worth[8]! - worth[3]!).toBe(11 * (1_005 - 1_002.5));
  });
});
