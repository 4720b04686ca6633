import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../../src/kernel/index.ts';
import type { RunRecord } from '../../../src/report/index.ts';
import { wholeCurve } from '../../report/fixture.ts';
import { type Minute, replayed, type Script } from './fixture.ts';

const BALANCES = { usdt: '10000', btc: '10' };

/** Minutes with holes among them, and targets and quotes at the closes of some. */
function drawn(random: Random): { readonly minutes: Minute[]; readonly script: Script } {
  const tenths = (most: number): number => random.integer(most) / 10;
  const minutes: Minute[] = [];
  const script: Record<number, Script[number]> = {};
  let price = 100;
  for (let at = 0; minutes.length < 60; at += random.integer(4) === 0 ? 2 + random.integer(9) : 1) {
    const open = price + tenths(5) - 0.2;
    price = Number((open + tenths(11) - 0.5).toFixed(2));
    const [high, low] = [Math.max(open, price) + tenths(5), Math.min(open, price) - tenths(5)];
    minutes.push({ at, open, close: price, high, low });
    const bids = [{ price: price - tenths(4), amount: 1 }];
    const asks = [{ price: price + tenths(4) + 0.1, amount: 1 }];
    const wish = [{ bids, asks }, random.integer(5) - 2][random.integer(6)];
    if (wish !== undefined) script[at] = wish;
  }
  return { minutes, script };
}

/** Money and coins by the start and by the fills that were heard. */
function ownedBy({ fills }: RunRecord, isHeard: (timeMs: number) => boolean): [number, number] {
  let [money, held] = [Number(BALANCES.usdt), 0];
  for (const { side, amount, value, time } of fills) {
    if (!isHeard(time)) continue;
    money += side === 'buy' ? -value.toNumber() : value.toNumber();
    held += side === 'buy' ? amount : -amount;
  }
  return [money, held];
}

describe('a backtest of candles with holes', () => {
  it.each(
    ['thisClose', 'nextOpen', 'heardOpen', 'heardPath'].flatMap((at) =>
      [0, 1, 2, 3].map((seed) => [at, seed] as const),
    ),
  )('trades alike however often it is valued, as its curve says: %s, seed %i', async (at, seed) => {
    const { minutes, script } = drawn(seededRandom(`${seed}`));
    const fill = { model: 'candles', at, volumeCap: null };
    const latency = seed % 2 === 0 ? { order: 700, answer: 900 } : { order: 9_000, answer: 5_000 };
    const runOf = (equityEvery: string) =>
      replayed({
        ...{ minutes, script },
        backtest: { balances: BALANCES, fill, latency, equityEvery },
      });
    const runs = [await runOf('1min'), await runOf('5min'), await runOf('15min')];
    for (const { trades, record } of runs) {
      expect(trades).toEqual(runs[0]!.trades);
      const { time, cash, positions } = wholeCurve(record);
      for (const [row, timeMs] of time.entries()) {
        const told = [cash[row], positions.get('btc_usdt')![row]];
        const [before, then] = [
          ownedBy(record, (ms) => ms < timeMs),
          ownedBy(record, (ms) => ms <= timeMs),
        ];
        const close = [before, then].map((owned) => owned.map((sum) => expect.closeTo(sum, 6)));
        expect(close).toContainEqual(told);
      }
    }
    expect(runs[0]!.trades.length).toBeGreaterThan(5);
  });
});
