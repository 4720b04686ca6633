import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  hasUnknownSymbols,
  readCandles,
  readDepth,
  readMarkets,
  readTicker,
  readTrades,
  tickerReader,
  WireError,
} from '../../../../src/venues/zb/wire/index.ts';

const reception = { market: 'btc_usdt', receivedTime: 1_653_781_987_500 };
const tickerFields = {
  high: '29500.1',
  vol: '1200.5',
  last: '29029.5',
  low: '28000',
  buy: '29029.4',
  sell: '29029.6',
  open: '28500',
  riseRate: '1.5',
};

describe('readMarkets', () => {
  test('reads scales and minima, and takes the currencies from the name', () => {
    const json = { btc_usdt: { amountScale: 4, priceScale: 2, minAmount: 0.0001, minSize: '5' } };
    expect(readMarkets(json)).toEqual([
      {
        id: 'btc_usdt',
        base: 'btc',
        quote: 'usdt',
        amountScale: 4,
        priceScale: 2,
        minAmount: 0.0001,
        minSize: 5,
      },
    ]);
  });

  test('refuses a scale that is none', () => {
    for (const amountScale of [2.5, -1, 23, null]) {
      const json = { btc_usdt: { amountScale, priceScale: 2, minAmount: 1, minSize: 1 } };
      expect(() => readMarkets(json)).toThrow(WireError);
    }
  });
});

describe('readTicker', () => {
  test('reads strings, and percent as a fraction', () => {
    expect(readTicker({ date: '1653781987181', ticker: tickerFields }, reception)).toEqual({
      ...reception,
      exchangeTime: 1_653_781_987_181,
      bid: 29029.4,
      ask: 29029.6,
      last: 29029.5,
      open: 28500,
      high: 29500.1,
      low: 28000,
      volume: 1200.5,
      change: 0.015,
    });
  });

  test('adds no digits to a percentage', () => {
    const ticker = { ...tickerFields, riseRate: '0.55' };
    expect(readTicker({ date: 1, ticker }, reception).change).toBe(0.0055);
  });

  test('names the field that is missing', () => {
    const { sell: _, ...rest } = tickerFields;
    expect(() => readTicker({ date: 1, ticker: rest }, reception)).toThrow(/sell of btc_usdt/);
  });
});

describe('tickerReader', () => {
  const read = tickerReader({ markets: ['btc_usdt', 'eth_usdt'], receivedTime: 5 });

  test('reads keys with and without underscore', () => {
    const documented = read(['btc_usdt', tickerFields]);
    const recorded = read(['btcusdt', tickerFields]);
    expect(documented).toEqual(recorded);
    expect(documented[0]).toMatchObject({ market: 'btc_usdt', exchangeTime: 5 });
  });

  test('leaves out a symbol that no known market has', () => {
    expect(read(['dogeusdt', tickerFields])).toEqual([]);
  });

  test('hasUnknownSymbols finds what cannot be named', () => {
    expect(hasUnknownSymbols({ btcusdt: {} }, [])).toBe(true);
    expect(hasUnknownSymbols({ btcusdt: {} }, ['btc_usdt'])).toBe(false);
    expect(hasUnknownSymbols({ btcusdt: {}, ethusdt: {} }, ['btc_usdt'])).toBe(true);
    expect(hasUnknownSymbols({ btc_usdt: {} }, [])).toBe(false);
  });
});

describe('readDepth', () => {
  const bids = [
    [99, 1],
    [98, 2],
  ];

  test('puts asks best first in either dialect, and times in milliseconds', () => {
    const documented = {
      asks: [
        [100, 1],
        [101, 2],
      ],
      bids,
      timestamp: 1_653_997_711_000,
    };
    const recorded = {
      asks: [
        [101, 2],
        [100, 1],
      ],
      bids,
      timestamp: 1_653_997_711,
    };
    expect(readDepth(recorded, reception)).toEqual(readDepth(documented, reception));
    expect(readDepth(recorded, reception)).toMatchObject({
      asks: [
        [100, 1],
        [101, 2],
      ],
      exchangeTime: 1_653_997_711_000,
    });
  });

  test('reads numbers written as strings and leaves empty levels out', () => {
    const json = {
      asks: [
        ['100.5', '1'],
        [101, 0],
      ],
      bids: [[99, '2']],
      timestamp: '1653997711',
    };
    expect(readDepth(json, reception)).toMatchObject({ asks: [[100.5, 1]], bids: [[99, 2]] });
    expect(readDepth({ ...json, asks: [[101, 0]] }, reception).asks).toEqual([]);
  });

  test('is best first whatever the order', () => {
    const level = fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(fc.array(level), fc.array(level), (asks, bids) => {
        const depth = readDepth({ asks, bids, timestamp: 1 }, reception);
        const prices = (levels: typeof asks) => [...new Set(levels.map(([price]) => price))];
        expect(depth.asks.map(([price]) => price)).toEqual(prices(asks).sort((a, b) => a - b));
        expect(depth.bids.map(([price]) => price)).toEqual(prices(bids).sort((a, b) => b - a));
      }),
      { seed: 3 },
    );
  });

  test.each([
    { asks: [[100]] },
    { asks: [['x', 1]] },
    {
      asks: [
        [9, 1e308],
        [9, 1e308],
      ],
    },
    { asks: 5 },
    { asks: [[-1, 1]] },
  ])('refuses %j', ({ asks }) => {
    expect(() => readDepth({ asks, bids: [], timestamp: 1 }, reception)).toThrow(WireError);
  });
});

