import { describe, expect, it } from 'vitest';
import { isEnabled, loggerTo, seldomWarning, VirtualClock } from '../../src/kernel/index.ts';

function createSeldom() {
  const clock = new VirtualClock(0);
  const lines: string[] = [];
  const inner = loggerTo(
    (level, _fields, message) => void lines.push(`${level} ${message}`),
    (level) => level !== 'debug',
  );
  return { clock, lines, logger: seldomWarning(inner, clock) };
}

describe('seldomWarning', () => {
  it('warns in the same words once a minute, and tells the others at level debug', () => {
    const { clock, lines, logger } = createSeldom();
    for (let half = 0; half < 4; half++) {
      logger.warn({ half }, 'no answer');
      clock.advanceBy(30_000);
    }
    const told = ['warn no answer', 'debug no answer'];
    expect(lines).toEqual([...told, ...told]);
    logger.warn({}, 'another');
    expect(lines.at(-1)).toBe('warn another');
  });

  it('leaves other levels as they are', () => {
    const { lines, logger } = createSeldom();
    for (const level of ['error', 'info', 'debug'] as const) {
      for (let i = 0; i < 2; i++) logger[level]({}, 'told');
    }
    expect(lines).toEqual(
      ['error', 'error', 'info', 'info', 'debug', 'debug'].map((l) => `${l} told`),
    );
    expect([isEnabled(logger, 'info'), isEnabled(logger, 'debug')]).toEqual([true, false]);
  });
});
