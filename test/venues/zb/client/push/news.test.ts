import { describe, expect, test } from 'vitest';
import { silentLogger, VirtualClock } from '../../../../../src/kernel/index.ts';
import { PushNews } from '../../../../../src/venues/zb/client/push/news.ts';

function created() {
  const clock = new VirtualClock(0);
  const lines: string[] = [];
  const line = (level: string) => (fields: { reason?: string }, text: string) =>
    void lines.push(`${level} ${text}${fields.reason === undefined ? '' : `: ${fields.reason}`}`);
  const logger = {
    ...silentLogger,
    ...{ debug: line('debug'), info: line('info'), warn: line('warn') },
  };
  const news = new PushNews(clock, logger);
  const lost = (lasted: boolean) =>
    news.ended({ reason: 'gone', waitMs: 1, stood: true }, { lasted });
  const failed = () =>
    news.ended({ reason: 'ECONNREFUSED', waitMs: 1, stood: false }, { lasted: false });
  return { clock, lines, news, lost, failed };
}

describe('PushNews', () => {
  test('tells a loss once, attempts in vain once a minute, and that it is open again', () => {
    const { clock, lines, news, lost, failed } = created();
    news.opened();
    lost(true);
    for (let at = 0; at < 75; at++) {
      failed();
      clock.advanceBy(1_000);
    }
    news.opened();
    lost(true);
    expect(lines.filter((line) => !line.startsWith('debug'))).toEqual([
      'warn push connection lost: gone',
      'warn push connection cannot be opened again: ECONNREFUSED',
      'warn push connection cannot be opened again: ECONNREFUSED',
      'info push connection is open again',
      'warn push connection lost: gone',
    ]);
  });

  test('tells each loss of one that stood for long, though they be within a minute', () => {
    const { lines, lost } = created();
    lost(true);
    lost(true);
    expect(lines).toEqual(['warn push connection lost: gone', 'warn push connection lost: gone']);
  });

  test('does not say "again" of one that never stood', () => {
    const { lines, failed } = created();
    failed();
    expect(lines).toEqual(['warn push connection cannot be opened: ECONNREFUSED']);
  });

  test('tells of one that is opened and shut at once no more than once a minute', () => {
    const { lines, news, lost } = created();
    for (let at = 0; at < 3; at++) {
      news.opened();
      lost(false);
    }
    expect(lines).toEqual([
      'warn push connection lost: gone',
      'info push connection is open again',
      'debug push connection lost: gone',
      'debug push connection lost: gone',
    ]);
  });
});
