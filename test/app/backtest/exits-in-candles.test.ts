import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../../src/app/backtest/index.ts';
import { LIMITS, type Minute, replayed, scriptedDeployment, sourceOf } from './fixture.ts';

/** Long at the first close, or at each, until a rule says otherwise. */
function guarded({ each = false, rules }: { readonly each?: boolean; readonly rules: string }) {
  return `import { defineStrategy, filter, map, protect, target, z } from '#strategy';
let heard = 0;
export default defineStrategy({
  name: 'guarded',
  params: z.any(),
  run: (context) => {
    let heard = 0;
    return context.candles('1min').pipe(
      filter(() => ${each} || heard++ === 0),
      map(() => target(context.market, 1, { slippage: 0.5 })),
      protect(context, ${rules}),
    );
  },
});
`;
}

/** Rests a bid, and an ask once it has filled. */
const PROFIT_TAKER = `import { defineStrategy, filter, first, map, merge, order, z } from '#strategy';
export default defineStrategy({
  name: 'profit-taker',
  params: z.any(),
  run: ({ market, candles, fills }) =>
    merge(
      candles('1min').pipe(first(), map(() => order(market, { tag: 'in', side: 'buy', price: 99, amount: 1 }))),
      fills().pipe(filter(({ tag }) => tag === 'in'), map(() => order(market, { tag: 'out', side: 'sell', price: 102, amount: 1 }))),
    ),
});
`;

interface Options {
  readonly minutes: readonly Minute[];
  readonly rules: string;
  readonly each?: boolean;
  readonly fill?: object;
  readonly backtest?: object;
}

/** What was sold: price, and minutes after the start. */
async function soldOf({ minutes, rules, each = false, fill, backtest }: Options) {
  const { trades } = await replayed({
    ...{ minutes, script: {}, text: guarded({ each, rules }), settings: { risk: LIMITS } },
    backtest: { fill: { model: 'candles', volumeCap: null, ...fill }, ...backtest },
  });
  return trades.filter(([side]) => side === 'sell').map(([, , price, minute]) => [price, minute]);
}

describe('an exit in a backtest of candles', () => {
  it('that missed once is tried at the next candle: opens that are heard', async () => {
    const minutes = [
      ...[{ close: 100 }, { close: 100 }, { open: 100, close: 99.5 }, { open: 97, close: 97 }],
      ...Array.from({ length: 10 }, (_, at) => ({ open: 97 - at, close: 96.1 - at })),
    ];
    const rules = '{ holdMaxMs: 90_000, reenterAfterMs: 1, slippage: 0.01 }';
    const sold = await soldOf({ minutes, rules, each: true, fill: { at: 'heardOpen' } });
    expect(sold.length).toBeGreaterThan(0);
  });

  it('does not leave where candles are missing, but at the next close', async () => {
    const before = Array.from({ length: 5 }, () => ({ close: 100 }));
    const minutes = [...before, { close: 80, at: 285 }, { close: 79, at: 286 }];
    const rules = '{ holdMaxMs: 3_600_000, slippage: 0.3 }';
    expect(await soldOf({ minutes, rules })).toEqual([[80, 286]]);
  });

  it('is limited from the price that was heard, not from one under way', async () => {
    const minutes = [
      ...[{ close: 100 }, { open: 100, high: 100, low: 70, close: 70 }, { close: 70 }],
      { close: 70 },
    ];
    const sold = await soldOf({
      ...{ minutes, rules: '{ stopLoss: 0.05, slippage: 0.001 }', fill: { at: 'heardPath' } },
      backtest: { latency: { feed: 12_000 } },
    });
    // The price falls faster than the news of it: each limit is above it, until it stands still.
    expect(sold.map(([price]) => price)).toEqual([70]);
  });

  it('goes by the book as it stands behind an outage, not by all that it was', async () => {
    const minutes = [
      ...[{ close: 100 }, { open: 100, high: 104, low: 92, close: 100 }],
      ...[{ open: 100, high: 101, low: 80, close: 99 }, { close: 99 }, { close: 99 }],
    ];
    const stated = [{ from: '2024-01-01T00:01:02', lengthMs: 130_000 }];
    const sold = await soldOf({
      ...{ minutes, rules: '{ stopLoss: 0.05, slippage: 0.05 }', fill: { at: 'heardPath' } },
      backtest: { simulate: { outages: { stated, arriving: 1 } } },
    });
    expect(sold).toEqual([]);
  });

  it('of news that is heard behind the close waits for the next open', async () => {
    const minutes = [
      ...[{ close: 100 }, { close: 100 }, { close: 100 }],
      { open: 100, high: 101, low: 80, close: 90 },
      ...[
        { close: 50, at: 285 },
        { close: 50, at: 286 },
      ],
    ];
    const sold = await soldOf({
      ...{ minutes, rules: '{ stopLoss: 0.15, slippage: 0.45 }' },
      fill: { at: 'heardPath', pathSteps: 4 },
      backtest: { latency: { feed: 40_000 } },
    });
    expect(sold[0]![1]).toBeGreaterThanOrEqual(285);
  });

  it('hears of a low that is the close, too', async () => {
    const lowOf = (close: number) =>
      soldOf({
        minutes: [{ close: 100 }, { open: 100, high: 100, low: 90, close }, { close: 60 }],
        ...{ rules: '{ stopLoss: 0.095, slippage: 0.5 }', fill: { at: 'heardPath' } },
      });
    expect(await lowOf(90)).toEqual(await lowOf(90.01));
    expect((await lowOf(90))[0]![0]).toBe(90);
  });
});

