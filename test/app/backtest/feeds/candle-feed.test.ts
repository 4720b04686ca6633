import { describe, expect, it } from 'vitest';
import { type CandleSource, runBacktest } from '../../../../src/app/backtest/index.ts';
import {
  MINUTE,
  type Minute,
  replayed,
  START_MS,
  scriptedDeployment,
  sourceOf,
} from '../fixture.ts';

/** A strategy that buys one of each of `buys` when a minute of a market of `hears` closes. */
const BUYER = `import { defineStrategy, filter, map, merge, mergeMap, target, z } from '#strategy';
const markets = z.array(z.string());
export default defineStrategy({
  name: 'buyer',
  params: z.strictObject({ at: z.number(), hears: markets, buys: markets }),
  run(context) {
    const { at, hears, buys } = context.params;
    const known = (id) => context.markets.find((market) => market.id === id);
    return merge(...hears.map((id) => context.candles('1min', known(id)).pipe(
      filter(({ openTime }) => (openTime - ${START_MS}) / ${MINUTE} === at),
      mergeMap(() => buys.map((bought) => target(known(bought), 1))),
    )));
  },
});
`;
const MARKETS = ['btc_usdt', 'eth_usdt'];

/** A strategy that buys one when minute 1 of the first market closes, and wants none after minute 2 of the other. */
const TURNER = `import { defineStrategy, filter, map, merge, target, z } from '#strategy';
export default defineStrategy({
  name: 'turner',
  params: z.strictObject({}),
  run({ markets: [first, other], candles }) {
    const closed = (minute, market) => candles('1min', market).pipe(
      filter(({ openTime }) => (openTime - ${START_MS}) / ${MINUTE} === minute),
    );
    return merge(
      closed(1, first).pipe(map(() => target(first, 1))),
      closed(2, other).pipe(map(() => target(first, 0))),
    );
  },
});
`;

interface PairOptions {
  readonly at?: 'thisClose' | 'nextOpen';
  /** The minute at whose close to buy. */
  readonly minute: number;
  readonly hears: readonly string[];
  readonly buys: readonly string[];
  /** Minutes of both markets, or of each. */
  readonly minutes: readonly Minute[] | Readonly<Record<string, readonly Minute[]>>;
  readonly chunkRows?: number;
  readonly feedMs?: number;
}

interface PairRun extends Pick<PairOptions, 'at' | 'feedMs'> {
  /** The text of a strategy. */
  readonly text: string;
  readonly params: object;
  readonly sources: readonly CandleSource[];
}

async function runOfPair({ at = 'thisClose', feedMs = 0, text, params, sources }: PairRun) {
  const strategies = [{ use: './scripted.ts', name: 'paired', markets: MARKETS, params }];
  const fill = { model: 'candles', at, volumeCap: null };
  const deployment = scriptedDeployment({
    ...{ script: {}, text, settings: { markets: MARKETS, strategies } },
    backtest: { fill, latency: { feed: feedMs } },
  });
  const { record } = await runBacktest({ deployment, sources });
  const fills = Array.from(record.fills, ({ market, price, time }) => [
    market,
    price,
    (time - START_MS) / MINUTE,
  ]);
  return { fills, orders: record.counts.orders };
}

/** What a strategy trades that watches two markets: market, price and minute of each fill. */
async function fillsOfPair({ minute, hears, buys, minutes, chunkRows, ...run }: PairOptions) {
  const sources = MARKETS.map((id) => {
    const own = 'length' in minutes ? (minutes as readonly Minute[]) : minutes[id]!;
    return sourceOf(id, own, chunkRows);
  });
  const params = { at: minute, hears, buys };
  return (await runOfPair({ ...run, text: BUYER, params, sources })).fills;
}

/** No open is so far from the close before it that a target would not follow. */
const RISING = [
  ...[{ close: 100 }, { close: 101, open: 100 }, { close: 101.08, open: 101.04 }],
  ...[
    { close: 103, open: 101.1 },
    { close: 104, open: 103 },
  ],
];

