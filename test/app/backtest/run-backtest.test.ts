import { describe, expect, it } from 'vitest';
import { INTERVAL_MS } from '../../../src/domain/index.ts';
import { wholeCurve } from '../../report/fixture.ts';
import { LIMITS, replayed, START_MS } from './fixture.ts';

const RISING = [100, 101, 102, 103, 104, 105].map((close) => ({ close, open: close - 0.9 }));

describe('orders of a backtest', () => {
  it('trades at the close that the strategy has heard of', async () => {
    const { trades, record } = await replayed({ minutes: RISING, script: { 1: 2, 3: 0 } });
    expect(trades).toEqual([
      ['buy', 2, 101, 2],
      ['sell', 2, 103, 4],
    ]);
    expect(record.counts).toEqual({ events: 6, intents: 2, orders: 2, fills: 2 });
  });

  it.each(['nextOpen', 'heardOpen'])(
    'trades at the next open where the settings say so, however long that takes: %s',
    async (at) => {
      const minutes = [...RISING.slice(0, 3), { close: 110, open: 109, at: 299 }];
      const fill = { model: 'candles', at, volumeCap: null };
      const { trades, record } = await replayed({
        ...{ minutes, script: { 1: 2, 2: 0 } },
        backtest: { fill },
      });
      expect(trades).toEqual([
        ['buy', 2, 101.1, 2],
        ['sell', 2, 109, 299],
      ]);
      expect(record.counts.orders).toBe(2);
    },
  );

  it('fills resting quotes by the candles behind them', async () => {
    const minutes = [
      { close: 100 },
      { close: 100 },
      { close: 100, low: 98 },
      { close: 100, high: 104 },
    ];
    const script = { 0: { bids: [{ price: 99, amount: 1 }], asks: [{ price: 103, amount: 1 }] } };
    const { trades, record } = await replayed({ minutes, script });
    expect(trades).toEqual([
      ['buy', 1, 99, 3],
      ['sell', 1, 103, 4],
    ]);
    expect(Array.from(record.fills, ({ liquidity }) => liquidity)).toEqual(['maker', 'maker']);
  });

  it.each([
    ['at once', {}],
    ['late', { order: 40, answer: 30 }],
  ])(
    'are told apart, answered %s: what took at its own price and what rested',
    async (_how, latency) => {
      const minutes = Array.from({ length: 6 }, () => ({ close: 101, volume: 10 }));
      const bid = (price: number, amount: number) => ({ bids: [{ price, amount }] });
      const { record } = await replayed({
        // A tenth of a candle's volume may be traded: one at the close, one in the candle behind it.
        ...{ minutes, script: { 0: bid(101, 1), 2: bid(101, 1.5) } },
        backtest: { fill: { model: 'candles', limits: 'touch' }, latency },
      });
      const told = Array.from(record.fills, ({ price, amount, liquidity }) => [
        price,
        amount,
        liquidity,
      ]);
      expect(told).toEqual([
        [101, 1, 'taker'],
        [101, 1, 'taker'],
        [101, 0.5, 'maker'],
      ]);
    },
  );
});

