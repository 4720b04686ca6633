import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { StrategyLog } from '../../../../src/app/backtest/record/strategy-log.ts';
import { VirtualClock } from '../../../../src/kernel/index.ts';
import { replayed } from '../fixture.ts';

/** Says a key and orders by it. */
const TELLTALE = `import { defineStrategy, map, order, z } from '#strategy';
export default defineStrategy({
  name: 'telltale',
  params: z.strictObject({ wishes: z.any() }),
  run: ({ candles, log, market }) =>
    candles('1min').pipe(
      map(({ close }) => {
        log('said ' + process.env.OWN_KEY, { key: process.env.OWN_KEY });
        const tag = 'my ' + process.env.OWN_KEY;
        return order(market, { tag, side: 'buy', price: close, amount: 1 });
      }),
    ),
});
`;

describe('StrategyLog', () => {
  it('has no key in it that a strategy says, nor has the journal one that it orders by', async () => {
    vi.stubEnv('OWN_KEY', 'hush-hush');
    onTestFinished(() => void vi.unstubAllEnvs());
    const url = 'https://a.example';
    const key = { env: 'OWN_KEY' };
    const venue = {
      ...{ kind: 'zb', dataUrl: url, tradeUrl: url, pushUrl: 'wss://a.example' },
      ...{ accessKey: key, secretKey: key },
    };
    const { events, log } = await replayed({
      ...{ minutes: [100, 100, 100].map((close) => ({ close })), script: {} },
      ...{ settings: { venue }, text: TELLTALE },
    });
    const tags = events.flatMap((event) => (event.kind === 'order' ? [event.order.tag] : []));
    expect(new Set(tags)).toEqual(new Set(['my ***']));
    expect(log).toHaveLength(3);
    expect(log[0]).toMatch(/ scripted: said \*\*\* \{ key: '\*\*\*' \}$/);
    expect(JSON.stringify([events, log])).not.toContain('hush-hush');
  });

  it('keeps 100,000 lines, and says how many more there were', () => {
    const log = new StrategyLog(new VirtualClock(0), { names: new Map(), blot: undefined });
    for (let said = 0; said < 100_000; said++) log.info({}, 'said');
    expect(log.lines).toHaveLength(100_000);
    for (let said = 0; said < 3; said++) log.info({}, 'said');
    expect(log.lines).toHaveLength(100_001);
    expect(log.lines.at(-1)).toBe('3 more lines left out');
  });
});