describe('an exit set off by a fill', () => {
  it.each([
    ['a close', { at: 'thisClose' }],
    ['an open', { at: 'heardPath', atClose: 'thisClose' }],
  ])('leaves with a fill of the first candle behind a hole: %s', async (_, fill) => {
    const minutes = [
      ...[{ close: 100 }, { open: 98, high: 100, low: 97, close: 99, at: 4 }],
      ...[
        { open: 99, high: 103, low: 99, close: 103, at: 5 },
        { close: 103, at: 6 },
      ],
    ];
    const { trades } = await replayed({
      ...{ minutes, script: {}, text: PROFIT_TAKER },
      backtest: { fill: { model: 'candles', volumeCap: null, ...fill } },
    });
    expect(trades.map(([side, , price]) => [side, price])).toEqual([
      ['buy', 99],
      ['sell', 102],
    ]);
  });
});

/** Rests a bid in btc_usdt, and sells eth_usdt once it has filled. */
const HEDGER = `import { defineStrategy, first, map, merge, order, z } from '#strategy';
export default defineStrategy({
  name: 'hedger',
  params: z.any(),
  run({ markets, candles, fills }) {
    const [btc, eth] = ['btc_usdt', 'eth_usdt'].map((id) => markets.find((market) => market.id === id));
    return merge(
      candles('1min', btc).pipe(
        first(),
        map(() => order(btc, { tag: 'in', side: 'buy', price: 99, amount: 1 })),
      ),
      fills(btc).pipe(
        map(() => order(eth, { tag: 'hedge', type: 'ioc', side: 'sell', price: 30, amount: 1 })),
      ),
    );
  },
});
`;

describe('an order set off by a fill in another market', () => {
  const MINUTES = {
    btc_usdt: [{ close: 100 }, { open: 100, low: 98, close: 99.5 }, { close: 99 }],
    eth_usdt: [{ close: 50 }, { open: 50, close: 40 }, { close: 30 }],
  };

  it.each([{ markets: ['btc_usdt', 'eth_usdt'] }, { markets: ['eth_usdt', 'btc_usdt'] }] as const)(
    'trades at the close of that moment, whichever market is named first: $markets',
    async ({ markets }) => {
      const deployment = scriptedDeployment({
        ...{ script: {}, text: HEDGER, settings: { markets, risk: LIMITS } },
        backtest: {
          balances: { usdt: '1000', eth: '1' },
          fill: { model: 'candles', volumeCap: null },
        },
      });
      const sources = markets.map((id) => sourceOf(id, MINUTES[id]));
      const { record } = await runBacktest({ deployment, sources });
      const fills = Array.from(record.fills, ({ market, price }) => [market, price]);
      expect(fills).toEqual([
        ['btc_usdt', 99],
        ['eth_usdt', 40],
      ]);
    },
  );
});

