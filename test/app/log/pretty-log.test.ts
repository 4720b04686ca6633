import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { logConfigSchema } from '../../../src/app/config/log.ts';
import { createLogger } from '../../../src/app/log/logging.ts';
import { prettyStream } from '../../../src/app/log/pretty-log.ts';
import { foreignFields, VirtualClock } from '../../../src/kernel/index.ts';
import { keptLog } from '../fixture.ts';

/** The line for people, behind its time and its level. */
function lineOf(fields: object, sentence: string): string {
  const log = keptLog();
  const clock = new VirtualClock(Date.UTC(2024, 0, 1));
  const target = { ...log, isTerminal: true };
  createLogger(logConfigSchema.parse({}), { target, clock }).info(fields, sentence);
  return log.lines.join('').replace(/^\d\d:\d\d:\d\d info {2}/, '');
}

describe('prettyStream', () => {
  it('tells the time of the day in UTC, as all else does', () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    onTestFinished(() => void vi.unstubAllEnvs());
    let told = '';
    const write = (text: string): void => {
      told += text;
    };
    prettyStream({ write }).write('{"level":"info","time":"2024-01-31T18:02:03.400Z","msg":"x"}\n');
    expect(told).toBe('18:02:03 info  x\n');
  });
});

describe('prettyStream, a line of ours', () => {
  const FILL = 'maker bought 0.01 in btc_usdt at 60000.5';

  it('leaves out what its sentence says', () => {
    const said = { market: 'btc_usdt', strategy: 'maker', side: 'buy', amount: 0.01 };
    expect(lineOf({ ...said, price: 60_000.5 }, FILL)).toBe(FILL);
    const what = 'trading is HALTED now: lost too much';
    expect(lineOf({ state: 'HALTED', reason: 'lost too much' }, what)).toBe(what);
  });

  it.each([
    [{ amount: 0.1 }, 'bought 10.1'],
    [{ amount: 10 }, 'bought 10.1'],
    [{ price: 5 }, 'at 1.5'],
    [{ price: 5 }, 'at -5'],
    [{ strategy: 'ema' }, 'ema-cross started'],
    [{ strategy: 'cross' }, 'ema-cross started'],
    [{ market: 'c_usdt' }, 'btc_usdt is stale'],
    [{ code: 200 }, 'HTTP 2000'],
    [{ side: 'sell' }, 'maker bought 1'],
  ])('shows %j beside "%s", a part of a word is not the word', (fields, sentence) => {
    const [[name, value]] = Object.entries(fields) as [[string, unknown]];
    expect(lineOf(fields, sentence)).toBe(`${sentence}  ${name}=${value}`);
  });

  it('shows lengths of time as people read them', () => {
    const sentence = 'depth of btc_usdt is stale';
    expect(lineOf({ ageMs: 75_000 }, sentence)).toBe(`${sentence}  age=1 min 15 s`);
    expect(lineOf(foreignFields({ ageMs: 75_000 }), sentence)).toBe(`${sentence}  ageMs=75000`);
  });

  it('shows counts, whatever numbers the sentence has', () => {
    const sentence = 'Cannot read depth: HTTP 200 without JSON';
    expect(lineOf({ failures: 200 }, sentence)).toBe(`${sentence}  failures=200`);
  });

  it('shows what is not seen, and has no line of a text look like one of its own', () => {
    const sentence = 'rejected: no\n12:00:00 info  all is well\u001b[2J';
    const line = lineOf({ said: 'a\rb' }, sentence);
    expect(line).toBe('rejected: no\n    12:00:00 info  all is well\\u{1b}[2J  said=a\\u{d}b');
  });

  it('leaves out counts that its sentence has ahead of their names', () => {
    const counts = { open: 10, adopted: 0, resolved: 0 };
    const sentence = 'read btc_usdt (start): 10 open, 0 adopted';
    expect(lineOf(counts, sentence)).toBe(`${sentence}  resolved=0`);
    expect(lineOf({ open: 0 }, sentence)).toBe(`${sentence}  open=0`);
  });

  it('shows the id of an order that it does not name', () => {
    const sentence = 'the exchange does not know this order';
    expect(lineOf({ clientOrderId: 'm4k2x7' }, sentence)).toBe(`${sentence}  clientOrderId=m4k2x7`);
  });
});

describe('prettyStream, a line of a strategy', () => {
  const shown = (fields: object, sentence: string) => lineOf(foreignFields(fields), sentence);

  it('shows every field, whatever the sentence says', () => {
    expect(shown({ a: 1, b: 2 }, 'level 12 hit')).toBe('level 12 hit  a=1  b=2');
    const fields = { market: 'btc_usdt', side: 'buy', price: 7, clientOrderId: 'tw01' };
    expect(shown(fields, 'fill in btc_usdt: buy at 7, tw01')).toBe(
      'fill in btc_usdt: buy at 7, tw01  market=btc_usdt  side=buy  price=7  clientOrderId=tw01',
    );
  });

  it('rounds what sums of doubles are off, and no whole number', () => {
    const fields = { mean: 2_499.4449999999997, all: [0.1 + 0.2], id: 9_007_199_254_740_991 };
    expect(shown(fields, 'seen')).toBe('seen  mean=2499.445  all=[0.3]  id=9007199254740991');
  });

  it('keeps the sign of whose it is to itself', () => {
    const log = keptLog();
    const clock = new VirtualClock(0);
    const logger = createLogger(logConfigSchema.parse({}), { target: log, clock });
    logger.info(foreignFields({ a: 1 }), 'seen');
    expect(Object.keys(JSON.parse(log.lines[0]!) as object)).toEqual(['level', 'time', 'a', 'msg']);
  });
});
