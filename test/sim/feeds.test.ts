import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/exchange/index.ts';
import { MINUTE_MS } from '../../src/kernel/index.ts';
import {
  answerOf,
  collect,
  exchangeFixture,
  failureOf,
  MARKET,
  place,
  START_MS,
} from './fixture.ts';

const market = MARKET.id;

/** What is pushed of an account's orders: [id, filled, closed]. */
function ordersOf(account: Exchange) {
  const seen: [string, number, boolean][] = [];
  account.accountFeed.orders(market).subscribe(({ order }) => {
    seen.push([order.exchangeOrderId, order.filledAmount, order.closed]);
  });
  return seen;
}

/** What is pushed of an account's balances: currencies with [available, frozen]. */
function balancesOf(account: Exchange) {
  const seen: Record<string, [string, string]>[] = [];
  account.accountFeed.balances().subscribe(({ balances }) => {
    seen.push(
      Object.fromEntries(
        balances.map(({ currency, available, frozen }) => [
          currency,
          [available.toString(), frozen.toString()],
        ]),
      ),
    );
  });
  return seen;
}

describe('SimulatedAccountFeed', () => {
  test('pushes the order that changed, on every change, and no other', () => {
    const { alice, bob } = exchangeFixture();
    const other = place(alice, { price: 50 });
    const pushed = ordersOf(alice);
    const id = place(alice, { price: 100, amount: 1 });
    place(bob, { side: 'sell', price: 100, amount: 0.25 });
    answerOf(alice.trading.cancel({ market, exchangeOrderId: id }));
    expect(pushed).toEqual([
      [id, 0, false],
      [id, 0.25, false],
      [id, 0.25, true],
    ]);
    expect(pushed.flat()).not.toContain(other);
  });

  test('pushes an IOC as taken, filled and ended', () => {
    const { alice, liquidity } = exchangeFixture();
    liquidity.setLevel({ side: 'sell', price: 100, amount: 0.5 });
    const pushed = ordersOf(alice);
    const id = place(alice, { type: 'ioc', amount: 1 });
    expect(pushed).toEqual([
      [id, 0, false],
      [id, 0.5, false],
      [id, 0.5, true],
    ]);
  });

  test('pushes only the balances that changed, to the account whose they are', () => {
    const { alice, bob } = exchangeFixture();
    const alices = balancesOf(alice);
    const bobs = balancesOf(bob);
    place(alice, { price: 100, amount: 1 });
    place(bob, { side: 'sell', price: 100, amount: 1 });
    expect(alices).toEqual([
      { usdt: ['999900', '100'] },
      { usdt: ['999900', '0'], btc: ['101', '0'] },
    ]);
    expect(bobs).toEqual([{ btc: ['99', '0'], usdt: ['1000100', '0'] }]);
  });

  test('pushes what a timed cancel does', () => {
    const { alice, clock } = exchangeFixture();
    const id = place(alice, {});
    const pushed = ordersOf(alice);
    const books = collect(alice.marketFeed.depth(market));
    answerOf(alice.trading.cancelAllAfter(market));
    clock.advanceBy(MINUTE_MS);
    expect(pushed).toEqual([[id, 0, true]]);
    expect(books.map(({ bids }) => bids.length)).toEqual([1, 0]);
  });

  test('lets a subscriber act on a push; what follows is pushed behind', () => {
    const { alice, liquidity, exchange } = exchangeFixture();
    const seen: [string, boolean][] = [];
    alice.accountFeed.orders(market).subscribe(({ order }) => {
      seen.push([order.side, order.closed]);
      if (order.side === 'buy' && order.closed) place(alice, { side: 'sell', price: 110 });
    });
    for (const price of [101, 100]) place(alice, { price });
    liquidity.print({ takerSide: 'sell', price: 100, amount: 2 });
    expect(seen).toEqual([
      ['buy', false],
      ['buy', false],
      ['buy', true],
      ['buy', true],
      ['sell', false],
      ['sell', false],
    ]);
    expect(exchange.inspect('alice').openOrders.get(market)).toHaveLength(2);
  });
});

