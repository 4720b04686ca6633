import { describe, expect, test } from 'vitest';
import type { Connection } from '../../../../../src/exchange/index.ts';
import {
  signatureOf,
  signedFrameText,
  signingKeyOf,
} from '../../../../../src/venues/zb/wire/index.ts';
import { keptLines } from '../../../../kernel/fixture.ts';
import { depthFrame, KEYS, zbFixture } from '../fixture.ts';

const TICKER_REFUSED = {
  no: '0',
  code: 1007,
  success: false,
  channel: 'btcusdt_ticker',
  message: 'Channel is empty',
};

describe('channels', () => {
  test('begin with the first listener and end with the last', () => {
    const { exchange, sockets } = zbFixture();
    exchange.marketFeed.connection().subscribe();
    sockets.last.events.opened();
    const { depth: depthOf } = exchange.marketFeed;
    const first = depthOf('btc_usdt').subscribe();
    const second = depthOf('btc_usdt').subscribe();
    first.unsubscribe();
    expect(sockets.last.frames).toEqual([{ event: 'addChannel', channel: 'btcusdt_depth' }]);
    second.unsubscribe();
    expect(sockets.last.frames.at(-1)).toEqual({
      event: 'removeChannel',
      channel: 'btcusdt_depth',
    });
    depthOf('btc_usdt').subscribe();
    expect(sockets.last.frames).toHaveLength(3);
  });

  test('begin again, all of them, on every new connection', () => {
    const { exchange, clock, sockets } = zbFixture();
    const { marketFeed, accountFeed } = exchange;
    marketFeed.ticker('btc_usdt').subscribe();
    marketFeed.trades('eth_usdt').subscribe();
    marketFeed.candles({ market: 'btc_usdt', interval: '1min' }).subscribe();
    marketFeed.candles({ market: 'btc_usdt', interval: '5min' }).subscribe();
    marketFeed.candles({ market: 'eth_usdt', interval: '5min' }).subscribe();
    accountFeed.orders('btc_usdt').subscribe();
    accountFeed.balances().subscribe();
    marketFeed.depth('btc_usdt').subscribe().unsubscribe();
    const wanted = [
      'btcusdt_ticker',
      'ethusdt_trades',
      'btcusdt_kline_1min',
      'btcusdt_kline_5min',
      'ethusdt_kline_5min',
      'push_user_incr_record',
      'push_user_incr_asset',
    ];
    for (let round = 0; round < 3; round++) {
      sockets.last.events.opened();
      expect(sockets.last.frames.map(({ channel }) => channel)).toEqual(wanted);
      sockets.last.events.closed('gone');
      clock.advanceBy(30_000);
    }
  });

  test('sign what is private', () => {
    const { exchange, sockets } = zbFixture();
    exchange.accountFeed.orders('btc_usdt').subscribe();
    sockets.last.events.opened();
    const { sign, ...fields } = sockets.last.frames[0]!;
    expect(fields).toMatchObject({ accesskey: KEYS.accessKey, market: 'btcusdtdefault' });
    expect(sign).toBe(signatureOf(signingKeyOf(KEYS.secretKey), signedFrameText(fields)));
  });
});

