import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../../src/app/backtest/index.ts';
import type { TradingEvent } from '../../../src/domain/index.ts';
import {
  MINUTE,
  type Minute,
  replayed,
  type Script,
  START_MS,
  scriptedDeployment,
} from './fixture.ts';
import { depthRows, type TickData, tickDataset, tickRun, tradeRows } from './tick-fixture.ts';

/** An outage from a minute on, for some minutes. */
const outage = (minute: number, minutes: number) => ({
  from: new Date(Math.round(START_MS + minute * MINUTE)).toISOString(),
  lengthMs: Math.round(minutes * MINUTE),
});

const LISTENER = new URL('listener.ts', import.meta.url).pathname;

const minuteOf = (timeMs: number): number => (timeMs - START_MS) / MINUTE;

/** When events of a kind were, in minutes. */
const timesOf = (events: readonly TradingEvent[], kind: TradingEvent['kind']) =>
  events.flatMap((event) => (event.kind === kind && 'time' in event ? [minuteOf(event.time)] : []));

const RISING: readonly Minute[] = Array.from({ length: 8 }, (_, at) => ({ close: 100 + at }));
const EACH_MINUTE: Script = Object.fromEntries(RISING.map((_, at) => [at, 0]));

describe('an outage in a backtest of candles', () => {
  it('has the candles that it swallows heard together when it is over', async () => {
    const simulate = { outages: { stated: [outage(2.5, 2)] } };
    const run = { minutes: RISING, script: EACH_MINUTE, backtest: { simulate } };
    const { events } = await replayed(run);
    expect(timesOf(events, 'intent')).toEqual([1, 2, 4.5, 4.5, 5, 6, 7, 8]);
    const late = await replayed({ ...run, backtest: { simulate, latency: { feed: 6_000 } } });
    expect(timesOf(late.events, 'intent')).toEqual([1.1, 2.1, 4.6, 4.6, 5.1, 6.1, 7.1, 8.1]);
  });

  it('ends with the data', async () => {
    const simulate = { outages: { stated: [outage(6.5, 90)] } };
    const backtest = { simulate, closeAtEnd: 'close' };
    const { events, trades } = await replayed({ minutes: RISING, script: { 1: 1 }, backtest });
    expect(timesOf(events, 'run').at(-1)).toBe(8);
    expect(trades).toEqual([
      ['buy', 1, 101, 2],
      ['sell', 1, 107, 8],
    ]);
  });

  it('makes prices stale after as long a silence as live', async () => {
    const told = async (minutes: number) => {
      const simulate = { outages: { stated: [outage(2.5, minutes)] } };
      const { log } = await replayed({
        ...{ minutes: RISING, script: {}, text: FRESHNESS },
        backtest: { simulate },
      });
      return log.map((line) => [minuteOf(Date.parse(line.slice(0, 24))), line.slice(35)]);
    };
    // 5 s are not yet too long for a book.
    expect(await told(5 / 60)).toEqual([]);
    expect(await told(2)).toEqual([
      [2.5 + 5 / 60, 'depth false 5000'],
      [4.5, 'depth true 0'],
    ]);
    expect((await told(3)).slice(1)).toEqual([
      [4.5, 'candle false 120000'],
      [5.5, 'depth true 0'],
      [5.5, 'candle true 0'],
    ]);
  });
});

/** Says how fresh its data are. */
const FRESHNESS = `import { defineStrategy, ignoreElements, tap, z } from '#strategy';
export default defineStrategy({
  name: 'scripted',
  params: z.looseObject({}),
  run: ({ freshness, log }) => freshness().pipe(
    tap(({ stream, fresh, ageMs }) => log(stream + ' ' + fresh + ' ' + ageMs)), ignoreElements(),
  ),
});
`;