describe('SimulatedAccountFeed.changes', () => {
  test('pushes the balances together with the first fill or end, where both are asked for', () => {
    const { alice, liquidity } = exchangeFixture();
    liquidity.setLevel({ side: 'sell', price: 100, amount: 0.5 });
    const seen: [number | undefined, boolean | undefined, string[] | undefined][] = [];
    alice.accountFeed.changes!().subscribe(({ order, balances }) => {
      const told = balances?.balances.map(({ currency, available }) => `${available} ${currency}`);
      seen.push([order?.order.filledAmount, order?.order.closed, told]);
    });
    place(alice, { type: 'ioc', price: 100, amount: 1 });
    expect(seen).toEqual([
      [0, false, undefined],
      [0.5, false, ['999950 usdt', '100.5 btc']],
      [0.5, true, undefined],
    ]);
    seen.length = 0;
    place(alice, { price: 90, amount: 1 });
    expect(seen).toEqual([
      [0, false, undefined],
      [undefined, undefined, ['999860 usdt']],
    ]);
  });
});

describe('SimulatedMarketFeed: depth and ticker', () => {
  test('starts with the present book and then coalesces to one push in an interval', () => {
    const { exchange, liquidity, clock } = exchangeFixture({ depthIntervalMs: 100 });
    liquidity.setLevel({ side: 'buy', price: 99, amount: 1 });
    const seen: [number, number][] = [];
    exchange.marketFeed.depth(market).subscribe(({ bids, exchangeTime }) => {
      seen.push([exchangeTime - START_MS, bids[0]![1]]);
    });
    for (let step = 0; step < 25; step++) {
      clock.advanceBy(10);
      liquidity.setLevel({ side: 'buy', price: 99, amount: 2 + step });
    }
    clock.advanceBy(1_000);
    expect(seen).toEqual([
      [0, 1],
      [10, 2],
      [110, 11],
      [210, 21],
      [310, 26],
    ]);
  });

  test('holds the best 50 levels a side', () => {
    const { exchange, liquidity } = exchangeFixture();
    const bids = Array.from({ length: 60 }, (_, i) => [100 - i, 1] as const);
    liquidity.replace({ bids, asks: [] });
    const [depth] = collect(exchange.marketFeed.depth(market));
    expect(depth!.bids).toEqual(bids.slice(0, 50));
  });

  test('pushes a ticker with the book and the trades of the day', () => {
    const { exchange, liquidity, clock } = exchangeFixture();
    liquidity.print({ takerSide: 'buy', price: 80, amount: 1 });
    const tickers = collect(exchange.marketFeed.ticker(market));
    clock.advanceBy(60_000);
    liquidity.replace({ bids: [[99, 1]], asks: [[101, 1]] });
    liquidity.print({ takerSide: 'buy', price: 100, amount: 1 });
    clock.advanceBy(100);
    expect(tickers.map(({ bid, ask, last }) => [bid, ask, last])).toEqual([
      [0, 0, 80],
      [99, 101, 80],
      [99, 101, 100],
    ]);
    expect(tickers.at(-1)).toMatchObject({ open: 80, low: 80, high: 100, volume: 2, change: 0.25 });
  });
});

describe('SimulatedMarketFeed: trades', () => {
  test('pushes the trades of one operation as one batch', () => {
    const { exchange, liquidity, alice } = exchangeFixture();
    liquidity.replace({
      bids: [],
      asks: [
        [100, 1],
        [101, 1],
      ],
    });
    const batches = collect(exchange.marketFeed.trades(market));
    place(alice, { price: 101, amount: 1.5 });
    const trades = batches.map((batch) =>
      batch.map(({ price, amount, side }) => [price, amount, side]),
    );
    expect(trades).toEqual([
      [
        [100, 1, 'buy'],
        [101, 0.5, 'buy'],
      ],
    ]);
    expect(BigInt(batches[0]![1]!.id)).toBe(BigInt(batches[0]![0]!.id) + 1n);
  });
});

