import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../../src/app/backtest/index.ts';
import { seededRandom } from '../../../src/kernel/index.ts';
import { type RecordedFill, type RunRecord, roundTrips } from '../../../src/report/index.ts';
import { MINUTE, type Minute, replayed, type Script, START_MS } from './fixture.ts';
import { depthRows, replayedTicks, tickDataset, tickRun, tradeRows } from './tick-fixture.ts';

/** Prices of some time: of a candle, or of one tick, which takes no time. */
interface Passed {
  readonly fromMs: number;
  readonly toMs: number;
  readonly low: number;
  readonly high: number;
}

const round = (share: number): number => Number(share.toFixed(9)) + 0;

/**
 * By hand, over all prices for each trip: those count that began no earlier than its first fill was
 * heard of, and were over when its last was. What a resting order fills in is not over by then.
 */
function excursionsByHand(fills: readonly RecordedFill[], prices: readonly Passed[]) {
  const found: (readonly [number, number])[] = [];
  for (const strategy of new Set(fills.map((fill) => fill.strategy))) {
    let held = 0;
    let [opened, value, isLong] = [0, 0, true];
    let trip: RecordedFill[] = [];
    const end = (isOver: boolean): void => {
      const [first] = trip;
      const last = trip.at(-1)!;
      if (first === undefined) return;
      const isInside = ({ fromMs, toMs }: Passed): boolean => {
        const isBehind = fromMs > first.time || (fromMs === first.time && isOpenTo(first, fromMs));
        const isBefore = toMs < last.time || (toMs === last.time && last.liquidity === 'taker');
        return isBehind && (!isOver || isBefore);
      };
      // A tick at which an order was taken was heard before; a candle that begins there was not.
      const isOpenTo = ({ liquidity }: RecordedFill, fromMs: number): boolean =>
        liquidity === 'maker' || prices.some((one) => one.fromMs === fromMs && one.toMs > fromMs);
      const inside = prices.filter(isInside);
      const own = trip.map(({ price }) => price);
      const low = Math.min(...own, ...inside.map((one) => one.low));
      const high = Math.max(...own, ...inside.map((one) => one.high));
      const entry = value / opened;
      const moved = [low / entry - 1, high / entry - 1] as const;
      found.push(isLong ? moved : [-moved[1], -moved[0]]);
      trip = [];
      opened = 0;
      value = 0;
    };
    for (const fill of fills.filter((one) => one.strategy === strategy)) {
      trip.push(fill);
      const before = held;
      held = round(held + (fill.side === 'buy' ? fill.amount : -fill.amount));
      if (before !== 0 && Math.sign(held) !== Math.sign(before)) end(true);
      if (held === 0) continue;
      // What goes through flat begins the next one.
      if (trip.length === 0) trip.push(fill);
      isLong = held > 0;
      const more = Math.abs(held) - (Math.sign(before) === Math.sign(held) ? Math.abs(before) : 0);
      opened += Math.max(0, more);
      value += Math.max(0, more) * fill.price;
    }
    end(false);
  }
  return found.map(([adverse, favourable]) => `${round(adverse)} ${round(favourable)}`).sort();
}

function excursionsOf(record: RunRecord): string[] {
  const trips = [...roundTrips(record)];
  return trips.map(({ adverse, favourable }) => `${round(adverse)} ${round(favourable)}`).sort();
}

/** Wishes that hold a lot or nothing, in turn, now and then by orders that rest. */
function scriptOf(seed: string, minutes: readonly { readonly close: number }[]): Script {
  const random = seededRandom(seed);
  const script: Record<number, Script[number]> = {};
  let buys = true;
  for (const [at, { close }] of minutes.entries()) {
    if (random.next() < 0.75) continue;
    const price = Math.round((close + (buys ? -0.2 : 0.2)) * 100) / 100;
    const quote = { price, amount: 1 };
    if (random.next() < 0.5) script[at] = buys ? 1 : 0;
    else script[at] = buys ? { bids: [quote] } : { asks: [quote] };
    if (random.next() < 0.8) buys = !buys;
  }
  return script;
}

function minutesOf(seed: string): Minute[] {
  const random = seededRandom(seed);
  let close = 100;
  return Array.from({ length: 200 }, () => {
    const open = close + random.integer(21) / 100 - 0.1;
    close = open + random.integer(101) / 100 - 0.5;
    const high = Math.max(open, close) + random.integer(40) / 100;
    const low = Math.min(open, close) - random.integer(40) / 100;
    return Object.fromEntries(
      Object.entries({ open, high, low, close }).map(([name, price]) => [
        name,
        Math.round(price * 100) / 100,
      ]),
    ) as unknown as Minute;
  });
}

