import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/kernel/index.ts';
import { makeMarket } from '../domain/fixture.ts';
import { answerOf, exchangeFixture, failureOf, MARKET, START_MS } from './fixture.ts';

const market = MARKET.id;

describe('SimulatedMarketData', () => {
  test('lists the markets and every ticker', () => {
    const markets = [MARKET, makeMarket({ id: 'eth_usdt', base: 'eth' })];
    const { exchange } = exchangeFixture({ markets });
    expect(answerOf(exchange.market.markets())).toEqual(markets);
    const ids = answerOf(exchange.market.tickers()).map((ticker) => ticker.market);
    expect(ids).toEqual([market, 'eth_usdt']);
    const nothing = { bid: 0, ask: 0, last: 0, open: 0, high: 0, low: 0, volume: 0, change: 0 };
    expect(answerOf(exchange.market.ticker(market))).toMatchObject(nothing);
  });

  test('tells a volume that passes what is exact', () => {
    const { exchange, liquidity } = exchangeFixture();
    const amount = 2e11;
    for (let i = 0; i < 3; i++) liquidity.print({ takerSide: 'buy', price: 1, amount });
    liquidity.setLevel({ side: 'sell', price: 2, amount });
    liquidity.addOrder({ side: 'sell', type: 'limit', price: 2, amount });
    expect(answerOf(exchange.market.ticker(market)).volume).toBe(3 * amount);
    expect(answerOf(exchange.market.depth({ market })).asks).toEqual([[2, 2 * amount]]);
  });

  test('reads 50 trades right after an id, or the newest 50', () => {
    const { exchange, liquidity } = exchangeFixture();
    for (let i = 1; i <= 120; i++) liquidity.print({ takerSide: 'buy', price: i, amount: 1 });
    const prices = (since?: string) =>
      answerOf(exchange.market.trades(since === undefined ? { market } : { market, since })).map(
        ({ price }) => price,
      );
    expect([prices().at(0), prices().at(-1), prices().length]).toEqual([71, 120, 50]);
    const third = String(START_MS + 2);
    expect([prices(third).at(0), prices(third).at(-1)]).toEqual([4, 53]);
    expect(prices('0').at(0)).toBe(1);
    expect(prices('99999999999999')).toEqual([]);
    expect(failureOf(exchange.market.trades({ market, since: 'x' })).code).toBe(3005);
  });

  test('begins with the oldest of the 4,096 trades kept where an id is older', () => {
    const { exchange, liquidity } = exchangeFixture();
    for (let i = 1; i <= 4_200; i++) liquidity.print({ takerSide: 'buy', price: i, amount: 1 });
    const trades = answerOf(exchange.market.trades({ market, since: String(START_MS) }));
    expect(trades.map(({ price }) => price)).toEqual(Array.from({ length: 50 }, (_, i) => 105 + i));
  });
});