describe('readDepth, of a price that comes twice,', () => {
  test('adds up levels of one price, as where a venue rounds finer ones', () => {
    const asks = [
      [100, 0.1],
      [100, 0.2],
      ['100.0', '1'],
      [101, 5],
    ];
    const depth = readDepth({ asks, bids: [], timestamp: 1 }, reception);
    expect(depth.asks).toEqual([
      [100, 1.3],
      [101, 5],
    ]);
  });
});

describe('readTrades', () => {
  const documented = [
    {
      date: 1_653_781_987_000,
      amount: 0.038,
      price: 29029.5,
      trade_type: 'ask',
      type: 'sell',
      tid: 2_796_890_056,
    },
    {
      date: 1_653_781_988_000,
      amount: 1,
      price: 29030,
      trade_type: 'bid',
      type: 'buy',
      tid: 2_796_890_057,
    },
  ];
  const recorded = documented.map((trade) => ({
    ...trade,
    date: trade.date / 1000,
    amount: String(trade.amount),
    price: String(trade.price),
  }));

  test('reads both dialects alike', () => {
    expect(readTrades(recorded, reception)).toEqual(readTrades(documented, reception));
    expect(readTrades(recorded, reception)[0]).toEqual({
      ...reception,
      id: '2796890056',
      price: 29029.5,
      amount: 0.038,
      side: 'sell',
      exchangeTime: 1_653_781_987_000,
    });
  });

  test('puts the oldest first by number, not by text', () => {
    const trades = ['1000', '999', '90071992547409931', '90071992547409930'].map((tid) => ({
      ...documented[0],
      tid,
    }));
    expect(readTrades(trades, reception).map(({ id }) => id)).toEqual([
      '999',
      '1000',
      '90071992547409930',
      '90071992547409931',
    ]);
  });

  test('puts the oldest first of a list that begins with the newest', () => {
    expect(readTrades(documented.toReversed(), reception)).toEqual(
      readTrades(documented, reception),
    );
  });

  test('takes the side from trade_type where type is missing', () => {
    const sideOf = (at: number) => {
      const { type: _, ...rest } = documented[at]!;
      return readTrades([rest], reception)[0]?.side;
    };
    expect([sideOf(0), sideOf(1)]).toEqual(['sell', 'buy']);
    expect(() => readTrades([{ ...documented[0], type: 'short' }], reception)).toThrow(WireError);
  });

  test('refuses an error object', () => {
    expect(() => readTrades({ code: 1001 }, reception)).toThrow(/an array is wanted/);
  });
});

describe('readCandles', () => {
  const rows = [
    [1_653_781_980_000, 2, 3, 1, 2.5, 10],
    [1_653_781_920_000, 1, 2, 1, 2, 7],
  ];
  const options = { ...reception, interval: '1min' as const };

  test('puts the oldest first and closes what has ended', () => {
    const candles = readCandles(rows, { ...options, nowMs: 1_653_781_980_000 });
    expect(candles.map(({ openTime, closed }) => [openTime, closed])).toEqual([
      [1_653_781_920_000, true],
      [1_653_781_980_000, false],
    ]);
    expect(candles[0]).toMatchObject({ open: 1, high: 2, low: 1, close: 2, volume: 7 });
  });

  test('refuses a row with too few numbers', () => {
    expect(() => readCandles([[1, 2, 3]], { ...options, nowMs: 0 })).toThrow(WireError);
  });
});