const LATE = { order: 20_000, answer: 15_000 };
const use = './scripted.ts';

describe('excursions of a backtest of candles', () => {
  it.each([
    ['thisClose', undefined],
    ['nextOpen', undefined],
    ['thisClose', LATE],
    ['nextOpen', LATE],
  ] as const)('are those of all candles by hand: %s, latency %o', async (at, latency) => {
    let trips = 0;
    let resting = 0;
    for (let seed = 0; seed < 6; seed++) {
      const minutes = minutesOf(`minutes ${seed}`);
      const wishes = (name: string) => ({ wishes: scriptOf(`${name} ${seed}`, minutes) });
      const { record } = await replayed({
        minutes,
        script: {},
        settings: {
          strategies: [
            { use, name: 'a', params: wishes('a') },
            { use, name: 'b', params: wishes('b') },
          ],
        },
        backtest: {
          fill: { model: 'candles', volumeCap: null, at, limits: 'touch' },
          balances: { usdt: '100000', btc: '100' },
          ...(latency && { latency }),
        },
      });
      const prices = minutes.map(({ low, high }, minute): Passed => {
        const fromMs = START_MS + minute * MINUTE;
        return { fromMs, toMs: fromMs + MINUTE, low: low!, high: high! };
      });
      const fills = [...record.fills];
      const byHand = excursionsByHand(fills, prices);
      expect(excursionsOf(record)).toEqual(byHand);
      trips += byHand.length;
      resting += fills.filter(({ liquidity }) => liquidity === 'maker').length;
    }
    expect(trips).toBeGreaterThan(50);
    expect(resting).toBeGreaterThan(50);
  });
});

describe('excursions of a backtest of ticks', () => {
  it('are those of all trades by hand', async () => {
    let trips = 0;
    for (let seed = 0; seed < 4; seed++) {
      const random = seededRandom(`trades ${seed}`);
      let price = 100;
      const rows = Array.from({ length: 1_500 }, (_, at) => {
        price = Math.round((price + random.integer(21) / 100 - 0.1) * 100) / 100;
        // Never when a candle is told.
        const second = 2 * at + random.integer(2) + 0.25;
        return [second, random.next() < 0.5 ? 'buy' : 'sell', price] as const;
      });
      const closes = Array.from({ length: 50 }, (_, minute) => {
        return { close: rows.findLast(([second]) => second < 60 * (minute + 1))![2] };
      });
      const { root } = await tickDataset({ kind: 'trades', rows: tradeRows(rows) });
      const wishes = (name: string) => ({ wishes: scriptOf(`${name} ${seed}`, closes) });
      const deployment = tickRun(
        { root, kind: 'trades' },
        {
          strategies: [
            { use, name: 'a', params: wishes('a') },
            { use, name: 'b', params: wishes('b') },
          ],
          backtest: { balances: { usdt: '100000', btc: '100' } },
        },
      );
      const { record } = await runBacktest({ deployment });
      const prices = rows.map(([seconds, , tick]): Passed => {
        const timeMs = START_MS + seconds * 1_000;
        return { fromMs: timeMs, toMs: timeMs, low: tick, high: tick };
      });
      const byHand = excursionsByHand([...record.fills], prices);
      expect(excursionsOf(record)).toEqual(byHand);
      trips += byHand.length;
    }
    expect(trips).toBeGreaterThan(20);
  });

  it('are those of the middles of a book', async () => {
    const { record, trades } = await replayedTicks({
      kind: 'depth',
      rows: depthRows([
        [0, 'snapshot', 'buy', 99, 5],
        [0, 'snapshot', 'sell', 101, 5],
        [1, 'change', 'buy', 80, 1],
        [2, 'trade', 'buy', 101, 1],
        [3, 'change', 'sell', 101, 0],
        [3, 'change', 'sell', 113, 5],
        [4, 'change', 'buy', 99, 0],
      ]),
    });
    expect(trades).toEqual([[2, 'buy', 0.1, 101]]);
    // The middles behind it: 106, then 96.5.
    expect(excursionsOf(record)).toEqual([`${round(96.5 / 101 - 1)} ${round(106 / 101 - 1)}`]);
  });
});
