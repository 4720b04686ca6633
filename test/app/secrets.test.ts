import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { logConfigSchema } from '../../src/app/config/log.ts';
import { AppError } from '../../src/app/errors.ts';
import { createLogger } from '../../src/app/log/logging.ts';
import { type Blot, blotOf, blottedError, blottedLogger } from '../../src/app/secrets.ts';
import { ExchangeFailure } from '../../src/exchange/index.ts';
import { foreignFields, VirtualClock } from '../../src/kernel/index.ts';
import { keptLog } from './fixture.ts';

/** What blots the values of two keys, one of which is a part of the other. */
function blotFor(accessKey = 'hush-hush', secretKey = 'hush-hush-more'): Blot | undefined {
  vi.stubEnv('OWN_ACCESS_KEY', accessKey);
  vi.stubEnv('OWN_SECRET_KEY', secretKey);
  onTestFinished(() => void vi.unstubAllEnvs());
  const keys = { accessKey: { env: 'OWN_ACCESS_KEY' }, secretKey: { env: 'OWN_SECRET_KEY' } };
  return blotOf({ venue: { kind: 'zb', ...keys } } as Parameters<typeof blotOf>[0]);
}

describe('blotOf', () => {
  it('puts stars in the place of both keys, wherever they stand', () => {
    expect(blotFor()?.('a hush-hush-more b=hush-hush&hush-hush')).toBe('a *** b=***&***');
  });

  it('knows them where a query or JSON writes them otherwise', () => {
    const blot = blotFor('hush/hush "1"')!;
    expect(blot('x?k=hush%2Fhush+%221%22 hush%2Fhush%20%221%22')).toBe('x?k=*** ***');
    expect(blot(JSON.stringify({ k: 'hush/hush "1"' }))).toBe('{"k":"***"}');
  });

  it('leaves texts alone where keys are missing, or too short to be any', () => {
    expect(blotFor('', 'b')?.('a b c')).toBe('a b c');
    expect(blotOf({ venue: { kind: 'simulated' } } as Parameters<typeof blotOf>[0])).toBe(
      undefined,
    );
  });
});

describe('blottedError', () => {
  it('keeps the exit reason of an error that is foreseen', () => {
    const failure = new ExchangeFailure('rejected', 'no hush-hush', {});
    const error = blottedError(failure, blotFor()) as AppError;
    expect(error).toBeInstanceOf(AppError);
    expect([error.message, error.reason]).toEqual(['no ***', 'exchange']);
  });

  it('blots the stack of one that nobody foresaw', () => {
    const error = blottedError(new TypeError('no hush-hush'), blotFor()) as Error;
    expect([error.name, error.message]).toEqual(['TypeError', 'no ***']);
    expect(error.stack).toMatch(/^TypeError: no \*\*\*\n +at /);
  });
});

describe('blottedLogger', () => {
  /** The line that the log gets of these fields and a sentence. */
  function lineOf(fields: object): string {
    const log = keptLog();
    const clock = new VirtualClock(0);
    const plain = createLogger(logConfigSchema.parse({}), { target: log, clock });
    blottedLogger(plain, blotFor()!).info(fields, 'said hush-hush');
    return log.lines.join('');
  }

  it('blots sentences and fields, however deep and whatever they are called', () => {
    const failure = new Error('hush-hush-more failed');
    const money = { toJSON: () => 'hush-hush' };
    const line = lineOf({ url: 'x?key=hush-hush', a: { b: [{ 'hush-hush': 1 }] }, failure, money });
    expect(line).not.toContain('hush');
    expect(JSON.parse(line)).toMatchObject({
      ...{ msg: 'said ***', url: 'x?key=***', a: { b: [{ '***': 1 }] }, money: '***' },
      failure: expect.stringMatching(/^Error: \*\*\* failed\n/),
    });
  });

  it('blots what JSON takes for a list of letters or of bytes', () => {
    const text = new String('hush-hush');
    const line = JSON.parse(lineOf({ text, bytes: Buffer.from('hush-hush') }));
    expect(line).toMatchObject({ text: '***', bytes: '[9 bytes]' });
  });

  it('blots what would be asked for JSON once more, and errors whose stack is a list', () => {
    const twice = { toJSON: () => ({ toJSON: () => 'hush-hush', a: 1 }) };
    const failure = Object.assign(new Error('hush-hush failed'), { stack: ['hush-hush'] });
    const line = JSON.parse(lineOf({ twice, failure, boxed: new Number(4) }));
    expect(line).toMatchObject({ twice: { a: 1 }, failure: '*** failed', boxed: 4 });
    expect(JSON.stringify(line)).not.toContain('hush');
  });

  it('does not look at what is not written', () => {
    const read = vi.fn(() => 'hush-hush');
    const fields = Object.defineProperty({}, 'tag', { get: read, enumerable: true });
    const log = keptLog();
    const clock = new VirtualClock(0);
    const plain = createLogger(logConfigSchema.parse({}), { target: log, clock });
    const blotted = blottedLogger(plain, blotFor()!);
    blotted.debug(fields, 'hush-hush');
    expect([log.lines, read.mock.calls]).toEqual([[], []]);
    blotted.info(fields, 'hush-hush');
    expect(log.lines).toEqual([expect.stringContaining('"tag":"***","msg":"***"')]);
  });

  it('copies objects that all link to each other once each', () => {
    const reads = vi.fn(() => 'hush-hush');
    const parts = Array.from({ length: 8 }, () =>
      Object.defineProperty({} as Record<string, unknown>, 'key', { get: reads, enumerable: true }),
    );
    for (const part of parts) for (const [at, other] of parts.entries()) part[`k${at}`] = other;
    const line = lineOf({ parts });
    expect(reads).toHaveBeenCalledTimes(parts.length);
    expect(line).toContain('"key":"***"');
    expect(line).not.toContain('hush');
  });

  it('comes to an end with what makes more of itself whenever it is looked at', () => {
    const more = (): object => ({ key: 'hush-hush', toJSON: () => ({ next: more() }) });
    const getter = (): object =>
      Object.defineProperty({ key: 'hush-hush' }, 'next', { get: getter, enumerable: true });
    for (const endless of [more(), getter()]) {
      const line = lineOf({ endless });
      expect(line).toContain('"next":"[Object]"');
      expect(line).not.toContain('hush');
    }
  });

  it('writes what bears no secret as it is, and comes to an end with what holds itself', () => {
    const round: Record<string, unknown> = { price: 1.5, none: null, list: [true] };
    round.self = round;
    expect(JSON.parse(lineOf(round))).toMatchObject({ price: 1.5, none: null, list: [true] });
  });
});

describe('blottedLogger, of whose lines,', () => {
  it('leaves it to be seen whose line it is', () => {
    const log = keptLog();
    const target = { ...log, isTerminal: true };
    const plain = createLogger(logConfigSchema.parse({}), { target, clock: new VirtualClock(0) });
    const blotted = blottedLogger(plain, blotFor()!);
    blotted.info({ price: 7 }, 'own 7');
    blotted.info(foreignFields({ price: 7 }), 'of a strategy 7');
    expect(log.lines).toEqual([
      expect.stringMatching(/own 7$/),
      expect.stringMatching(/of a strategy 7 {2}price=7$/),
    ]);
  });
});
