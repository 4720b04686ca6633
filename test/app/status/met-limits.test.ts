import { describe, expect, it } from 'vitest';
import { MetLimits } from '../../../src/app/status/met-limits.ts';
import type { TradingEvent } from '../../../src/domain/index.ts';
import { Bus } from '../../../src/kernel/index.ts';

describe('MetLimits', () => {
  it('has the settings of the first refusal of each kind in each market', () => {
    const bus = new Bus<TradingEvent>();
    const settings: (string | undefined)[] = ['one', 'other', 'one', undefined];
    const asked: string[] = [];
    const limits = new MetLimits(bus, ({ code }, market) => {
      asked.push(`${code} ${market}`);
      return settings[asked.length - 1];
    });
    const refuse = (code: string, market: string): void => {
      const refusal = { code, limit: '', observed: '', scope: 'order' } as const;
      bus.publish({ kind: 'refusal', time: 0, market, strategy: 'maker', refusal });
    };
    for (const market of ['btc_usdt', 'btc_usdt', 'eth_usdt', 'ltc_usdt']) {
      refuse('position', market);
    }
    refuse('staleData', 'btc_usdt');
    expect([...limits.read()]).toEqual([['position', 'one or other']]);
    expect(asked).toEqual([
      ...['position btc_usdt', 'position eth_usdt', 'position ltc_usdt'],
      'staleData btc_usdt',
    ]);
  });
});
