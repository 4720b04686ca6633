import { describe, expect, it } from 'vitest';
import { alertingLogger } from '../../../src/app/alerts/alerting-logger.ts';
import { toldFixture } from './fixture.ts';

function loggerFixture(level: 'warn' | 'error') {
  const { logger: inner, told } = toldFixture();
  const alerts: string[] = [];
  const logger = alertingLogger(
    { ...inner, isLevelEnabled: () => false },
    { level, tell: (what, text) => void alerts.push(`${what} ${text}`) },
  );
  for (const name of ['debug', 'info', 'warn', 'error'] as const) logger[name]({}, 'said');
  return { alerts, logger, told };
}

describe('alertingLogger', () => {
  it.each([
    ['error', ['error said']],
    ['warn', ['warn said', 'error said']],
  ] as const)('tells as alerts what is said at level %s or above', (level, alerts) => {
    expect(loggerFixture(level).alerts).toEqual(alerts);
  });

  it('hands everything on to the log', () => {
    const all = ['debug said', 'info said', 'warn said', 'error said'];
    expect(loggerFixture('error').told).toEqual(all);
  });

  it('has worded what is an alert, though the log does not show it', () => {
    const { logger } = loggerFixture('error');
    const levels = ['debug', 'info', 'warn', 'error'] as const;
    expect(levels.filter((level) => logger.isLevelEnabled?.(level))).toEqual(['error']);
    const warned = loggerFixture('warn').logger;
    expect(levels.filter((level) => warned.isLevelEnabled?.(level))).toEqual(['warn', 'error']);
  });
});
