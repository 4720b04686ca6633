import { describe, expect, test } from 'vitest';
import type { Candle } from '../../../../../src/domain/index.ts';
import { DAY_MS } from '../../../../../src/kernel/index.ts';
import { depthFrame, NOW_MS, zbFixture } from '../fixture.ts';

function trade(tid: number) {
  return { date: NOW_MS, amount: '1', price: '2', trade_type: 'bid', type: 'buy', tid };
}

const ORDER_ROW = ['202202224851151555', 30000, 0.0006, 0.0002, 6, 1, NOW_MS, 3, 0, 0, 0, 0, 0];

describe('market feed', () => {
  test('ticker and depth are stamped and put in order', () => {
    const { exchange, clock, sockets } = zbFixture();
    const seen: unknown[] = [];
    exchange.marketFeed.depth('btc_usdt').subscribe((value) => seen.push(value));
    sockets.last.events.opened();
    clock.advanceBy(7);
    sockets.last.push({
      ...depthFrame(1),
      asks: [
        [9, 1],
        [2, 1],
      ],
      timestamp: 1_645_610_254,
    });
    expect(seen).toEqual([
      {
        market: 'btc_usdt',
        bids: [[1, 1]],
        asks: [
          [2, 1],
          [9, 1],
        ],
        exchangeTime: 1_645_610_254_000,
        receivedTime: NOW_MS + 7,
      },
    ]);
  });

  test('those who listen to one stream hear what is read of it once, whoever joins or leaves', () => {
    const { exchange, sockets } = zbFixture();
    const heard: [string, unknown][] = [];
    const listen = (name: string) =>
      exchange.marketFeed.depth('btc_usdt').subscribe((depth) => heard.push([name, depth]));
    const [first] = [listen('first'), listen('second')];
    sockets.last.events.opened();
    sockets.last.push(depthFrame(1));
    first.unsubscribe();
    sockets.last.push(depthFrame(2));
    listen('third');
    sockets.last.push(depthFrame(3));
    expect(heard.map(([name]) => name)).toEqual(['first', 'second', 'second', 'second', 'third']);
    expect(heard[0]![1]).toBe(heard[1]![1]);
    expect(heard[3]![1]).toBe(heard[4]![1]);
  });

  test('trades leaves out what was told before, across reconnects, and keeps late ones', () => {
    const { exchange, clock, sockets } = zbFixture();
    const batches: string[][] = [];
    exchange.marketFeed
      .trades('btc_usdt')
      .subscribe((trades) => batches.push(trades.map(({ id }) => id)));
    const push = (...tids: number[]) =>
      sockets.last.push({ channel: 'btcusdt_trades', dataType: 'trades', data: tids.map(trade) });
    sockets.last.events.opened();
    push(3, 1, 2);
    push(3, 5);
    push(3, 5);
    sockets.last.events.closed('gone');
    clock.advanceBy(1_000);
    sockets.last.events.opened();
    push(1, 2, 3, 4, 5, 6);
    expect(batches).toEqual([['1', '2', '3'], ['5'], ['4', '6']]);
  });
});

/** The candles that were emitted; `push` takes the newest ones as the exchange sends them. */
function candleFixture() {
  const { exchange, clock, sockets } = zbFixture();
  const open = NOW_MS - (NOW_MS % 60_000);
  const seen: Candle[] = [];
  exchange.marketFeed
    .candles({ market: 'btc_usdt', interval: '1min' })
    .subscribe((candle) => seen.push(candle));
  const push = (...rows: number[][]) =>
    sockets.last.push({ datas: { data: rows }, channel: 'btcusdt_kline_1min', isSuc: true });
  sockets.last.events.opened();
  const told = () =>
    seen.map(({ openTime, volume, closed }) => [openTime - open, volume, closed] as const);
  return { clock, open, push, told };
}

describe('candle feed', () => {
  test('candles grow, close and follow each other', () => {
    const { clock, open, push, told } = candleFixture();
    push([open - 60_000, 1, 1, 1, 1, 1], [open, 1, 1, 1, 1, 1]);
    push([open - 60_000, 1, 1, 1, 1, 1], [open, 1, 1, 1, 1, 1]);
    push([open, 1, 2, 1, 2, 3]);
    clock.advanceBy(60_000);
    push([open + 60_000, 2, 2, 2, 2, 1]);
    expect(told()).toEqual([
      [-60_000, 1, true],
      [0, 1, false],
      [0, 3, false],
      [0, 3, true],
      [60_000, 1, false],
    ]);
  });

  test('candles go on behind one with a wrong stamp', () => {
    const { clock, open, push, told } = candleFixture();
    push([open, 1, 1, 1, 1, 1], [open + DAY_MS, 1, 1, 1, 1, 1]);
    push([open, 1, 2, 1, 2, 3]);
    clock.advanceBy(60_000);
    push([open, 1, 2, 1, 2, 3], [open + 60_000, 2, 2, 2, 2, 1]);
    expect(told().slice(3)).toEqual([
      [0, 3, false],
      [0, 3, true],
      [60_000, 1, false],
    ]);
  });
});

describe('account feed', () => {
  test('orders reads either length of the array, for its own market alone', () => {
    const { exchange, sockets } = zbFixture();
    const seen: unknown[] = [];
    exchange.accountFeed.orders('btc_usdt').subscribe((push) => seen.push(push));
    sockets.last.events.opened();
    const push = (market: string, record: unknown) =>
      sockets.last.push({
        dataType: 'userIncrRecord',
        channel: 'push_user_incr_record',
        market,
        record,
      });
    push('btcusdtdefault', ORDER_ROW);
    push('ethusdtdefault', ORDER_ROW);
    push('btcusdtdefault', [...ORDER_ROW, '2796890056', 30000, 0.0002, NOW_MS + 90]);
    expect(seen).toMatchObject([
      { order: { side: 'buy', type: 'limit', filledAmount: 0.0002 }, exchangeTime: NOW_MS },
      { order: { lastTrade: { id: '2796890056' } }, exchangeTime: NOW_MS + 90 },
    ]);
  });

  test('balances reads changed coins and their version', () => {
    const { exchange, sockets } = zbFixture();
    const seen: unknown[] = [];
    exchange.accountFeed.balances().subscribe((push) => seen.push(push));
    sockets.last.events.opened();
    const coins = [{ key: 'BTC', available: '1', freez: '0.5' }];
    sockets.last.push({
      coins,
      dataType: 'userIncrAsset',
      channel: 'push_user_incr_asset',
      version: NOW_MS - 5,
    });
    expect(seen).toMatchObject([
      { balances: [{ currency: 'btc' }], exchangeTime: NOW_MS - 5, receivedTime: NOW_MS },
    ]);
  });
});
