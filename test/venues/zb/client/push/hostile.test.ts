import fc from 'fast-check';
import { config, type Observable } from 'rxjs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NOW_MS, zbFixture } from '../fixture.ts';

const MARKET = 'btc_usdt';
const ROW = ['202202224851151555', 30000, 0.0006, 0.0002, 6, 1, NOW_MS, 3, 0, 0, 0, 0, 0];
const COIN = { enName: 'btc', available: '2', freez: '1' };
const CANDLE = [NOW_MS - (NOW_MS % 60_000), 1, 1, 1, 1, 1];
const PRICES = { high: '2', low: '1', buy: '1', sell: '2', last: '1.5', open: '1' };
const TICKER = { ...PRICES, riseRate: '50', vol: '9' };
const BOOK = { asks: [[2, 1]], bids: [[1, 1]], timestamp: NOW_MS };

/** A frame of each channel. */
const FRAMES: readonly Readonly<Record<string, unknown>>[] = [
  { channel: 'btcusdt_ticker', dataType: 'ticker', ticker: TICKER, date: NOW_MS },
  { channel: 'btcusdt_depth', dataType: 'depth', ...BOOK },
  { channel: 'btcusdt_kline_1min', isSuc: true, datas: { data: [CANDLE] } },
  { channel: 'push_user_incr_record', market: 'btcusdtdefault', record: ROW },
  { channel: 'push_user_incr_asset', version: NOW_MS, coins: [COIN] },
];

const strange = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    ...[null, '1e999', -1, 0, 1e308, 'NaN', '\u001b[2J', [], {}, [[]], [null], 9e15],
    ...[{ toString: 1, valueOf: 1 }, { length: -1 }, JSON.parse('{"__proto__":[]}') as object],
  ),
);

/** The same frame with one value replaced. */
const spoilt = fc
  .tuple(fc.constantFrom(...FRAMES), strange, fc.array(fc.nat(99), { minLength: 1, maxLength: 4 }))
  .map(([frame, value, picks]) => JSON.stringify(changed(frame, { value, picks })));

function changed(
  part: unknown,
  { value, picks: [pick, ...picks] }: { value: unknown; picks: readonly number[] },
): unknown {
  if (typeof part !== 'object' || part === null || pick === undefined) return value;
  const copy = structuredClone(part) as Record<string, unknown>;
  const keys = Object.keys(copy);
  const key = keys[pick % keys.length]!;
  copy[key] = changed(copy[key], { value, picks });
  return copy;
}

const text = fc.oneof(
  { weight: 8, arbitrary: spoilt },
  fc.json(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('['.repeat(100_000), `${'[1234567890123456789,'.repeat(20_000)}0`),
);

function listenersFixture() {
  const { exchange, sockets } = zbFixture();
  const { marketFeed: market, accountFeed: account } = exchange;
  const ends: unknown[] = [];
  config.onUnhandledError = (error) => ends.push(error);
  onTestFinished(() => {
    config.onUnhandledError = null;
  });
  const heard: string[] = [];
  const listen = (name: string, feed: Observable<unknown>) =>
    feed.subscribe({
      next: () => heard.push(name),
      error: (error) => ends.push(error),
      complete: () => ends.push(name),
    });
  listen('ticker', market.ticker(MARKET));
  listen('depth', market.depth(MARKET));
  listen('candles', market.candles({ market: MARKET, interval: '1min' }));
  listen('orders', account.orders(MARKET));
  listen('balances', account.balances());
  sockets.last.events.opened();
  return { socket: sockets.last, heard, ends };
}

describe('feeds that are sent anything', () => {
  test('throw nothing, go on, and hear what is well formed', async () => {
    const { socket, heard, ends } = listenersFixture();
    fc.assert(
      fc.property(text, (frame) => {
        socket.events.message(frame);
      }),
      { seed: 6, numRuns: 2_000 },
    );
    heard.length = 0;
    for (const frame of FRAMES) socket.push({ ...frame });
    socket.push({ ...FRAMES[2], datas: { data: [[...CANDLE.slice(0, 5), 7]] } });
    // RxJS reports unhandled errors in a task of their own.
    await new Promise((resolve) => setImmediate(resolve));
    expect(ends).toEqual([]);
    expect(new Set(heard)).toEqual(new Set(['ticker', 'depth', 'candles', 'orders', 'balances']));
  });
});
