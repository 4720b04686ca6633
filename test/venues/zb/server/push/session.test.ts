import { throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { DEFAULT_PUSH_BOUNDS } from '../../../../../src/venues/zb/server/config.ts';
import { sessionFixture, signedFrame, TICKER } from '../fixture.ts';

/** Tickers that each differ from the one before. */
let serial = 0;
const ticker = () => ({ ...TICKER, last: ++serial });

const ASSETS = 'push_user_incr_asset';

describe('PushSession', () => {
  it('takes single quotes, as programs for this exchange write them', () => {
    const { session, heard } = sessionFixture();
    session.receive("{'event':'addChannel','channel':'btcusdt_depth'}");
    expect(heard()).toMatchObject([{ channel: 'btcusdt_depth', dataType: 'depth' }]);
  });

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

  it('says 1007 of an empty channel, added or removed', () => {
    const { add, remove, heard } = sessionFixture();
    add('');
    remove('');
    expect(heard()).toMatchObject([
      { code: 1007, channel: '', message: 'Channel is empty' },
      { code: 1007, channel: '', message: 'Channel is empty' },
    ]);
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

describe('PushSession subscriptions', () => {
  it('stops a channel that is removed, and only that', () => {
    const { add, remove, heard, feeds } = sessionFixture();
    add('btcusdt_ticker');
    add('btcusdt_depth');
    remove('btcusdt_depth');
    heard();
    expect([feeds.ticker.observed, feeds.depth.observed]).toEqual([true, false]);
    feeds.ticker.next(ticker());
    expect(heard()).toMatchObject([{ channel: 'btcusdt_ticker' }]);
    remove('btcusdt_never_added');
    expect(heard()).toEqual([]);
  });

  it('takes no notice of market and key on a public channel', () => {
    const { add, heard, feeds } = sessionFixture();
    add('btcusdt_ticker', { market: 'a', accesskey: 'k' });
    add('btcusdt_ticker', { market: 'b' });
    heard();
    feeds.ticker.next(ticker());
    expect(heard()).toHaveLength(1);
  });

  it('keeps the channel when it is asked for anew in a way that cannot be served', () => {
    const { add, heard, feeds } = sessionFixture();
    add('btcusdt_quick_depth', { length: 10 });
    add('btcusdt_quick_depth', { length: 11 });
    expect(heard()).toMatchObject([{ dataType: 'quickDepth' }, { code: 3005 }]);
    expect(feeds.depth.observed).toBe(true);
  });

  it('begins a channel anew when it is asked for again, and sends no frame twice', () => {
    const { add, heard, feeds } = sessionFixture();
    add('btcusdt_ticker');
    add('btcusdt_ticker');
    expect(heard()).toHaveLength(2);
    feeds.ticker.next(ticker());
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

describe('PushSession bounds', () => {
  const push = { frameBytesMax: 256, bufferedBytesMax: 1_000, channelsMax: 3 };

  it('drops a peer that reads too slowly, and says so', () => {
    const { add, feeds, state, frames, lines } = sessionFixture({ push });
    add('btcusdt_ticker');
    state.bufferedBytes = 1_000;
    feeds.ticker.next(ticker());
    expect([state.closed, frames.length]).toEqual([false, 2]);
    state.bufferedBytes = 1_001;
    feeds.ticker.next(ticker());
    feeds.ticker.next(ticker());
    expect([state.closed, frames.length, feeds.ticker.observed]).toEqual([true, 2, false]);
    const fields = { address: '10.0.0.1', reason: 'it reads too slowly', bufferedBytes: 1_001 };
    expect(lines).toEqual([{ level: 'warn', message: 'push connection dropped', fields }]);
  });

  it('drops a peer that only asks and never reads', () => {
    const { session, state, frames } = sessionFixture({ push });
    state.bufferedBytes = 1_001;
    session.receive('ping');
    session.ping(Buffer.from('abc'));
    expect([state.closed, frames]).toEqual([true, []]);
  });

  it('drops one slow peer without a gap for the others', () => {
    const { open, feeds } = sessionFixture({ push });
    const [slow, quick] = [open(), open()];
    slow.add('btcusdt_ticker');
    quick.add('btcusdt_ticker');
    slow.state.bufferedBytes = 1_001;
    quick.heard();
    feeds.ticker.next(ticker());
    feeds.ticker.next(ticker());
    expect([slow.state.closed, quick.heard().length]).toEqual([true, 2]);
  });

  it('drops a peer whose frame is too long', () => {
    const { session, state } = sessionFixture({ push });
    session.receive('x'.repeat(256));
    expect(state.closed).toBe(false);
    session.receive('x'.repeat(257));
    expect(state.closed).toBe(true);
  });

  it('bounds the channels of a session, however often they are asked for', () => {
    const { add, heard, remove } = sessionFixture({ push });
    const channels = ['ticker', 'depth', 'trades', 'kline_1min'].map((name) => `btcusdt_${name}`);
    for (const channel of [...channels.slice(0, 3), ...channels]) add(channel);
    expect(heard().filter(({ success }) => success === false)).toMatchObject([
      { code: 1001, channel: 'btcusdt_kline_1min', message: 'Too many channels' },
    ]);
    remove('btcusdt_ticker');
    add('btcusdt_kline_1min');
    expect(heard()).toMatchObject([{ isSuc: true }]);
  });

  it('is generous by default', () => {
    expect(DEFAULT_PUSH_BOUNDS).toEqual({
      frameBytesMax: 65_536,
      bufferedBytesMax: 4_194_304,
      channelsMax: 1_000,
    });
  });
});