/** Wishes to hold one 20 seconds after the start of minute 1. */
const TIMED = `import { defineStrategy, map, merge, NEVER, target, timer, z } from '#strategy';
export default defineStrategy({
  name: 'scripted',
  params: z.looseObject({}),
  run: ({ market, clock }) => merge(NEVER, timer(80_000, clock).pipe(map(() => target(market, 1)))),
});
`;

describe('a request in an outage', () => {
  const placed = async (arriving: number) => {
    const simulate = { outages: { stated: [outage(1.3, 1.7)], arriving } };
    const run = await replayed({
      ...{ minutes: RISING, script: {}, text: TIMED },
      backtest: { simulate },
    });
    const states = run.events.flatMap((event) =>
      event.kind === 'order' ? [[event.order.status, minuteOf(event.time)] as const] : [],
    );
    const ids = new Set(
      run.events.flatMap((event) => (event.kind === 'order' ? [event.order.clientOrderId] : [])),
    );
    return { ...run, states, orders: ids.size };
  };

  it('that arrives has its effect, which is read when the line stands again', async () => {
    const { trades, states, orders } = await placed(1);
    expect(states.slice(0, 2)).toEqual([
      ['pending', 80 / 60],
      ['unknown', 95 / 60],
    ]);
    // Once the question before is given up too. At the price of its time: that of the first close.
    const [status, minute] = states[2]!;
    expect([status, minute >= 3, minute < 3.25, states.length]).toEqual(['filled', true, true, 3]);
    expect(trades).toEqual([['buy', 1, 100, minute]]);
    expect(orders).toBe(1);
  });

  it('is none where prices are stale by then', async () => {
    const simulate = { outages: { stated: [outage(1.2, 1)] } };
    const backtest = { simulate };
    const { events } = await replayed({ minutes: RISING, script: {}, text: TIMED, backtest });
    expect(timesOf(events, 'refusal')).toEqual([80 / 60]);
    expect(timesOf(events, 'order')[0]).toBe(2.2);
  });

  it('that does not arrive is sought until it cannot any more, then wished anew', async () => {
    const { trades, states, orders } = await placed(0);
    expect(states.slice(0, 2)).toEqual([
      ['pending', 80 / 60],
      ['unknown', 95 / 60],
    ]);
    // 2 minutes and the lag of reads after it was given up.
    const [status, minute] = states[2]!;
    expect([status, minute >= (95 + 122) / 60, minute < 4]).toEqual(['rejected', true, true]);
    // Candles have come since it got lost: the next leaves as soon as that is known.
    expect(trades).toEqual([['buy', 1, 102, minute]]);
    expect(orders).toBe(2);
  });
});

describe('an order that rests in an outage', () => {
  const minutes = RISING.map((minute, at) => (at === 4 ? { ...minute, low: 89 } : minute));
  const script = { 0: { bids: [{ price: 90, amount: 1 }] } };
  const rested = async (heartbeats: boolean) => {
    const simulate = { heartbeats, outages: { stated: [outage(1.5, 4)], arriving: 0 } };
    const settings = { data: { staleAfterMs: { depth: 900_000 } } };
    const { events, trades } = await replayed({
      minutes,
      script,
      settings,
      backtest: { simulate },
    });
    const ends = events.flatMap((event) => {
      if (event.kind !== 'order') return [];
      const { status } = event.order;
      return status === 'filled' || status === 'cancelled' ? [[status, minuteOf(event.time)]] : [];
    });
    return { trades, ends, events };
  };

  it('fills as ever, which is read when the line stands again', async () => {
    const { trades, ends } = await rested(false);
    const [[status, minute] = []] = ends;
    expect([status, Number(minute) >= 5.5, Number(minute) < 5.75]).toEqual(['filled', true, true]);
    expect(trades).toEqual([['buy', 1, 90, minute]]);
  });

  it('goes with the timed cancel where that is simulated', async () => {
    const { trades, ends, events } = await rested(true);
    expect(trades).toEqual([]);
    const [[status, minute] = []] = ends;
    expect([status, Number(minute) < 5.75]).toEqual(['cancelled', true]);
    expect(timesOf(events, 'lapse').length).toBeGreaterThan(0);
  });
});