describe('SimulatedMarketFeed: candles', () => {
  test('pushes a candle with each trade and once more as its time is over', () => {
    const { exchange, liquidity, clock } = exchangeFixture();
    const seen: [number, number, boolean][] = [];
    exchange.marketFeed.candles({ market, interval: '5min' }).subscribe((candle) => {
      seen.push([clock.now() - START_MS, candle.close, candle.closed]);
    });
    liquidity.print({ takerSide: 'buy', price: 100, amount: 1 });
    clock.advanceBy(90_000);
    liquidity.print({ takerSide: 'buy', price: 101, amount: 1 });
    clock.advanceBy(3_600_000);
    liquidity.print({ takerSide: 'buy', price: 102, amount: 1 });
    expect(seen).toEqual([
      [0, 100, false],
      [90_000, 101, false],
      [300_000, 101, true],
      [3_690_000, 102, false],
    ]);
  });

  test('closes in its time a candle that nothing was traded in since it was asked for', () => {
    const { exchange, liquidity, clock } = exchangeFixture();
    liquidity.print({ takerSide: 'buy', price: 100, amount: 1 });
    const { marketFeed } = exchange;
    const longer = collect(marketFeed.candles({ market, interval: '5min' }));
    const first = collect(marketFeed.candles({ market, interval: '1min' }));
    const second = collect(marketFeed.candles({ market, interval: '1min' }));
    const longest = collect(marketFeed.candles({ market, interval: '15min' }));
    clock.advanceBy(60_000);
    for (const candles of [first, second]) {
      expect(candles.map(({ closed }) => closed)).toEqual([false, true]);
    }
    expect([longer.length, longest.length]).toEqual([1, 1]);
    clock.advanceBy(240_000);
    expect(longer.map(({ closed }) => closed)).toEqual([false, true]);
    clock.advanceBy(600_000);
    expect(longest.map(({ closed }) => closed)).toEqual([false, true]);
    expect([
      first.length,
      collect(marketFeed.candles({ market, interval: '1min' })).length,
    ]).toEqual([2, 1]);
  });

  test('starts with the newest candle there is', () => {
    const { exchange, liquidity } = exchangeFixture();
    liquidity.print({ takerSide: 'buy', price: 100, amount: 1 });
    const candles = collect(exchange.marketFeed.candles({ market, interval: '1week' }));
    expect(candles.map(({ openTime, closed }) => [openTime, closed])).toEqual([
      [Date.UTC(2022, 0, 17), false],
    ]);
  });

  test('is connected from the start and fails for an unknown market', () => {
    const { exchange, alice } = exchangeFixture();
    expect(collect(exchange.marketFeed.connection())).toMatchObject([{ connected: true }]);
    expect(failureOf(exchange.marketFeed.depth('doge_usdt')).message).toBe('Error Market');
    expect(failureOf(alice.accountFeed.orders('doge_usdt')).message).toBe('Error Market');
  });

  test('lets pushes arrive late when told to', () => {
    const { exchange, liquidity, clock } = exchangeFixture({ latency: { pushMs: 40 } });
    const arrivals: number[] = [];
    exchange.marketFeed.trades(market).subscribe((batch) => {
      arrivals.push(clock.now() - START_MS, batch[0]!.receivedTime - batch[0]!.exchangeTime);
    });
    liquidity.print({ takerSide: 'buy', price: 100, amount: 1 });
    expect(arrivals).toEqual([]);
    clock.advanceBy(40);
    expect(arrivals).toEqual([40, 40]);
  });
});

describe('SimulatedExchange, a book that nobody knows', () => {
  test('is told as empty, though orders rest in it, until its source tells it again', () => {
    const { exchange, alice, clock } = exchangeFixture();
    const book = { bids: [[99, 1] as const], asks: [[101, 1] as const] };
    exchange.tellBook(market, book);
    place(alice, { price: 98, amount: 1 });
    const pushed: [number, number][] = [];
    exchange.marketFeed.depth(market).subscribe(({ bids, asks }) => {
      pushed.push([bids.length, asks.length]);
    });
    exchange.loseBook(market);
    const asked = answerOf(exchange.market.depth({ market }));
    expect([asked.bids, asked.asks]).toEqual([[], []]);
    expect(answerOf(exchange.market.ticker(market))).toMatchObject({ bid: 0, ask: 0 });
    clock.advanceBy(1_000);
    exchange.tellBook(market, book);
    expect(pushed).toEqual([
      [2, 1],
      [0, 0],
      [2, 1],
    ]);
  });
});