describe('an exit at the edges of what candles tell', () => {
  it('sends no order while the cap has nothing left of the candle', async () => {
    const minutes = [
      ...[{ close: 100 }, { close: 100 }],
      { open: 100, high: 100, low: 80, close: 80, volume: 5 },
      { close: 80 },
    ];
    const { trades, record } = await replayed({
      ...{ minutes, script: {}, settings: { risk: LIMITS } },
      text: guarded({ rules: '{ stopLoss: 0.05, slippage: 0.3 }' }),
      backtest: {
        fill: { model: 'candles', at: 'heardPath', pathSteps: 50, volumeCap: 0.1 },
      },
    });
    expect(trades.filter(([side]) => side === 'sell')).toHaveLength(2);
    expect(record.counts.orders).toBeLessThan(8);
  });

  it('sees a book at a price of a single step, where no bid lies below', async () => {
    const minutes = [{ close: 0.05 }, { close: 0.05 }, { close: 0.01 }, { close: 0.01 }];
    const settings = { risk: { ...LIMITS, collarFraction: 1, bandFraction: 1 } };
    const { trades } = await replayed({
      ...{ minutes, script: {}, settings },
      text: guarded({ rules: '{ stopLoss: 0.5, slippage: 0.5 }' }),
    });
    expect(trades.filter(([side]) => side === 'sell').map(([, , price]) => price)).toEqual([0.01]);
  });
});

/** A bid fills as a candle opens; what that sets off asks for the new price. */
const SET_OFF = `import { defineStrategy, filter, first, map, merge, NEVER, order, z } from '#strategy';
export default defineStrategy({
  name: 'set-off',
  params: z.any(),
  run: ({ market, candles, fills }) => merge(
    NEVER,
    candles('1min').pipe(
      first(),
      map(() => order(market, { tag: 'ask', side: 'sell', price: 105, amount: 1 })),
    ),
    fills().pipe(
      filter(({ side }) => side === 'sell'),
      first(),
      map(() => order(market, { tag: 'bid', side: 'buy', price: 109, amount: 1 })),
    ),
  ),
});
`;

describe('an order that a fill at an open sets off', () => {
  it.each(['thisClose', 'nextOpen', 'heardPath'])('is held against that open: %s', async (at) => {
    const minutes = [{ close: 100 }, { close: 100 }, { open: 110, close: 110 }, { close: 108 }];
    const { trades, events } = await replayed({
      ...{ minutes, script: {}, text: SET_OFF },
      settings: { risk: { ...LIMITS, collarFraction: 0.02 } },
      backtest: { fill: { model: 'candles', at, volumeCap: null } },
    });
    expect(events.filter(({ kind }) => kind === 'refusal')).toEqual([]);
    expect(trades.map(([side]) => side)).toEqual(['sell', 'buy']);
  });
});

describe('an exit of more than one order may be worth', () => {
  const script = { 1: 3, 2: 6, 3: 9, 6: 0 };
  const minutes = Array.from({ length: 12 }, (_, at) => ({ close: 100 - at, open: 101 - at }));

  async function soldAt(at: string, backtest: object = {}) {
    const fill = { model: 'candles', at, volumeCap: null };
    const { trades } = await replayed({
      ...{ minutes, script, settings: { risk: { ...LIMITS, orderValueMax: 310 } } },
      backtest: { fill, ...backtest },
    });
    return trades.filter(([side]) => side === 'sell').map(([, , price, minute]) => [price, minute]);
  }

  it.each(['thisClose', 'heardPath'])(
    'leaves whole at the price of its first part: %s',
    async (at) => {
      // The close of minute 6, and the open of minute 7, which are as far.
      const sold = await soldAt(at);
      expect(sold.length).toBeGreaterThan(1);
      expect(new Set(sold.map(String))).toEqual(new Set([String([94, 7])]));
    },
  );

  it('leaves part by part, each as its answer is back, where that takes time', async () => {
    const sold = await soldAt('thisClose', { latency: { order: 600, answer: 600 } });
    expect(sold).toEqual([1, 2, 3].map((part) => [94, 7 + (part * 1_200) / 60_000]));
  });

  it('goes on with the next candle once one has nothing left', async () => {
    const fill = { model: 'candles', at: 'thisClose', volumeCap: 0.004 };
    const sold = await soldAt('thisClose', { fill });
    expect(sold.map(([price]) => price)).toEqual([94, 94, 93, 93, 92]);
  });
});

describe('a target on the other side of flat that is refused as a whole', () => {
  const minutes = Array.from({ length: 6 }, (_, at) => ({ open: 100 + at, close: 101 + at }));

  it.each([
    ['at the same close', { at: 'thisClose' }, [103, 3]],
    ['at the same open', { at: 'nextOpen' }, [103, 3]],
  ] as const)('goes to flat %s', async (_, fill, sold) => {
    const backtest = { fill: { model: 'candles', volumeCap: null, ...fill } };
    const { trades } = await replayed({ minutes, script: { 1: 1, 2: -20 }, backtest });
    expect(trades.slice(1)).toEqual([['sell', 1, ...sold]]);
  });
});