/** What the adder says, with the seconds since the start. */
async function heard(data: TickData, backtest: object) {
  const { root } = await tickDataset(data);
  const { log } = await runBacktest({
    deployment: tickRun({ root, kind: data.kind }, { backtest }),
  });
  return log.map((line) => {
    return [(Date.parse(line.slice(0, 24)) - START_MS) / 1_000, line.slice(32)] as const;
  });
}

describe('an outage in a backtest of ticks', () => {
  it('has trades heard together when it is over, and their best prices once', async () => {
    const rows = tradeRows([
      [1, 'buy', 100],
      [3, 'sell', 99],
      [4, 'buy', 101],
      [9, 'buy', 102],
    ]);
    const simulate = { outages: { stated: [outage(2 / 60, 5 / 60)] } };
    const log = await heard({ kind: 'trades', rows }, { simulate });
    expect(log.filter(([, text]) => text.startsWith('depth'))).toEqual([
      [1, 'depth { asks: [ [ 100, 2 ] ], bids: [ [ 99.99, 2 ] ] }'],
      [7, 'depth { asks: [ [ 101, 2 ] ], bids: [ [ 99, 2 ] ] }'],
      [9, 'depth { asks: [ [ 102, 2 ] ], bids: [ [ 99, 2 ] ] }'],
    ]);
  });

  it('has candles of trades wait for these, and be whole', async () => {
    const rows = tradeRows(
      Array.from({ length: 16 }, (_, at) => [20 * at + 1, 'buy', 100 + at] as const),
    );
    const { root } = await tickDataset({ kind: 'trades', rows });
    const simulate = { outages: { stated: [outage(50 / 60, 80 / 60)] } };
    const deployment = tickRun(
      { root, kind: 'trades' },
      {
        strategies: [{ use: LISTENER, name: 'listener', params: { intervals: ['1min'] } }],
        backtest: { simulate },
      },
    );
    const { log } = await runBacktest({ deployment });
    const candles = log.map((line) => JSON.parse(line.slice(line.indexOf('{'))));
    const told = candles.map(({ openTime, close, volume, receivedTime }) => [
      minuteOf(openTime),
      ...[close, volume, (receivedTime - START_MS) / 1_000],
    ]);
    // Heard at 130 s: the trades at 61, 81, 101 and 121 s. Then 1 s behind the end of each.
    expect(told).toEqual([
      [0, 102, 6, 130],
      [1, 105, 6, 130],
      [2, 108, 6, 181],
      [3, 111, 6, 241],
      [4, 114, 6, 301],
    ]);
  });

  it('shows the book as it stands when it is over, and says when it is stale', async () => {
    const rows = depthRows([
      [0, 'snapshot', 'buy', 99, 5],
      [0, 'snapshot', 'sell', 100, 1],
      [4, 'change', 'buy', 99.5, 2],
      [5, 'change', 'buy', 99.6, 2],
      [20, 'change', 'sell', 100, 3],
    ]);
    const simulate = { outages: { stated: [outage(2 / 60, 8 / 60), outage(13 / 60, 1 / 60)] } };
    const log = await heard({ kind: 'depth', rows }, { simulate });
    const after = 'bids: [ [ 99.6, 2 ], [ 99.5, 2 ], [ 99, 5 ] ] }';
    expect(log).toEqual([
      [0, 'depth { asks: [ [ 100, 1 ] ], bids: [ [ 99, 5 ] ] }'],
      [7, "freshness { fresh: false, stream: 'depth' }"],
      [10, `depth { asks: [ [ 100, 1 ] ], ${after}`],
      [10.001, "freshness { fresh: true, stream: 'depth' }"],
      // Nothing has changed since.
      [14, `depth { asks: [ [ 100, 1 ] ], ${after}`],
      [20, `depth { asks: [ [ 100, 3 ] ], ${after}`],
    ]);
  });
});

