import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../../src/app/backtest/index.ts';
import type { TradingEvent } from '../../../src/domain/index.ts';
import {
  MINUTE,
  type Minute,
  replayed,
  START_MS,
  scriptedDeployment,
  sourceOf,
} from './fixture.ts';

/** One to three by turns, each minute by the clock, whether candles come or not. */
const TICKING = `import { defineStrategy, interval, map, target, z } from '#strategy';
export default defineStrategy({
  name: 'ticking',
  params: z.any(),
  run: ({ market, clock }) =>
    interval(60_000, clock).pipe(map((at) => target(market, 1 + (at % 3), { slippage: 0.5 }))),
});
`;
/** One to seven by turns in its second market, at the closes of its first. */
const FOLLOWING = `import { defineStrategy, map, target, z } from '#strategy';
export default defineStrategy({
  name: 'following',
  params: z.any(),
  run: ({ markets: [first, second], candles }) =>
    candles('1min', first).pipe(map((_, at) => target(second, 1 + (at % 7), { slippage: 0.5 }))),
});
`;

/** Half an hour of minutes, five hours of none, and half an hour again. */
const HOLED: readonly Minute[] = [
  ...Array.from({ length: 30 }, (_, at) => ({ close: 100, at })),
  ...Array.from({ length: 30 }, (_, at) => ({ close: 90, at: 330 + at })),
];
const FILL = { model: 'candles', volumeCap: null };
const FIRST = 'the first at 2024-01-01 00:32 UTC in';
const MISSING = 'are missing, wanted: the next candle.';

/** The minutes of what was traded in the hole, and how often something was behind it. */
function tradedAt(minutes: readonly number[]) {
  const inHole = minutes.filter((minute) => minute > 31 && minute < 331);
  return { inHole, behind: minutes.filter((minute) => minute > 331).length };
}

describe('a strategy that goes on where candles are missing', () => {
  it('by timers, is refused there as on stale data, and trades on behind it', async () => {
    const { record, trades, events } = await replayed({
      ...{ minutes: HOLED, script: {}, text: TICKING, backtest: { fill: FILL } },
    });
    const { inHole, behind } = tradedAt(trades.map(([, , , minute]) => minute));
    expect([record.trading, inHole]).toEqual([undefined, []]);
    expect(behind).toBeGreaterThan(25);
    expect(events.filter(({ kind }) => kind === 'requestFailure')).toEqual([]);
    const refused = `Risk refused 299 times (staleData), ${FIRST} btc_usdt: candles of btc_usdt`;
    expect(record.notes[0]).toBe(`${refused} ${MISSING}`);
  });

  it.each(['nextOpen', 'heardOpen', 'heardPath'])(
    'by timers, waits for the open behind it where orders trade at opens: %s',
    async (at) => {
      const { record, trades } = await replayed({
        ...{ minutes: HOLED, script: {}, text: TICKING, backtest: { fill: { ...FILL, at } } },
      });
      const { inHole, behind } = tradedAt(trades.map(([, , , minute]) => minute));
      // The first candle behind the hole opens at 330.
      expect([record.trading, inHole]).toEqual([undefined, [330]]);
      expect(record.notes.join()).not.toContain('Risk refused');
      expect(behind).toBeGreaterThan(25);
    },
  );

  it('by another market, is refused there too, until candles come again', async () => {
    const deployment = scriptedDeployment({
      ...{ script: {}, text: FOLLOWING, backtest: { fill: FILL } },
      settings: { markets: ['eth_usdt', 'btc_usdt'] },
    });
    const whole = Array.from({ length: 360 }, (_, at) => ({ close: 10, at }));
    const events: TradingEvent[] = [];
    const { record } = await runBacktest({
      ...{ deployment, sources: [sourceOf('eth_usdt', whole), sourceOf('btc_usdt', HOLED)] },
      onEvent: (event) => void events.push(event),
    });
    const minutes = Array.from(record.fills, ({ time }) => (time - START_MS) / MINUTE);
    const { inHole, behind } = tradedAt(minutes);
    expect([record.trading, inHole]).toEqual([undefined, []]);
    expect(behind).toBeGreaterThan(25);
    expect(minutes).toContain(331);
    expect(events.filter(({ kind }) => kind === 'requestFailure')).toEqual([]);
  });
});