describe('two markets of candles', () => {
  it.each([
    ['the first', 'btc_usdt', 'eth_usdt'],
    ['the second', 'eth_usdt', 'btc_usdt'],
  ])('are both at their close when strategies hear of %s', async (_, heard, bought) => {
    const fills = await fillsOfPair({
      ...{ minute: 1, hears: [heard], buys: [bought], minutes: RISING },
    });
    expect(fills).toEqual([[bought, 101, 2]]);
  });

  it('trade each at its own next open, in the order of the wishes', async () => {
    const minutes = { btc_usdt: RISING, eth_usdt: RISING.map(halved) };
    const fills = await fillsOfPair({
      ...{ at: 'nextOpen', minute: 1, hears: ['btc_usdt'], buys: MARKETS, minutes },
    });
    expect(fills).toEqual([
      ['btc_usdt', 101.04, 2],
      ['eth_usdt', 50.52, 2],
    ]);
  });

  it('wait each for its own next open, where one of them pauses', async () => {
    const paused = RISING.map((minute, at) => ({ ...minute, at: at < 2 ? at : at + 1 }));
    const fills = await fillsOfPair({
      ...{ at: 'nextOpen', minute: 1, hears: ['btc_usdt'], buys: MARKETS },
      minutes: { btc_usdt: RISING, eth_usdt: paused },
    });
    expect(fills).toEqual([
      ['btc_usdt', 101.04, 2],
      ['eth_usdt', 101.04, 3],
    ]);
  });

  it('come to the same in whatever chunks they are read', async () => {
    const options = { minute: 1, hears: MARKETS, buys: MARKETS, minutes: RISING } as const;
    for (const at of ['thisClose', 'nextOpen'] as const) {
      for (const feedMs of [0, 20_000]) {
        const whole = await fillsOfPair({ ...options, at, feedMs });
        expect(whole).toHaveLength(2);
        for (const chunkRows of [1, 2, 3]) {
          expect(await fillsOfPair({ ...options, at, feedMs, chunkRows })).toEqual(whole);
        }
      }
    }
  });
});

function halved({ close, open = close }: { close: number; open?: number }): Minute {
  return { close: close / 2, open: open / 2 };
}

const STEADY = [100, 101, 110, 120, 130, 140, 150].map((close, at, all) => ({
  close,
  open: all[at - 1] ?? 100,
}));
const NEXT_OPEN = { model: 'candles', at: 'nextOpen', volumeCap: null };

describe('the latency of candles', () => {
  it('lets a wish wait for the open behind it, not for one that it came too late for', async () => {
    const { trades } = await replayed({
      ...{ minutes: RISING, script: { 1: 1 } },
      backtest: { latency: { feed: 30_000 }, fill: NEXT_OPEN },
    });
    expect(trades).toEqual([['buy', 1, 101.1, 3]]);
  });

  it.each([60_000, 150_000])('is refused at %d ms, a minute or more', async (feed) => {
    const run = replayed({ minutes: STEADY, script: { 1: 1 }, backtest: { latency: { feed } } });
    await expect(run).rejects.toThrow(
      new RegExp(
        `deployment.yaml:\\d+:\\d+: Cannot use backtest.latency.feed: it is ${feed} ms, ` +
          'less than a candle of test lasts, 60000 ms, is wanted$',
      ),
    );
  });

  it('is taken just below a candle', async () => {
    const { trades } = await replayed({
      ...{ minutes: STEADY, script: { 1: 1 } },
      backtest: { latency: { feed: 59_999 } },
    });
    expect(trades).toEqual([['buy', 1, 101, 2 + 59_999 / MINUTE]]);
  });
});

/** The open of minute 2 leaps over what was wished at the close before it; that of minute 3 is near. */
const LEAP = [
  ...[{ close: 100 }, { close: 100 }, { close: 104, open: 105 }],
  ...[
    { close: 110, open: 104.1 },
    { close: 110, open: 110 },
  ],
];

