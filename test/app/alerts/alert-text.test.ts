import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Alert,
  type AlertBodyOptions,
  alertBody,
  alertText,
} from '../../../src/app/alerts/alert-text.ts';

const TIME = Date.UTC(2024, 0, 31, 14, 3, 12);

function alertFixture(text: string, overrides: Partial<Alert> = {}): Alert {
  return { time: TIME, level: 'error', text, ...overrides };
}

function bodyFixture(options: Partial<AlertBodyOptions>, alerts = [alertFixture('it broke')]) {
  return alertBody(alerts, { deployment: 'live', format: 'json', ...options });
}

describe('alertText', () => {
  it('names the deployment and says a single alert as it is', () => {
    expect(alertText([alertFixture('it broke')], { deployment: 'live' })).toBe('live: it broke');
  });

  it('says several one a line, with the time of each (UTC)', () => {
    const alerts = [alertFixture('it broke'), alertFixture('again', { time: TIME + 1_000 })];
    expect(alertText(alerts, { deployment: 'live' })).toBe(
      'live: 2 alerts (times UTC)\n14:03:12 it broke\n14:03:13 again',
    );
  });

  it('says how many were dropped', () => {
    expect(alertText([alertFixture('last')], { deployment: 'live', dropped: 3 })).toBe(
      'live: 4 alerts (times UTC)\n(3 others are only in the log)\n14:03:12 last',
    );
  });

  it('cuts what a message cannot hold, and says how many are left out', () => {
    const alerts = Array.from({ length: 100 }, (_, at) => alertFixture(`${at} ${'x'.repeat(90)}`));
    const lines = alertText(alerts, { deployment: 'live' }).split('\n');
    const shown = lines.length - 2;
    expect(lines.at(-1)).toBe(`(${100 - shown} more are in the log)`);
    expect(shown).toBeGreaterThan(10);
  });

  it('says the worst first, so that no row of fills takes its room', () => {
    const fills = Array.from({ length: 60 }, (_, at) =>
      alertFixture(`ema-cross bought 0.01 in btc_usdt at ${60_000 + at}`, { level: 'info' }),
    );
    const warning = alertFixture('data are stale', { level: 'warn' });
    const alerts = [...fills, warning, alertFixture('trading is halted')];
    const lines = alertText(alerts, { deployment: 'live' }).split('\n');
    expect(lines.slice(1, 4)).toEqual([
      '14:03:12 trading is halted',
      '14:03:12 data are stale',
      '14:03:12 ema-cross bought 0.01 in btc_usdt at 60000',
    ]);
  });

  it('never says more than a message holds, and always the beginning of the first', () => {
    const texts = fc.array(fc.string({ minLength: 1, maxLength: 3_000 }), {
      minLength: 1,
      maxLength: 9,
    });
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 5 }), (all, dropped) => {
        const said = alertText(
          all.map((text) => alertFixture(text)),
          { deployment: 'live', dropped },
        );
        expect(said.length).toBeLessThanOrEqual(1_900);
        expect(said).toContain(all[0]!.slice(0, 20));
      }),
    );
  });
});

describe('alertBody', () => {
  it.each([
    ['slack', { text: 'live: it broke' }],
    ['discord', { content: 'live: it broke' }],
    ['telegram', { chat_id: '42', text: 'live: it broke' }],
  ] as const)('is what %s takes', (format, body) => {
    const posted = bodyFixture({ format, chat: '42' });
    expect(JSON.parse(posted.body)).toEqual(body);
    expect(posted.contentType).toBe('application/json');
  });

  it('has every alert whole for programs', () => {
    const alerts = [alertFixture('x'.repeat(5_000)), alertFixture('b', { level: 'warn' })];
    const posted = JSON.parse(bodyFixture({ format: 'json', dropped: 2 }, alerts).body);
    expect(posted).toMatchObject({ deployment: 'live', dropped: 2 });
    expect(posted.alerts).toEqual([
      { time: '2024-01-31T14:03:12.000Z', level: 'error', text: 'x'.repeat(5_000) },
      { time: '2024-01-31T14:03:12.000Z', level: 'warn', text: 'b' },
    ]);
  });

  it('is the text alone where that is wanted', () => {
    const posted = bodyFixture({ format: 'text' });
    expect(posted).toEqual({ contentType: 'text/plain; charset=utf-8', body: 'live: it broke' });
  });
});
