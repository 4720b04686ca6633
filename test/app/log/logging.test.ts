import { describe, expect, it } from 'vitest';
import { logConfigSchema } from '../../../src/app/config/log.ts';
import { createLogger, endableLogger } from '../../../src/app/log/logging.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';
import { keptLog } from '../fixture.ts';

function loggerOf(settings: object = {}, target: object = {}) {
  const log = keptLog();
  const clock = new VirtualClock(Date.UTC(2024, 0, 1));
  const logger = createLogger(logConfigSchema.parse(settings), {
    target: { ...log, ...target },
    clock,
  });
  return { logger, lines: log.lines };
}

describe('createLogger', () => {
  it('writes one JSON object a line to a pipe, stamped by the clock', () => {
    const { logger, lines } = loggerOf();
    logger.info({ market: 'btc_usdt' }, 'bought');
    expect(JSON.parse(lines[0]!)).toEqual({
      level: 'info',
      time: '2024-01-01T00:00:00.000Z',
      market: 'btc_usdt',
      msg: 'bought',
    });
  });

  it('writes sentences to a terminal, and only what they leave out beside them', () => {
    const { logger, lines } = loggerOf({}, { isTerminal: true });
    logger.warn({ market: 'btc_usdt', ageMs: 12 }, 'depth of btc_usdt is stale');
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d warn {2}depth of btc_usdt is stale {2}age=0\.012 s$/);
  });

  it.each(['json', 'pretty'])(
    'keeps what every %s line has apart from fields of that name',
    (format) => {
      const { logger, lines } = loggerOf({ format });
      logger.info({ level: 42, time: 'never', msg: 7 }, 'grid level crossed');
      if (format === 'pretty') {
        expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d info {2}grid level crossed {2}fields\.level=42 /);
      } else {
        expect(lines[0]!.match(/"(level|time|msg)":/g)).toHaveLength(3);
        expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'info', 'fields.level': 42 });
      }
    },
  );

  it('colours a terminal that wants it', () => {
    const { logger, lines } = loggerOf({}, { isTerminal: true, hasColors: true });
    logger.error({ n: 1 }, 'lapsed');
    const told = '\u001b[31merror\u001b[39m lapsed\u001b[2m  n=1\u001b[22m';
    expect(lines[0]).toContain(told);
  });

  it('keeps to its format and its level', () => {
    const { logger, lines } = loggerOf({ format: 'pretty', level: 'warn' });
    logger.info({}, 'not this');
    logger.warn({}, 'but this');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('warn  but this');
  });

  it.each(['secretKey', 'accessKey', 'sign', 'safePwd', 'password'])('redacts %s', (field) => {
    const { logger, lines } = loggerOf();
    logger.error({ [field]: 'hush', venue: { [field]: 'hush', keys: { [field]: 'hush' } } }, 'x');
    expect(lines[0]).not.toContain('hush');
    expect(lines[0]).toContain('***');
  });
});

describe('endableLogger', () => {
  it('tells nothing more once it is ended', () => {
    const { logger: inner, lines } = loggerOf();
    const { logger, end } = endableLogger(inner);
    logger.warn({ market: 'btc_usdt' }, 'first');
    expect(logger.isLevelEnabled?.('debug')).toBe(false);
    expect(logger.isLevelEnabled?.('warn')).toBe(true);
    end();
    logger.error({}, 'second');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'warn',
      market: 'btc_usdt',
      msg: 'first',
    });
    expect(logger.isLevelEnabled?.('warn')).toBe(false);
  });
});