describe('SimulatedMarketData.depth', () => {
  test('merges depth to five levels of a step, never narrowing the spread', () => {
    const { exchange, liquidity } = exchangeFixture();
    liquidity.replace({
      bids: [
        [99.5, 1],
        [99, 1],
        [98.9, 1],
        [90, 1],
        [80, 1],
        [70, 1],
        [60, 1],
      ],
      asks: [
        [100.1, 1],
        [101, 1],
        [101.5, 2],
      ],
    });
    const { bids, asks } = answerOf(exchange.market.depth({ market, merge: 1 }));
    expect(bids).toEqual([
      [99, 2],
      [98, 1],
      [90, 1],
      [80, 1],
      [70, 1],
    ]);
    expect(asks).toEqual([
      [101, 2],
      [102, 2],
    ]);
    const sized = answerOf(exchange.market.depth({ market, size: 1 }));
    expect([sized.bids, sized.asks]).toEqual([[[99.5, 1]], [[100.1, 1]]]);
    for (const merge of [0, -1, 0.015, 0.001, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(failureOf(exchange.market.depth({ market, merge })).code).toBe(3005);
    }
    expect(failureOf(exchange.market.depth({ market, merge: 0.015 })).message).toBe(
      'Cannot merge depth: the step is 0.015, a positive multiple of 0.01 is wanted',
    );
    const wide = answerOf(exchange.market.depth({ market, merge: 1_000 }));
    expect([wide.bids, wide.asks]).toEqual([[], [[1_000, 4]]]);
    expect(failureOf(exchange.market.depth({ market, size: 0 })).code).toBe(3005);
    const dearest = 22_517_998_136_852.47;
    liquidity.replace({
      bids: [],
      asks: [
        [dearest - 1, 1],
        [dearest, 1],
      ],
    });
    expect(answerOf(exchange.market.depth({ market, merge: 1 })).asks).toEqual([
      [22_517_998_136_852, 1],
    ]);
  });
});

describe('SimulatedMarketData.candles', () => {
  test('rounds what of the past is finer than the market', () => {
    const { exchange } = exchangeFixture();
    const prices = { open: 1.004, high: 3, low: 1, close: 2.006 };
    const openTime = START_MS - MINUTE_MS;
    exchange.seedHistory(market, [{ ...prices, openTime, volume: 0.1 + 0.2 }]);
    expect(answerOf(exchange.market.candles({ market, interval: '1min' }))).toMatchObject([
      { open: 1, high: 3, low: 1, close: 2.01, volume: 0.3 },
    ]);
  });

  test('has none of an exchange that keeps no bars', () => {
    const { exchange, liquidity } = exchangeFixture({ keepsBars: false });
    liquidity.print({ takerSide: 'buy', price: 1, amount: 1 });
    expect(answerOf(exchange.market.trades({ market }))).toHaveLength(1);
    expect(answerOf(exchange.market.candles({ market, interval: '1min' }))).toEqual([]);
  });

  test('reads candles after a time, the newest of them, and the past that was seeded', () => {
    const { exchange, liquidity, clock } = exchangeFixture();
    const openTimes = [5, 4, 3, 2, 1].map((ago) => START_MS - ago * MINUTE_MS);
    const minute = { open: 1, high: 3, low: 1, close: 2, volume: 10 };
    exchange.seedHistory(
      market,
      openTimes.map((openTime) => ({ ...minute, openTime })),
    );
    liquidity.print({ takerSide: 'buy', price: 2.5, amount: 1 });
    const read = (query: object) =>
      answerOf(exchange.market.candles({ market, interval: '1min', ...query }));
    expect(read({}).map(({ openTime }) => openTime)).toEqual([...openTimes, START_MS]);
    expect(read({}).map(({ closed }) => closed)).toEqual([true, true, true, true, true, false]);
    expect(read({ since: openTimes[3] })).toHaveLength(2);
    expect(read({ size: 2 })[0]!.openTime).toBe(openTimes[4]);
    expect(answerOf(exchange.market.ticker(market)).volume).toBe(51);
    expect(() => exchange.seedHistory(market, [{ ...minute, openTime: openTimes[0]! }])).toThrow(
      /^Cannot add the past minute/,
    );
    clock.advanceBy(MINUTE_MS);
    expect(read({}).at(-1)).toMatchObject({ closed: true, close: 2.5, volume: 1 });
  });

  test.each([[[2, 3]], [[2, 2]], [[-1]], [[1.5]]])(
    'refuses minutes of the past that open %j minutes ago',
    (openings) => {
      const { exchange } = exchangeFixture();
      const minutes = openings.map((ago) => ({
        ...{ open: 1, high: 3, low: 1, close: 2, volume: 10 },
        openTime: START_MS - ago * MINUTE_MS,
      }));
      expect(() => exchange.seedHistory(market, minutes)).toThrow(/^Cannot add the past minute/);
    },
  );
});
