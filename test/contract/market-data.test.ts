import { describe, expect, it } from 'vitest';
import { INTERVALS } from '../../src/domain/index.ts';
import { MINUTE_MS } from '../../src/kernel/index.ts';
import { answerOf, failureOf, START_MS } from '../sim/fixture.ts';
import { BTC_USDT, ETH_USDT, opener, WAYS } from './subjects.ts';

const BOOK = {
  bids: [
    [29_999, 1.5],
    [29_998, 2],
    [29_990.5, 0.0001],
  ],
  asks: [
    [30_001, 1],
    [30_002.25, 3],
    [30_010, 0.5],
  ],
} as const;

for (const way of WAYS) {
  describe(`market data, ${way}`, () => {
    const open = opener(way);

    it('names every market with its scales and least sizes', () => {
      const { main } = open();
      expect(answerOf(main.market.markets())).toEqual([BTC_USDT, ETH_USDT]);
    });

    it('gives depth best first on both sides', () => {
      const { main, liquidity } = open();
      liquidity.replace(BOOK);
      const depth = answerOf(main.market.depth({ market: 'btc_usdt' }));
      expect(depth).toMatchObject({ market: 'btc_usdt', ...BOOK });
      expect(depth.exchangeTime).toBe(START_MS);
    });

    it('gives as many levels a side as were asked for', () => {
      const { main, liquidity } = open();
      liquidity.replace(BOOK);
      const { bids, asks } = answerOf(main.market.depth({ market: 'btc_usdt', size: 2 }));
      expect([bids, asks]).toEqual([BOOK.bids.slice(0, 2), BOOK.asks.slice(0, 2)]);
    });

    it('merges levels to a step, bids down and asks up, five a side', () => {
      const { main, liquidity } = open();
      const level = (price: number) => [price, 1] as const;
      liquidity.replace({
        bids: Array.from({ length: 40 }, (_, at) => level(29_999.5 - at)),
        asks: Array.from({ length: 40 }, (_, at) => level(30_000.5 + at)),
      });
      const { bids, asks } = answerOf(main.market.depth({ market: 'btc_usdt', merge: 5 }));
      expect(bids).toEqual([29_995, 29_990, 29_985, 29_980, 29_975].map((price) => [price, 5]));
      expect(asks).toEqual([30_005, 30_010, 30_015, 30_020, 30_025].map((price) => [price, 5]));
    });

    it('tells trades oldest first, and the fifty after an id', () => {
      const { main, liquidity, pass } = open();
      for (let at = 0; at < 120; at++) {
        liquidity.print({ takerSide: at % 2 ? 'buy' : 'sell', price: 30_000 + at, amount: 0.01 });
        pass(1_000);
      }
      const newest = answerOf(main.market.trades({ market: 'btc_usdt' }));
      expect(newest.map(({ price }) => price)).toEqual(numbers(30_070, 50));
      expect(newest.at(-1)).toMatchObject({ side: 'buy', amount: 0.01, market: 'btc_usdt' });
      const since = BigInt(newest[0]!.id) - 50n;
      const after = answerOf(main.market.trades({ market: 'btc_usdt', since: String(since) }));
      expect(after).toHaveLength(50);
      expect(after[0]!.id).toBe(String(since + 1n));
      expect(after.map(({ price }) => price)).toEqual(numbers(30_021, 50));
    });

    it('tells times of trades to the second at least', () => {
      const { main, liquidity, pass } = open();
      pass(5_000);
      liquidity.print({ takerSide: 'buy', price: 30_000, amount: 1 });
      const [trade] = answerOf(main.market.trades({ market: 'btc_usdt' }));
      expect(trade!.exchangeTime).toBe(START_MS + 5_000);
    });

    it.each(INTERVALS)('builds candles of %s', (interval) => {
      const { main, liquidity, pass } = open();
      liquidity.print({ takerSide: 'buy', price: 30_000, amount: 1 });
      pass(1_000);
      liquidity.print({ takerSide: 'sell', price: 29_000, amount: 2 });
      const [candle] = answerOf(main.market.candles({ market: 'btc_usdt', interval }));
      expect(candle).toMatchObject({
        ...{ market: 'btc_usdt', interval, closed: false },
        ...{ open: 30_000, high: 30_000, low: 29_000, close: 29_000, volume: 3 },
      });
      expect(candle!.openTime).toBeLessThanOrEqual(START_MS);
    });

    it('gives candles after a time, the newest of them where there are too many', () => {
      const { main, liquidity, pass } = open();
      for (let at = 0; at < 5; at++) {
        liquidity.print({ takerSide: 'buy', price: 30_000 + at, amount: 1 });
        pass(MINUTE_MS);
      }
      const query = { market: 'btc_usdt', interval: '1min' } as const;
      const opens = (more: object) => {
        // The exchange answers about candles once a second.
        pass(1_000);
        return answerOf(main.market.candles({ ...query, ...more })).map(({ open }) => open);
      };
      expect(opens({ since: START_MS + MINUTE_MS }).slice(0, 3)).toEqual([30_002, 30_003, 30_004]);
      expect(opens({ size: 2 })).toHaveLength(2);
    });

    it('sums up the last 24 hours in a ticker, of one market or of all', () => {
      const { main, liquidity, pass } = open();
      liquidity.replace(BOOK);
      liquidity.print({ takerSide: 'buy', price: 30_001, amount: 1 });
      pass(1_000);
      liquidity.print({ takerSide: 'sell', price: 29_999, amount: 0.5 });
      const expected = {
        ...{ market: 'btc_usdt', last: 29_999, high: 30_001, low: 29_999, open: 30_001 },
        ...{ bid: 29_999, volume: 1.5 },
      };
      expect(answerOf(main.market.ticker('btc_usdt'))).toMatchObject(expected);
      const all = answerOf(main.market.tickers());
      expect(all.find(({ market }) => market === 'btc_usdt')).toMatchObject(expected);
      expect(all).toHaveLength(2);
    });

    it('refuses a market that it does not have', () => {
      const { main } = open();
      const calls = [
        main.market.ticker('no_market'),
        main.market.depth({ market: 'no_market' }),
        main.market.trades({ market: 'no_market' }),
        main.market.candles({ market: 'no_market', interval: '1min' }),
      ];
      for (const call of calls) expect(failureOf(call)).toMatchObject({ kind: 'rejected' });
    });
  });
}

function numbers(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => first + at);
}