describe('the account of a backtest', () => {
  it('charges the fees of the section, else those of the deployment', async () => {
    const fees = { maker: 0, taker: 0.002 };
    const script = { 1: 2 };
    const own = await replayed({ minutes: RISING, script, backtest: { fees: { taker: 0.001 } } });
    const deployed = await replayed({ minutes: RISING, script, settings: { fees } });
    const feeOf = ({ record }: typeof own) => [...record.fills][0]!.fee.toNumber();
    expect([feeOf(own), feeOf(deployed)]).toEqual([0.002, 0.004]);
  });

  it.each([
    ['received', { usdt: 9_798, btc: 11.9998 }],
    ['quote', { usdt: 9_797.9798, btc: 12 }],
    ['base', { usdt: 9_798, btc: 11.9998 }],
  ] as const)('takes the fee of a buy in what is %s', async (currency, owned) => {
    const fees = { taker: 0.0001, in: currency };
    const { record } = await replayed({ minutes: RISING, script: { 1: 2 }, backtest: { fees } });
    const { cash, positions } = wholeCurve(record);
    expect([cash.at(-1), positions.get('btc_usdt')!.at(-1)! + 10]).toEqual([owned.usdt, owned.btc]);
    expect([...record.fills][0]!.feeCurrency).toBe(currency === 'quote' ? 'usdt' : 'btc');
  });

  it('values the account at the start, after every candle, and at the end', async () => {
    const { record } = await replayed({ minutes: RISING, script: { 1: 2 } });
    const { time, equity, cash, positions, buyAndHold, leftAlone } = wholeCurve(record);
    expect(Array.from(time, (at) => (at - START_MS) / 60_000)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    // 10 btc and 10000 usdt; the first price is the first open.
    expect([...equity]).toEqual([10_991, 11_000, 11_010, 11_022, 11_034, 11_046, 11_058]);
    expect([...cash]).toEqual([10_000, 10_000, 9_798, 9_798, 9_798, 9_798, 9_798]);
    expect([...positions.get('btc_usdt')!]).toEqual([0, 0, 2, 2, 2, 2, 2]);
    expect(buyAndHold?.at(-1)).toBeCloseTo((10_991 * 105) / 99.1, 8);
    expect([...leftAlone!]).toEqual([10_991, 11_000, 11_010, 11_020, 11_030, 11_040, 11_050]);
  });

  it('values the account at closes alone, however late the open is that orders wait for', async () => {
    const minutes = [...RISING.slice(0, 2), { close: 110, open: 101.1, at: 299 }];
    const fill = { model: 'candles', at: 'nextOpen', volumeCap: null };
    const { record, trades } = await replayed({ minutes, script: { 1: 2 }, backtest: { fill } });
    expect(trades).toEqual([['buy', 2, 101.1, 299]]);
    const { time, equity } = wholeCurve(record);
    expect(Array.from(time, (at) => (at - START_MS) / 60_000)).toEqual([0, 1, 2, 300]);
    expect([...equity]).toEqual([10_991, 11_000, 11_010, 11_117.8]);
  });

  it('takes no time for a wish at the last close, which never meets the market', async () => {
    const fill = { model: 'candles', at: 'nextOpen', volumeCap: null };
    const { record, trades, orders } = await replayed({
      ...{ minutes: RISING, script: { 1: 2, 5: 1 } },
      backtest: { fill },
    });
    expect(trades).toHaveLength(1);
    expect(record.period.to).toBe(START_MS + 6 * 60_000);
    expect(wholeCurve(record).time.at(-1)).toBe(START_MS + 6 * 60_000);
    expect([...orders].flatMap(({ status }) => status)).toEqual(['filled', 'rejected']);
  });

  it.each([
    ['close', ['sell', 2.1, 105, 6]],
    ['open', ['sell', 2.1, 104.1, 5]],
  ] as const)('flattens at the %s of the last candle', async (closeAtEnd, last) => {
    const { trades, record } = await replayed({
      ...{ minutes: RISING, script: { 1: 2.1, 5: 2.1 } },
      backtest: { closeAtEnd, fill: { model: 'candles', volumeCap: 0.001 } },
    });
    expect(trades.at(-1)).toEqual(last);
    expect(wholeCurve(record).positions.get('btc_usdt')!.at(-1)).toBe(0);
    expect(record.notes).toEqual([]);
  });
});

describe('the account of a backtest in a small currency', () => {
  it('holds and trades sums that a wallet of eight decimal places has no room for', async () => {
    const minutes = [1, 2, 3, 4].map((step) => ({ close: step * 10_000_000 }));
    const most = { orderValueMax: 1e12, openValueMax: 1e12, positionValueMax: 1e12 };
    const risk = { ...LIMITS, ...most, dailyLossMax: 1e12, drawdownMax: 1e12 };
    const { trades, record } = await replayed({
      ...{ minutes, script: { 0: 20, 2: 0 } },
      settings: { risk },
      backtest: { balances: { usdt: '500000000' }, fill: { model: 'candles', volumeCap: null } },
    });
    expect(trades.map(([side, amount, price]) => [side, amount, price])).toEqual([
      ['buy', 20, 10_000_000],
      ['sell', 20, 30_000_000],
    ]);
    expect(record.counts.fills).toBe(2);
  });
});

describe('the curve of a backtest', () => {
  it.each([
    ['1hour', {}],
    ['15min', { returnPeriod: '15min' }],
  ] as const)(
    'values a long run of minutes each %s, as its returns want',
    async (every, report) => {
      const minutes = [...RISING, { close: 105, at: 1_200_000 }];
      const { record } = await replayed({ minutes, script: {}, backtest: { report } });
      const { time } = wholeCurve(record);
      expect(time[1]! - time[0]!).toBe(INTERVAL_MS[every]);
    },
  );

  it('values the account at whole intervals, wherever its period begins', async () => {
    const { record } = await replayed({
      ...{ minutes: RISING, script: {} },
      backtest: { from: '2024-01-01T00:01Z', equityEvery: '3min' },
    });
    const minutes = Array.from(wholeCurve(record).time, (at) => (at - START_MS) / 60_000);
    expect(minutes).toEqual([1, 3, 6]);
  });

  it('counts what is lent neither as equity nor as a position', async () => {
    const { record, trades } = await replayed({
      ...{ minutes: RISING, script: { 1: -2 } },
      backtest: { balances: { usdt: '10000' }, lent: { btc: '3', usdt: '500' } },
    });
    expect(trades).toEqual([['sell', 2, 101, 2]]);
    const { equity, cash, positionValue } = wholeCurve(record);
    expect([...cash]).toEqual([10_000, 10_000, 10_202, 10_202, 10_202, 10_202, 10_202]);
    expect([...positionValue]).toEqual([0, 0, -202, -204, -206, -208, -210]);
    expect([equity[0], equity.at(-1)]).toEqual([10_000, 9_992]);
  });

  it('tells what is lent beside how orders filled', async () => {
    const told = async (lent?: object): Promise<string[]> => {
      const backtest = { balances: { usdt: '10000' }, ...(lent && { lent }) };
      const { record } = await replayed({ minutes: RISING, script: {}, backtest });
      return record.fillModel!.confession.filter((sentence) => sentence.includes('lent'));
    };
    expect(await told({ btc: '3', usdt: '500' })).toEqual([
      'The account is lent 3 btc and 500 usdt from beginning to end, to sell or to pay with: the ' +
        'loan costs nothing, counts in no figure, and is not called back when prices turn.',
    ]);
    expect(await told()).toEqual([]);
  });
});

/** A strategy that buys one when minute 0 closes, and then asks for more than was paid for what it holds. */
const SELLER = `import { defineStrategy, filter, map, merge, quotes, take, target, z } from '#strategy';
export default defineStrategy({
  name: 'scripted',
  params: z.looseObject({}),
  run: ({ market, candles, position }) => merge(
    candles('1min').pipe(take(1), map(() => target(market, 1))),
    position().pipe(
      filter(({ amount }) => amount.sign > 0),
      map(({ amount }) => quotes(market, [], [[110, amount.toNumber()]], { postOnly: false })),
    ),
  ),
});
`;

describe('the money of a backtest', () => {
  it('is there for who answers a fill with what that brought in', async () => {
    const { trades, record } = await replayed({
      ...{ minutes: [...RISING, { close: 112 }, { close: 112 }], script: {}, text: SELLER },
      backtest: { balances: { usdt: '1000' }, fees: { maker: 0.001, taker: 0.001 } },
    });
    expect(trades).toEqual([
      ['buy', 1, 100, 1],
      ['sell', 0.999, 110, 7],
    ]);
    expect([record.refusals, record.notes ?? []]).toEqual([[], []]);
  });

  it('is free again when an order that held it back is cancelled', async () => {
    const ask = (price: number) => ({ asks: [{ price, amount: 10 }] });
    const { record } = await replayed({
      ...{ minutes: RISING, script: { 0: ask(110), 1: ask(111), 2: ask(112) } },
    });
    expect([record.counts.orders, record.refusals, record.notes ?? []]).toEqual([3, [], []]);
  });
});

describe('the end of a backtest', () => {
  it('counts what fills while the last answers are under way, in the curve as in the fills', async () => {
    const { trades, record } = await replayed({
      ...{ minutes: RISING.slice(0, 5), script: { 4: 8 } },
      backtest: {
        latency: { order: 40, answer: 40 },
        fees: { maker: 0.01, taker: 0.01, in: 'quote' },
      },
    });
    expect(trades).toHaveLength(1);
    const { cash, positions, time } = wholeCurve(record);
    expect(positions.get('btc_usdt')!.at(-1)).toBe(8);
    expect(cash.at(-1)).toBeCloseTo(10_000 - 8 * 104 * 1.01, 8);
    expect(record.period.to).toBe(time.at(-1));
  });

  it.each([
    ['trading was halted before', { dailyLossMax: 10, lossAction: 'HALTED' }, { 1: 5 }, '5 btc'],
    [
      'no more orders may leave',
      { ordersPerWindowMax: 2, orderRateWindowMs: 3_600_000 },
      { 1: 3, 2: 5 },
      '5 btc',
    ],
  ])('says what it could not close: %s', async (_why, risk, script, left) => {
    const minutes = [100, 100, 100, 95, 90, 80].map((close) => ({ close }));
    const { record } = await replayed({
      ...{ minutes, script },
      settings: { risk: { ...LIMITS, ...risk } },
      backtest: { closeAtEnd: 'close' },
    });
    expect(record.notes?.at(-1)).toMatch(
      new RegExp(`^closeAtEnd did not close ${left} in btc_usdt: `),
    );
  });

  it('closes in parts what is worth more than one order may be', async () => {
    const { trades, record } = await replayed({
      ...{ minutes: RISING, script: { 1: 3, 2: 5 } },
      settings: { risk: { ...LIMITS, orderValueMax: 350 } },
      backtest: { closeAtEnd: 'close' },
    });
    expect(trades.map(([side]) => side)).toEqual(['buy', 'buy', 'sell', 'sell']);
    expect(record.notes?.join()).not.toContain('closeAtEnd did not');
  });
});

describe('runBacktest', () => {
  it('hears no wish before the beginning of the period', async () => {
    const { trades, events } = await replayed({
      ...{ minutes: RISING, script: { 0: 1, 2: 2, 3: 3 } },
      backtest: { from: '2024-01-01T00:03', warmUpHours: 0.05 },
    });
    expect(trades).toEqual([
      ['buy', 2, 102, 3],
      ['buy', 1, 103, 4],
    ]);
    expect(events.filter(({ kind }) => kind === 'intent')).toHaveLength(2);
  });

  it('values the account at the beginning of the period at the price of then, not of the warm-up', async () => {
    const backtest = { from: '2024-01-01T00:03', warmUpHours: 0.05 };
    const { record } = await replayed({ minutes: RISING, script: {}, backtest });
    const { time, equity, buyAndHold } = wholeCurve(record);
    expect((time[0]! - START_MS) / 60_000).toBe(3);
    expect(equity[0]).toBe(10_000 + 10 * RISING[2]!.close);
    expect(buyAndHold?.[0]).toBe(equity[0]);
  });

  it('tells of the orders that the exchange refused', async () => {
    const fees = { maker: 0.001, taker: 0.001, in: 'base' };
    const { record } = await replayed({
      ...{ minutes: RISING, script: { 1: 2, 3: 0 } },
      backtest: { balances: { usdt: '10000' }, fees },
    });
    expect(record.refusals.map(({ code }) => code)).toContain('exchange 2009');
  });

  it('builds coarser candles than the data have', async () => {
    const { trades } = await replayed({ minutes: RISING, script: { 0: 2 }, coarse: true });
    expect(trades).toEqual([['buy', 2, 104, 5]]);
  });

  it('journals decisions and effects, and no market data', async () => {
    const { events } = await replayed({ minutes: RISING, script: { 1: 2 } });
    const kinds = new Set(events.map(({ kind }) => kind));
    for (const kind of ['intent', 'order', 'fill', 'position'] as const)
      expect(kinds).toContain(kind);
    for (const kind of ['candle', 'heartbeat'] as const) expect(kinds).not.toContain(kind);
  });

  it('tells the settings as they took effect, what the schema of a strategy added included', async () => {
    const { record } = await replayed({ minutes: RISING, script: {} });
    const [strategy] = record.settings.strategies as { params: object }[];
    expect(strategy!.params).toEqual({ wishes: {}, coarse: false });
  });

  it('gives the same journal twice, in whatever chunks the data come', async () => {
    const script = { 1: 2, 3: -1, 4: { bids: [{ price: 103, amount: 1 }] } };
    const hashes = [1_000, 1_000, 2].map(async (chunkRows) => {
      const { record } = await replayed({ minutes: RISING, script, chunkRows });
      return record.journalHash;
    });
    const [first, ...others] = await Promise.all(hashes);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(others).toEqual([first, first]);
  });

  it('keeps what was done when it is ended, and says so', async () => {
    let chunks = 0;
    const { interrupted, record } = await replayed({
      ...{ minutes: RISING, script: { 1: 2, 5: 0 }, chunkRows: 3 },
      backtest: { closeAtEnd: 'close' },
      onProgress: () => ++chunks < 1,
    });
    expect([interrupted, record.counts.events, record.counts.fills]).toEqual([true, 3, 1]);
    expect(record.notes).toEqual([
      'Interrupted at 2024-01-01 00:03 UTC, after 50 % of the period.',
    ]);
    // It decided what the figures are of, so that it stands ahead of them.
    expect(record.decisive).toBe(1);
    expect(record.period.to).toBe(START_MS + 180_000);
  });
});

describe('what runs along in a backtest', () => {
  it('tells what risk refused', async () => {
    const { record, trades } = await replayed({
      ...{ minutes: RISING, script: { 1: 2 } },
      settings: { risk: { orderValueMax: 10 } },
    });
    expect(trades).toEqual([]);
    expect(record.refusals).toEqual([{ code: 'aboveMaximum', count: 5, wishes: 1 }]);
  });

  it('arms no timed cancels unless told to', async () => {
    const heartbeats = async (on: boolean) => {
      const script = { 0: { bids: [{ price: 50, amount: 1 }] } };
      const simulate = { heartbeats: on, rateLimits: on, reconciliation: on };
      const { events } = await replayed({ minutes: RISING, script, backtest: { simulate } });
      return events.filter(({ kind }) => kind === 'heartbeat').length;
    };
    expect(await heartbeats(false)).toBe(0);
    expect(await heartbeats(true)).toBeGreaterThan(15);
  });

  it('lets orders take their time', async () => {
    const minutes = [{ close: 100 }, { close: 101 }, { close: 102 }];
    const { trades } = await replayed({
      ...{ minutes, script: { 0: 1 } },
      backtest: { latency: { order: 30_000, answer: 6_000, feed: 15_000 } },
      settings: { executor: { answerTimeoutMs: 60_000 } },
    });
    expect(trades).toEqual([['buy', 1, 100, 1.85]]);
  });
});

describe('a blackout in a backtest', () => {
  const BID = `
import { defineStrategy, filter, map, order, z } from '#strategy';
export default defineStrategy({
  name: 'bid',
  params: z.strictObject({ wishes: z.unknown() }),
  run: ({ market, candles }) =>
    candles('1min').pipe(
      filter((_, count) => count === 0),
      map(() => order(market, { tag: 'bid', side: 'buy', price: 90, amount: 1 })),
    ),
});
`;

  it('takes what rests and opens at its beginning, though nothing happens then', async () => {
    // From the epoch's midnight on: the window begins between two candles that lie far apart.
    const minutes = [{ close: 100 }, { close: 100 }, { close: 100, low: 80, at: 300 }];
    const blackouts = [{ from: '02:30', to: '12:00' }];
    const replay = (risk: object) =>
      replayed({ minutes, script: {}, text: BID, settings: { risk: { ...LIMITS, ...risk } } });
    expect((await replay({})).trades).toHaveLength(1);
    const { trades, events } = await replay({ blackouts });
    expect(trades).toEqual([]);
    const cancelled = events.find(
      (event) => event.kind === 'order' && event.order.status === 'cancelled',
    );
    expect(new Date((cancelled as { time: number }).time).toISOString().slice(11, 16)).toBe(
      '02:30',
    );
  });
});

describe('the journal of a backtest', () => {
  const TIMED = `
import { defineStrategy, distinctUntilChanged, interval, map, target, z } from '#strategy';
export default defineStrategy({
  name: 'timed',
  params: z.strictObject({ wishes: z.unknown() }),
  run: ({ market, clock }) =>
    interval(1_000, clock).pipe(
      map((count) => Math.floor(count / 150)),
      distinctUntilChanged(),
      map((amount) => target(market, amount)),
    ),
});
`;

  it('has what timers lead to, not each time that they go off', async () => {
    const { record, events } = await replayed({ minutes: RISING, script: {}, text: TIMED });
    expect(record.counts).toMatchObject({ intents: 3, orders: 2 });
    expect(events.length).toBeLessThan(60);
    expect(events.map(({ kind }) => kind)).not.toContain('timer');
  });
});
