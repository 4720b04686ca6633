import fc from 'fast-check';
import { throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  BUFFERED_BYTES_MAX,
  CHANNELS_MAX,
  FRAME_LENGTH_MAX,
} from '../../../../../src/venues/zb/server/push/session.ts';
import { KEY, sessionFixture, signedFrame, TICKER } from '../fixture.ts';

const ASSETS = 'push_user_incr_asset';

describe('PushSession', () => {
  it('answers both kinds of ping', () => {
    const { session, frames, add, heard } = sessionFixture();
    session.receive('ping');
    expect(frames.splice(0)).toEqual(['pong']);
    add('ping');
    expect(heard()).toEqual([expect.objectContaining({ channel: 'pong' })]);
  });

  it('says 1007 of an unknown channel, word for word', () => {
    const { add, frames } = sessionFixture();
    add('btc_usdt_ticker');
    expect(frames).toEqual([
      '{"no":"0","code":1007,"success":false,"channel":"btc_usdt_ticker","message":"Channel is empty"}',
    ]);
  });

  it.each([
    '',
    'btcusdt',
    'btcusdt_',
    '_ticker',
    'dogeusdt_ticker',
    'btcusdt_kline_2min',
    'BTCUSDT_ticker',
  ])('has no channel %j', (channel) => {
    const { add, heard } = sessionFixture();
    add(channel);
    expect(heard()).toMatchObject([{ code: 1007, channel }]);
  });

  it.each([undefined, '', 'subscribe', 7])('says 1008 of the event %j', (event) => {
    const { say, heard } = sessionFixture();
    say({ event, channel: 'btcusdt_ticker', no: 'a1' });
    expect(heard()).toMatchObject([
      { code: 1008, success: false, channel: 'btcusdt_ticker', no: 'a1' },
    ]);
  });

  it.each(['', '{', 'null', '7', '"x"', '[]', 'PING', '{"event":{}}', `${'['.repeat(9_999)}`])(
    'answers %j with an error frame',
    (text) => {
      const { session, heard } = sessionFixture();
      session.receive(text);
      expect(heard()).toMatchObject([{ code: 3005, success: false }]);
    },
  );
});

describe('PushSession under hostile frames', () => {
  it('never throws, whatever it is sent', () => {
    const { session, state } = sessionFixture();
    const field = fc.constantFrom(
      'event',
      'channel',
      'no',
      'market',
      'sign',
      'accesskey',
      'length',
    );
    const value = fc.oneof(
      fc.constantFrom('addChannel', 'removeChannel', ASSETS, 'push_user_incr_record', 'markets'),
      fc.jsonValue(),
      fc.constant(KEY.accessKey),
    );
    const frame = fc.oneof(
      fc.dictionary(field, value).map((f) => JSON.stringify(f)),
      fc.string(),
    );
    fc.assert(
      fc.property(frame, (text) => session.receive(text)),
      { seed: 7, numRuns: 2_000 },
    );
    expect(state.closed).toBe(false);
  });
});

describe('PushSession subscriptions', () => {
  it('stops a channel that is removed, and only that', () => {
    const { add, remove, heard, feeds } = sessionFixture();
    add('btcusdt_ticker');
    add('btcusdt_depth');
    remove('btcusdt_depth');
    heard();
    expect([feeds.ticker.observed, feeds.depth.observed]).toEqual([true, false]);
    feeds.ticker.next(TICKER);
    expect(heard()).toMatchObject([{ channel: 'btcusdt_ticker' }]);
    remove('btcusdt_never_added');
    expect(heard()).toEqual([]);
  });

  it('begins a channel anew when it is asked for again, and sends no frame twice', () => {
    const { add, heard, feeds } = sessionFixture();
    add('btcusdt_ticker');
    add('btcusdt_ticker');
    expect(heard()).toHaveLength(2);
    feeds.ticker.next(TICKER);
    expect(heard()).toHaveLength(1);
  });

  it('lets go of the host when the connection is gone', () => {
    const { session, add, say, feeds, frames } = sessionFixture();
    add('btcusdt_ticker');
    say(signedFrame(ASSETS));
    session.end();
    expect([feeds.ticker.observed, feeds.balances.observed]).toEqual([false, false]);
    frames.length = 0;
    session.receive('ping');
    expect(frames).toEqual([]);
  });

  it('tells of a channel whose host fails, and may be asked again', () => {
    const market = { ticker: () => throwError(() => new Error('boom')) };
    const { add, heard, lines, feeds } = sessionFixture({ market });
    add('btcusdt_ticker');
    expect(heard()).toMatchObject([{ code: 1002, channel: 'btcusdt_ticker' }]);
    expect(lines).toMatchObject([{ level: 'error' }]);
    expect(feeds.ticker.observed).toBe(false);
    add('btcusdt_ticker');
    expect(heard()).toMatchObject([{ code: 1002 }]);
  });
});

describe('PushSession limits', () => {
  it('drops a peer that reads too slowly', () => {
    const { add, feeds, state, frames, lines } = sessionFixture();
    add('btcusdt_ticker');
    state.bufferedBytes = BUFFERED_BYTES_MAX;
    feeds.ticker.next(TICKER);
    expect([state.closed, frames.length]).toEqual([false, 2]);
    state.bufferedBytes++;
    feeds.ticker.next(TICKER);
    feeds.ticker.next(TICKER);
    expect([state.closed, frames.length, feeds.ticker.observed]).toEqual([true, 2, false]);
    expect(lines).toMatchObject([{ level: 'warn', fields: { reason: 'it reads too slowly' } }]);
  });

  it('drops one slow peer without a gap for the others', () => {
    const { open, feeds } = sessionFixture();
    const [slow, quick] = [open(), open()];
    slow.add('btcusdt_ticker');
    quick.add('btcusdt_ticker');
    slow.state.bufferedBytes = BUFFERED_BYTES_MAX + 1;
    quick.heard();
    feeds.ticker.next(TICKER);
    feeds.ticker.next(TICKER);
    expect([slow.state.closed, quick.heard().length]).toEqual([true, 2]);
  });

  it('drops a peer whose frame is too long', () => {
    const { session, state } = sessionFixture();
    session.receive('x'.repeat(FRAME_LENGTH_MAX + 1));
    expect(state.closed).toBe(true);
  });

  it('bounds the channels of a session', () => {
    const markets = Array.from({ length: CHANNELS_MAX + 1 }, (_, at) => ({
      id: `c${at}_usdt`,
      base: `c${at}`,
      quote: 'usdt',
      priceScale: 2,
      amountScale: 2,
      minAmount: 1,
      minSize: 1,
    }));
    const { add, heard, remove } = sessionFixture({ markets });
    for (const { base } of markets) add(`${base}usdt_ticker`);
    expect(heard().filter(({ code }) => code !== undefined)).toMatchObject([
      { code: 1001, channel: `c${CHANNELS_MAX}usdt_ticker`, message: 'Too many channels' },
    ]);
    remove('c0usdt_ticker');
    add(`c${CHANNELS_MAX}usdt_ticker`);
    expect(heard()).toMatchObject([{ dataType: 'ticker' }]);
  });
});
