import { describe, expect, test } from 'vitest';
import type { Connection } from '../../../../../src/exchange/index.ts';
import { Decimal } from '../../../../../src/kernel/index.ts';
import {
  signatureOf,
  signedFrameText,
  signingKeyOf,
} from '../../../../../src/venues/zb/wire/index.ts';
import { KEYS, NOW_MS, zbFixture } from '../fixture.ts';

const COIN = { key: 'BTC', available: '1', freez: '0.5' };
const BALANCE = { currency: 'btc', available: Decimal.of('1'), frozen: Decimal.of('0.5') };
const row = (id: string, status: number) => [id, 30000, 1, 0, 0, 1, NOW_MS, status];
const levels = (from: number, step: number) =>
  Array.from({ length: 20 }, (_, at) => [from + at * step, 1]);

/** A client whose socket is open. */
function opened() {
  const fixture = zbFixture();
  fixture.exchange.marketFeed.connection().subscribe();
  fixture.sockets.last.events.opened();
  return { ...fixture, socket: fixture.sockets.last };
}

describe('quickDepth', () => {
  test('asks for the most levels once and gives each listener as many as it wants', () => {
    const { exchange, socket } = opened();
    const seen: number[][] = [];
    const { quickDepth } = exchange.channels;
    quickDepth({ market: 'btc_usdt', length: 5 }).subscribe(({ bids, asks, last }) =>
      seen.push([bids.length, asks.length, last]),
    );
    quickDepth({ market: 'btc_usdt' }).subscribe(({ bids, asks, last, lastSide }) =>
      seen.push([bids.length, asks.length, last, lastSide === 'sell' ? 1 : 0]),
    );
    expect(socket.frames).toEqual([
      { event: 'addChannel', channel: 'btcusdt_quick_depth', length: 20 },
    ]);
    socket.push({
      ...{ channel: 'btcusdt_quick_depth', dataType: 'quickDepth', lastTime: NOW_MS },
      ...{ listDown: levels(99, -1), listUp: levels(100, 1), currentPrice: 99.5 },
      ...{ high: 110, low: 90, rate: '1.5', currentIsBuy: false },
    });
    expect(seen).toEqual([
      [5, 5, 99.5],
      [20, 20, 99.5, 1],
    ]);
  });
});

describe('markets', () => {
  const data = { btc_usdt: { amountScale: 4, priceScale: 2, minAmount: 1, minSize: 1 } };

  test.each([
    { dataType: 'markets', data },
    { code: 1000, success: true, message: 'ok', data },
    { datas: data },
  ])('tells the rules of %j', (frame) => {
    const { exchange, socket } = opened();
    const seen: unknown[] = [];
    exchange.channels.markets().subscribe((markets) => seen.push(...markets));
    socket.push({ ...frame, channel: 'markets' });
    expect(seen).toMatchObject([{ id: 'btc_usdt', priceScale: 2, amountScale: 4 }]);
  });
});

describe('snapshots of the account', () => {
  test('balances tells all coins', () => {
    const { exchange, socket } = opened();
    const seen: unknown[] = [];
    exchange.channels.balances().subscribe((push) => seen.push(push));
    const { sign, ...fields } = socket.frames[0]!;
    expect(fields).toMatchObject({ channel: 'push_user_asset', accesskey: KEYS.accessKey });
    expect(sign).toBe(signatureOf(signingKeyOf(KEYS.secretKey), signedFrameText(fields)));
    socket.push({
      ...{ coins: [COIN], dataType: 'userAsset', channel: 'push_user_asset', version: NOW_MS - 1 },
    });
    expect(seen).toEqual([{ balances: [BALANCE], exchangeTime: NOW_MS - 1, receivedTime: NOW_MS }]);
  });

  test('orders tells open and past ones of its own market', () => {
    const { exchange, socket } = opened();
    const seen: unknown[] = [];
    exchange.channels.orders('btc_usdt').subscribe((snapshot) => seen.push(snapshot));
    expect(socket.frames[0]).toMatchObject({
      ...{ channel: 'push_user_record', market: 'btcusdtdefault' },
    });
    const push = (market: string, record: unknown, hrecord?: unknown) =>
      socket.push({ channel: 'push_user_record', dataType: 'userRecord', market, record, hrecord });
    push('ethusdtdefault', [row('9', 0)], []);
    push('btcusdtdefault', [row('2', 0), row('3', 3)], [row('1', 2)]);
    push('btcusdtdefault', row('4', 0), []);
    push('btcusdtdefault', [], null);
    push('btcusdtdefault', [['x']], []);
    expect(seen).toMatchObject([
      {
        market: 'btc_usdt',
        open: [{ exchangeOrderId: '2' }, { exchangeOrderId: '3', closed: false }],
        past: [{ exchangeOrderId: '1', closed: true }],
        receivedTime: NOW_MS,
      },
      { open: [{ exchangeOrderId: '4' }], past: [] },
      { open: [], past: [] },
    ]);
  });
});

describe('crossBalances', () => {
  test('tells the coins of the cross account', () => {
    const { exchange, socket } = opened();
    const seen: unknown[] = [];
    exchange.accountFeed.crossBalances().subscribe((push) => seen.push(push));
    expect(socket.frames[0]).toMatchObject({ channel: 'push_user_cross_asset' });
    socket.push({ coins: [COIN], channel: 'push_user_cross_asset', dataType: 'userCrossAsset' });
    expect(seen).toEqual([{ balances: [BALANCE], exchangeTime: NOW_MS, receivedTime: NOW_MS }]);
  });
});

describe('a refusal of a further channel', () => {
  test('leaves the account connected, and is asked again later', () => {
    const { exchange, socket, clock, logger } = opened();
    const states: Connection[] = [];
    exchange.accountFeed.connection().subscribe((state) => states.push(state));
    exchange.accountFeed.crossBalances().subscribe();
    socket.push({ code: 1012, success: false, channel: 'push_user_cross_asset', message: 'no' });
    expect(states.at(-1)?.connected).toBe(true);
    expect(logger.lines).toHaveLength(1);
    for (let i = 0; i < 3; i++) {
      clock.advanceBy(10_000);
      socket.events.message('pong');
    }
    expect(socket.frames).toHaveLength(2);
  });

  test('heals no refusal of a channel that is needed', () => {
    const { exchange, socket } = opened();
    const states: Connection[] = [];
    exchange.accountFeed.connection().subscribe((state) => states.push(state));
    exchange.accountFeed.balances().subscribe();
    exchange.channels.balances().subscribe();
    socket.push({ code: 1003, channel: 'push_user_incr_asset', message: 'no' });
    socket.push({ coins: [COIN], channel: 'push_user_asset', dataType: 'userAsset' });
    expect(states.at(-1)?.connected).toBe(false);
  });
});
