import { describe, expect, it } from 'vitest';
import { Blackouts } from '../../../src/app/status/blackouts.ts';
import { HOUR_MS, silentLogger, VirtualClock } from '../../../src/kernel/index.ts';
import { riskConfigSchema } from '../../../src/risk/index.ts';
import { makeMarket } from '../../domain/fixture.ts';

function created(risk: object) {
  const clock = new VirtualClock(Date.UTC(2024, 0, 1, 13));
  const markets = new Map(['btc_usdt', 'eth_usdt'].map((id) => [id, { ...makeMarket(), id }]));
  const blackouts = new Blackouts({ clock, markets, risk: riskConfigSchema.parse(risk) });
  const lines: string[] = [];
  const tell = (_fields: object, text: string): void => {
    lines.push(`${new Date(clock.now()).toISOString().slice(11, 16)} ${text}`);
  };
  return { clock, lines, blackouts, logger: { ...silentLogger, info: tell } };
}

const BOTH = 'btc_usdt, eth_usdt';
const WHAT = 'only orders that shrink a position leave';

describe('Blackouts', () => {
  it('tell the log of the beginning and the end of each, once for all markets of the same', () => {
    const { clock, lines, blackouts, logger } = created({
      blackouts: [
        { from: '13:30', to: '14:30' },
        { from: '14:00', to: '15:00' },
      ],
    });
    const following = blackouts.follow(logger);
    clock.advanceBy(25 * HOUR_MS);
    expect(lines).toEqual([
      `13:30 a blackout of ${BOTH} until 15:00 UTC: ${WHAT}`,
      `15:00 the blackout of ${BOTH} is over`,
      `13:30 a blackout of ${BOTH} until 15:00 UTC: ${WHAT}`,
    ]);
    following.unsubscribe();
    clock.advanceBy(25 * HOUR_MS);
    expect(lines).toHaveLength(3);
  });

  it('tell at once of one that is under way, each market for itself where it has its own', () => {
    const markets = { eth_usdt: { blackouts: [{ from: '12:00', to: '13:01' }] } };
    const { clock, lines, blackouts, logger } = created({ markets });
    blackouts.follow(logger);
    expect(['btc_usdt', 'eth_usdt'].map((id) => blackouts.untilText(id))).toEqual([
      undefined,
      '13:01 UTC',
    ]);
    clock.advanceBy(HOUR_MS);
    expect(lines).toEqual([
      `13:00 a blackout of eth_usdt until 13:01 UTC: ${WHAT}`,
      '13:01 the blackout of eth_usdt is over',
    ]);
  });

  it('go by the date: the log hears of one that is set within a minute', () => {
    const { clock, lines, blackouts, logger } = created({
      blackouts: [{ from: '15:00', to: '16:00' }],
    });
    let aheadMs = 2 * HOUR_MS;
    Object.assign(clock, { wallMs: () => clock.now() + aheadMs });
    blackouts.follow(logger);
    expect(blackouts.untilText('btc_usdt')).toBe('16:00 UTC');
    aheadMs = 0;
    expect(blackouts.untilText('btc_usdt')).toBeUndefined();
    clock.advanceBy(3 * HOUR_MS - 1);
    expect(lines).toEqual([
      `13:00 a blackout of ${BOTH} until 16:00 UTC: ${WHAT}`,
      `13:01 the blackout of ${BOTH} is over`,
      `15:00 a blackout of ${BOTH} until 16:00 UTC: ${WHAT}`,
    ]);
  });

  it('name the date of an end that is more than a day away, and none where there is no end', () => {
    const days = created({
      blackouts: [
        { from: '00:00', to: '00:00', days: ['mon', 'tue'] },
        { from: '00:00', to: '06:00', days: ['wed'] },
      ],
    });
    expect(days.blackouts.untilText('btc_usdt')).toBe('2024-01-03 06:00 UTC');
    const { clock, lines, blackouts, logger } = created({
      blackouts: [{ from: '00:00', to: '00:00' }],
    });
    blackouts.follow(logger);
    clock.advanceBy(9 * 24 * HOUR_MS);
    expect(lines).toEqual([`13:00 a blackout of ${BOTH} until the settings change: ${WHAT}`]);
  });
});
