import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FULL_KEY, sessionFixture, signedFrame } from '../fixture.ts';
import { TICKER } from '../samples.ts';

const PRIVATE = [
  'push_user_incr_record',
  'push_user_incr_asset',
  'push_user_record',
  'push_user_asset',
  'push_user_cross_asset',
];
const PUBLIC = ['ticker', 'depth', 'trades', 'quick_depth', 'kline_1min', 'kline_1week'];

const channel = fc.oneof(
  fc.constantFrom(...PRIVATE, ...PUBLIC.map((name) => `btcusdt_${name}`), 'markets', 'ping'),
  fc.constantFrom('__proto__', 'constructor', 'btcusdt___proto__', 'BTCUSDT_ticker', '_', ''),
  fc.string({ unit: 'binary' }),
);
const value = fc.oneof(
  fc.constantFrom('addChannel', 'removeChannel', 'btcusdtdefault', FULL_KEY.accessKey, 'default'),
  fc.constantFrom(5, 10, 20, '5', 1e308, -0, Number.MAX_SAFE_INTEGER, null, true),
  channel,
  fc.jsonValue(),
);
const field = fc.oneof(
  fc.constantFrom('event', 'channel', 'no', 'market', 'sign', 'accesskey', 'length', '__proto__'),
  fc.string(),
);

/** Frames of all kinds: nearly good ones, signed ones, JSON of any shape and no JSON at all. */
const text = fc.oneof(
  fc.dictionary(field, value).map((fields) => JSON.stringify(fields)),
  fc
    .record({ event: fc.constantFrom('addChannel', 'removeChannel'), channel, length: value })
    .map((fields) => JSON.stringify(fields)),
  fc
    .record({ name: channel, market: fc.constantFrom('btcusdtdefault', 'x'), no: fc.string() })
    .map(({ name, market, no }) => JSON.stringify(signedFrame(name, { market, no }))),
  fc.json(),
  fc.string({ unit: 'binary' }),
  fc.integer({ min: 1, max: 20_000 }).map((depth) => '['.repeat(depth)),
  fc
    .integer({ min: 1, max: 9_000 })
    .map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
  fc.integer({ min: 1, max: 5_000 }).map((count) => `{${"'a':'b',".repeat(count)}`),
);

/** What every frame of the server must be: an object that names its channel, or a pong. */
function expectWellFormed(frame: string): void {
  if (frame === 'pong') return;
  const fields = JSON.parse(frame);
  expect(typeof fields.channel).toBe('string');
  if (fields.success === false) {
    expect(fields).toEqual({
      no: expect.any(String),
      code: expect.any(Number),
      success: false,
      channel: fields.channel,
      message: expect.any(String),
    });
    expect([1001, 1003, 1007, 1008, 1012, 3005]).toContain(fields.code);
    return;
  }
  const isData = typeof fields.dataType === 'string' || fields.isSuc === true;
  expect(isData || fields.code === 1000).toBe(true);
}

describe.each(['documented', 'recorded'] as const)('PushSession, %s', (dialect) => {
  it('answers any sequence of frames with silence or well-formed frames', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 30 }), (texts) => {
        const { session, frames, state, lines, feeds } = sessionFixture({
          keys: [FULL_KEY],
          dialect,
        });
        for (const one of texts) session.receive(one);
        feeds.ticker.next({ ...TICKER, last: 1 });
        frames.forEach(expectWellFormed);
        expect([state.closed, lines]).toEqual([false, []]);
        session.end();
        const listened = Object.values(feeds).filter(({ observed }) => observed);
        expect(listened).toEqual([]);
      }),
      { seed: 7, numRuns: 150 },
    );
  });
});

describe('PushSession', () => {
  it('sends one frame, no more, for any one text that is no subscription', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (one) => {
        fc.pre(one !== '');
        const { session, frames } = sessionFixture();
        session.receive(one);
        expect(frames).toHaveLength(1);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it('holds what thousands of subscriptions of a peer cost', () => {
    const { session, frames, feeds } = sessionFixture();
    for (let at = 0; at < 5_000; at++) {
      const length = [5, '10', 20][at % 3];
      const one = { event: 'addChannel', channel: 'btcusdt_quick_depth', length, market: `m${at}` };
      session.receive(JSON.stringify(one));
    }
    expect(frames).toHaveLength(5_000);
    expect(feeds.depth.observers).toHaveLength(1);
    for (let at = 0; at < 5_000; at++) {
      session.receive(JSON.stringify({ event: 'addChannel', channel: `c${at}_ticker` }));
    }
    expect(feeds.ticker.observers).toHaveLength(1);
  });
});