describe('channels in trouble', () => {
  test('outlive frames that cannot be read', () => {
    const { exchange, sockets, logger } = zbFixture();
    const bids: number[] = [];
    exchange.marketFeed.depth('btc_usdt').subscribe(({ bids: [best] }) => bids.push(best![0]));
    sockets.last.events.opened();
    for (const text of [
      '<html>',
      '{"channel":"btcusdt_depth"',
      '[1]',
      'null',
      '{}',
      '{"channel":"other_depth"}',
    ]) {
      sockets.last.events.message(text);
    }
    sockets.last.push({ channel: 'btcusdt_depth', asks: 5 });
    sockets.last.push(depthFrame(7));
    expect(bids).toEqual([7]);
    expect(logger.lines).toHaveLength(3);
  });

  test('warn once a minute of frames that cannot be read', () => {
    const { lines: told, logger } = keptLines();
    const { exchange, clock, sockets } = zbFixture({ logger });
    exchange.marketFeed.depth('btc_usdt').subscribe();
    sockets.last.events.opened();
    for (let second = 0; second < 90; second++) {
      sockets.last.push({ channel: 'btcusdt_depth', asks: second });
      sockets.last.events.message(`<html>${second}`);
      clock.advanceBy(1_000);
    }
    // Frames of a channel, and frames of none.
    expect(told).toEqual(Array(4).fill('push frame is not legible'));
  });

  test('a refused one is told to the log and begun again later, once however many refusals', () => {
    const { exchange, clock, sockets, logger } = zbFixture();
    exchange.marketFeed.ticker('btc_usdt').subscribe();
    sockets.last.events.opened();
    for (let i = 0; i < 5; i++) sockets.last.push(TICKER_REFUSED);
    for (let i = 0; i < 3; i++) {
      clock.advanceBy(10_000);
      sockets.last.events.message('pong');
    }
    expect(logger.lines).toHaveLength(5);
    expect(sockets.last.frames).toHaveLength(2);
  });

  test.each([{}, { dataType: 'userIncrAsset', coins: [] }])(
    'a refused private one takes the account connection down until it is taken, besides %j',
    (kind) => {
      const { exchange, sockets } = zbFixture();
      const account: Connection[] = [];
      const market: Connection[] = [];
      exchange.accountFeed.connection().subscribe((state) => account.push(state));
      exchange.marketFeed.connection().subscribe((state) => market.push(state));
      exchange.accountFeed.balances().subscribe();
      sockets.last.events.opened();
      sockets.last.push({ ...kind, code: '1003', channel: 'push_user_incr_asset', message: 'no' });
      expect(account.at(-1)).toEqual({
        connected: false,
        reason: 'push_user_incr_asset refused: 1003 no',
      });
      expect(market.at(-1)?.connected).toBe(true);
      sockets.last.push({ code: 1000, channel: 'push_user_incr_asset', message: 'ok' });
      expect(account.at(-1)?.connected).toBe(true);
    },
  );
});

describe('a channel that is refused again and again', () => {
  function createRefused() {
    const { exchange, clock, sockets } = zbFixture();
    const ticker = () => exchange.marketFeed.ticker('btc_usdt').subscribe();
    const refuse = () => sockets.last.push(TICKER_REFUSED);
    const refuseAndWait = () => {
      refuse();
      for (let i = 0; i < 4; i++) {
        clock.advanceBy(10_000);
        sockets.last.events.message('pong');
      }
    };
    return { exchange, clock, sockets, ticker, refuse, refuseAndWait };
  }

  test('is begun again each time, on each connection, and no other with it', () => {
    const { exchange, clock, sockets, ticker, refuse, refuseAndWait } = createRefused();
    ticker();
    exchange.marketFeed.depth('btc_usdt').subscribe();
    for (let connection = 0; connection < 2; connection++) {
      sockets.last.events.opened();
      for (let refusal = 0; refusal < 3; refusal++) refuseAndWait();
      const again = ['btcusdt_ticker', 'btcusdt_ticker', 'btcusdt_ticker'];
      expect(sockets.last.frames.map(({ channel }) => channel)).toEqual([
        ...['btcusdt_ticker', 'btcusdt_depth'],
        ...again,
      ]);
      // The next one waits when the connection ends.
      refuse();
      sockets.last.events.closed('gone');
      clock.advanceBy(30_000);
    }
  });

  test('is begun again for who left it and came back', () => {
    const { sockets, ticker, refuse, refuseAndWait } = createRefused();
    const first = ticker();
    sockets.last.events.opened();
    refuse();
    first.unsubscribe();
    ticker();
    const asked = sockets.last.frames.length;
    refuseAndWait();
    expect(sockets.last.frames).toHaveLength(asked + 1);
  });
});