describe('what met nothing at a candle', () => {
  it('is tried again at its close, and meets the very next open', async () => {
    const backtest = { fill: NEXT_OPEN };
    const { trades, events } = await replayed({ minutes: LEAP, script: { 1: 1 }, backtest });
    expect(trades).toEqual([['buy', 1, 104.1, 3]]);
    const made = events.flatMap((event) =>
      event.kind === 'order' && event.order.status === 'pending' ? [event.order] : [],
    );
    expect(made.map(({ price, createdTime }) => [price, createdTime - START_MS])).toEqual([
      [100.2, 2 * MINUTE],
      [104.2, 3 * MINUTE],
    ]);
  });

  it('is not tried again where the close has the strategy wish otherwise', async () => {
    const backtest = { fill: NEXT_OPEN };
    const { trades, record } = await replayed({
      ...{ minutes: LEAP, script: { 1: 1, 2: 0 }, backtest },
    });
    expect([trades, record.counts.orders]).toEqual([[], 1]);
  });

  it('is not tried again where the close of another market has it wish otherwise', async () => {
    const sources = MARKETS.map((id) => sourceOf(id, LEAP));
    const run = await runOfPair({ at: 'nextOpen', text: TURNER, params: {}, sources });
    expect(run).toEqual({ fills: [], orders: 1 });
  });

  it('is tried again at the next of its own market, however long those of another are', async () => {
    const sparse = [
      { close: 100, at: 0 },
      { close: 100, at: 5 },
    ];
    const hours = {
      ...sourceOf('eth_usdt', sparse),
      interval: '5min',
      stepMs: 5 * MINUTE,
    } as const;
    const { fills } = await runOfPair({
      ...{ at: 'nextOpen', text: BUYER, sources: [sourceOf('btc_usdt', LEAP), hours] },
      params: { at: 1, hears: ['btc_usdt'], buys: ['btc_usdt'] },
    });
    expect(fills).toEqual([['btc_usdt', 104.1, 3]]);
  });

  it('trades at the close of the next one, as far as that lets it, not behind it', async () => {
    const minutes = [100, 101, 102, 103].map((close) => ({ close, volume: 4 }));
    const { trades } = await replayed({
      ...{ minutes, script: { 0: 1 } },
      backtest: { fill: { model: 'candles', volumeCap: 0.1 } },
    });
    expect(trades).toEqual([
      ['buy', 0.4, 100, 1],
      ['buy', 0.4, 101, 2],
      ['buy', 0.2, 102, 3],
    ]);
  });
});

describe('an order that is late', () => {
  it('does not fill by what its candle saw before', async () => {
    const minutes = [
      ...[{ close: 100 }, { close: 100 }, { close: 100, low: 90 }],
      ...[{ close: 100 }, { close: 100, low: 94 }],
    ];
    const { trades } = await replayed({
      ...{ minutes, script: { 1: { bids: [{ price: 95, amount: 1 }] } } },
      backtest: { latency: { order: 59_000 } },
      settings: { executor: { answerTimeoutMs: 120_000 } },
    });
    expect(trades).toEqual([['buy', 1, 95, 5]]);
  });
});

describe('what waits for an open that never comes', () => {
  it('is not traded to be flat at the end', async () => {
    const backtest = { closeAtEnd: 'close', fill: NEXT_OPEN };
    const last = await replayed({ minutes: STEADY, script: { 6: 1 }, backtest });
    expect([last.trades, last.record.counts.fills]).toEqual([[], 0]);
    const held = await replayed({ minutes: STEADY, script: { 1: 2, 6: 3 }, backtest });
    expect(held.trades).toEqual([
      ['buy', 2, 101, 2],
      ['sell', 2, 150, 7],
    ]);
  });
});

