import { describe, expect, it } from 'vitest';
import type { Amount, Price } from '../../src/domain/index.ts';
import type { PlaceRequest } from '../../src/exchange/index.ts';
import { answerOf, collect } from '../sim/fixture.ts';
import { opener, type Subject, WAYS } from './subjects.ts';

const BID: PlaceRequest = {
  ...{ market: 'btc_usdt', side: 'buy', type: 'limit' },
  ...{ price: 30_000 as Price, amount: 1 as Amount },
};

/** What a stream brings from now on; the connection has had time to stand. */
function following<T>(subject: Subject, stream: Parameters<typeof collect<T>>[0]): T[] {
  const values = collect(stream);
  subject.pass(1_000);
  values.length = 0;
  return values;
}

for (const way of WAYS) {
  describe(`feeds, ${way}`, () => {
    const open = opener(way);

    it('push a depth when the book changed', () => {
      const subject = open();
      const depths = following(subject, subject.main.marketFeed.depth('btc_usdt'));
      subject.liquidity.replace({ bids: [[29_999, 1]], asks: [[30_001, 2]] });
      subject.pass(1_000);
      expect(depths.at(-1)).toMatchObject({ bids: [[29_999, 1]], asks: [[30_001, 2]] });
    });

    it('push every trade once', () => {
      const subject = open();
      const batches = following(subject, subject.main.marketFeed.trades('btc_usdt'));
      for (let at = 0; at < 5; at++) {
        subject.liquidity.print({ takerSide: 'buy', price: 30_000 + at, amount: 0.5 });
        subject.pass(500);
      }
      const prices = batches.flat().map(({ price }) => price);
      expect(prices).toEqual([30_000, 30_001, 30_002, 30_003, 30_004]);
    });

    it('push the ticker when it changed', () => {
      const subject = open();
      const tickers = following(subject, subject.main.marketFeed.ticker('btc_usdt'));
      subject.liquidity.print({ takerSide: 'buy', price: 31_000, amount: 1 });
      subject.pass(1_000);
      expect(tickers.at(-1)).toMatchObject({ market: 'btc_usdt', last: 31_000 });
    });

    it('push the running candle', () => {
      const subject = open();
      const query = { market: 'btc_usdt', interval: '1min' } as const;
      const candles = following(subject, subject.main.marketFeed.candles(query));
      subject.liquidity.print({ takerSide: 'buy', price: 31_000, amount: 1 });
      subject.pass(1_000);
      expect(candles.at(-1)).toMatchObject({ close: 31_000, volume: 1 });
    });

    it('push every step of an own order, and no step of another account', () => {
      const subject = open();
      const pushes = following(subject, subject.main.accountFeed.orders('btc_usdt'));
      answerOf(subject.other.trading.place({ ...BID, price: 20_000 as Price }));
      const { exchangeOrderId } = answerOf(subject.main.trading.place(BID));
      subject.pass(1_000);
      subject.liquidity.print({ takerSide: 'sell', price: 30_000, amount: 0.25 });
      subject.pass(1_000);
      answerOf(subject.main.trading.cancel({ market: 'btc_usdt', exchangeOrderId }));
      subject.pass(1_000);
      const steps = pushes.map(({ order }) => [
        order.exchangeOrderId,
        order.filledAmount,
        order.closed,
      ]);
      expect(steps).toEqual([
        [exchangeOrderId, 0, false],
        [exchangeOrderId, 0.25, false],
        [exchangeOrderId, 0.25, true],
      ]);
    });

    it('push the balances that changed, and no others', () => {
      const subject = open();
      const pushes = following(subject, subject.main.accountFeed.balances());
      answerOf(subject.main.trading.place(BID));
      subject.pass(1_000);
      const told = pushes.flatMap(({ balances }) =>
        balances.map(({ currency, available, frozen }) => [currency, `${available}`, `${frozen}`]),
      );
      expect(told).toEqual([['usdt', '970000', '30000']]);
    });

    it('tell that the connection stands', () => {
      const subject = open();
      const states = collect(subject.main.accountFeed.connection());
      subject.pass(1_000);
      expect(states.at(-1)).toMatchObject({ connected: true });
    });
  });
}