describe('an outage in a gap of a recorded book', () => {
  it('says that the book is fresh once the recording has one again', async () => {
    const rows = depthRows([
      [0, 'snapshot', 'buy', 99, 5],
      [0, 'snapshot', 'sell', 100, 1],
      [2, 'gap', 'buy', 0, 0],
      [25, 'snapshot', 'buy', 89, 5],
      [25, 'snapshot', 'sell', 90, 1],
      [26, 'change', 'sell', 90, 3],
      [50, 'change', 'sell', 90, 4],
    ]);
    const stated = [outage(4 / 60, 8 / 60), outage(30 / 60, 8 / 60)];
    const log = await heard({ kind: 'depth', rows }, { simulate: { outages: { stated } } });
    expect(log.filter(([, text]) => text.includes('fresh'))).toEqual([
      [2, "freshness { fresh: false, stream: 'depth' }"],
      [25, "freshness { fresh: true, stream: 'depth' }"],
      // The second outage is in no gap.
      [35, "freshness { fresh: false, stream: 'depth' }"],
      [38.001, "freshness { fresh: true, stream: 'depth' }"],
    ]);
  });

  it('says once that the book is stale where the gap begins within it', async () => {
    const rows = depthRows([
      [0, 'snapshot', 'buy', 99, 5],
      [0, 'snapshot', 'sell', 100, 1],
      [8, 'gap', 'buy', 0, 0],
      [25, 'snapshot', 'buy', 89, 5],
      [25, 'snapshot', 'sell', 90, 1],
      [26, 'change', 'sell', 90, 3],
    ]);
    const simulate = { outages: { stated: [outage(2 / 60, 8 / 60)] } };
    const log = await heard({ kind: 'depth', rows }, { simulate });
    expect(log.filter(([, text]) => text.includes('fresh'))).toEqual([
      [7, "freshness { fresh: false, stream: 'depth' }"],
      [25, "freshness { fresh: true, stream: 'depth' }"],
    ]);
  });
});

describe('outages that are not said well', () => {
  const loaded = (outages: object) => () =>
    scriptedDeployment({ script: {}, backtest: { simulate: { outages } } });

  it.each([
    [{}, 'some that are stated, or drawn, are wanted'],
    [{ stated: [{ from: 'noon', lengthMs: 1 }] }, 'a moment in UTC such as 2021-05-01 is wanted'],
    [{ stated: [{ from: '2024-01-01', lengthMs: 0 }] }, 'stated\\[0\\].lengthMs'],
    [{ drawn: { everyHours: 0, lengthMs: 1 } }, 'drawn.everyHours'],
    [{ drawn: { everyHours: 1 } }, 'drawn.lengthMs'],
  ])('are refused: %j', (outages, text) => {
    expect(loaded(outages)).toThrow(new RegExp(`deployment.yaml:\\d+:\\d+: .*${text}`));
  });
});

describe('drawn outages', () => {
  const hashOf = async (settings: object, simulate: object) => {
    const drawn = { everyHours: 0.05, lengthMs: 20_000 };
    const script = { 0: 1, 2: 0, 4: 1, 5: { bids: [{ price: 90, amount: 1 }] } };
    const { journal } = await replayed({
      ...{ minutes: RISING, script, settings },
      backtest: { simulate: { outages: { drawn }, ...simulate }, latency: { order: 20 } },
    });
    return journal.hash();
  };

  it('are the same with the same seed, and others with another', async () => {
    const hashes = await Promise.all([hashOf({}, {}), hashOf({}, {}), hashOf({ seed: 'b' }, {})]);
    expect(hashes[0]).toBe(hashes[1]);
    expect(hashes[2]).not.toBe(hashes[0]);
  });
});