describe('the coverage of candles', () => {
  it('counts the hole that the period begins in, and the one that it ends in', async () => {
    const at = (minute: number): string => new Date(START_MS + minute * MINUTE).toISOString();
    const minutes = [0, 1, 10, 11, 30].map((minute) => ({ close: 100, at: minute }));
    const backtest = { from: at(5), to: at(25) };
    const { record } = await replayed({ minutes, script: {}, backtest });
    expect(record.coverage[0]).toMatchObject({
      // Of what was measured: up to the last candle.
      coverage: 2 / 7,
      findings: [
        '18 candles are missing, in 2 places; the longest hole, of 13 candles, is from 2024-01-01 00:12 to 2024-01-01 00:25 UTC.',
        '5 candles are missing from 2024-01-01 00:05 to 2024-01-01 00:10 UTC.',
        '13 candles are missing from 2024-01-01 00:12 to 2024-01-01 00:25 UTC.',
      ],
    });
  });

  it('says nothing of what was not replayed', async () => {
    const minutes = Array.from({ length: 50 }, () => ({ close: 100 }));
    const stop = { minutes, script: {}, chunkRows: 10, onProgress: () => false };
    const { record, interrupted } = await replayed(stop);
    expect([interrupted, record.coverage[0]]).toMatchObject([true, { findings: [] }]);
    const end = START_MS + 50 * MINUTE;
    expect(record.stopped).toEqual({ at: START_MS + 10 * MINUTE, end });
  });
});

describe('a candle that is there twice', () => {
  const MINUTES: readonly Minute[] = [100, 100.1, 100.2, 100.1, 100].map((close, at) => ({
    close,
    at,
  }));
  /** The second of two tells other prices. */
  const REPEATED = MINUTES.flatMap((minute) => [minute, { ...minute, open: 50, close: 200 }]);
  const script = { 0: 1, 2: 0, 3: 1 };

  it.each([
    ['thisClose', 'none', 1_000],
    ['thisClose', 'close', 1],
    ['nextOpen', 'open', 2],
    ['nextOpen', 'open', 3],
  ] as const)('is played once: %s, closeAtEnd %s, chunks of %i', async (at, closeAtEnd, rows) => {
    const backtest = { closeAtEnd, fill: { model: 'candles', volumeCap: null, at } };
    const once = await replayed({ minutes: MINUTES, script, backtest });
    const twice = await replayed({ minutes: REPEATED, script, backtest, chunkRows: rows });
    expect(once.trades.length).toBeGreaterThan(1);
    expect(twice.trades).toEqual(once.trades);
    expect(twice.journal.hash()).toBe(once.journal.hash());
    expect(twice.record.counts).toEqual(once.record.counts);
    expect(twice.record.coverage[0]!.findings).toEqual([
      'Candles left out because an earlier row has the same or a later time: 5.',
    ]);
  });
});

describe('an order that leaves within a hole, with the answer to a cancel,', () => {
  const minutes = [0, 1, 2, 9, 10].map((at) => ({ open: 99.5 - at / 100, close: 100, at }));

  it.each([
    ['nextOpen', ['btc_usdt'], '1min'],
    ['nextOpen', ['btc_usdt'], '5min'],
    ['nextOpen', ['eth_usdt', 'btc_usdt'], '1min'],
    ['heardOpen', ['btc_usdt'], '1min'],
  ])('trades at the open behind it: %s of %j, valued each %s', async (at, markets, equityEvery) => {
    const wishes = { 0: { bids: [{ price: 90, amount: 1 }] }, 2: 1 };
    const deployment = scriptedDeployment({
      script: {},
      settings: {
        markets,
        strategies: [{ use: './scripted.ts', markets: ['btc_usdt'], params: { wishes } }],
      },
      backtest: {
        ...{ equityEvery, latency: { order: 700, answer: 900 } },
        fill: { model: 'candles', volumeCap: null, at },
      },
    });
    const sources = markets.map((id) => sourceOf(id, minutes));
    const { record } = await runBacktest({ deployment, sources });
    const trades = Array.from(record.fills, ({ price, time }) => [price, time - START_MS]);
    expect(trades).toEqual([[99.41, 9 * MINUTE + 1_600]]);
  });
});
