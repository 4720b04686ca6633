import { describe, expect, it } from 'vitest';
import type { BacktestDeployment } from '../../../../src/app/backtest/deployment.ts';
import { Hearings } from '../../../../src/app/backtest/hearing/hearings.ts';
import type { RowLatency } from '../../../../src/app/backtest/hearing/latency.ts';
import { CONTRACT_LIMITS } from '../../../../src/exchange/index.ts';
import { seededRandom, VirtualClock } from '../../../../src/kernel/index.ts';
import { START_MS, sourceOf } from '../fixture.ts';

interface Options {
  readonly markets?: number;
  readonly data?: object;
  readonly polls?: boolean;
  readonly candlesMs?: number;
  readonly outages?: readonly { readonly fromMs: number; readonly toMs: number }[];
  /** How long the rows of the first market are under way. */
  readonly latency?: RowLatency;
}

function hearingsFixture(options: Options) {
  const { markets = 1, data, polls = false, candlesMs = 0, outages = [], latency } = options;
  const sources = Array.from({ length: markets }, (_, at) =>
    sourceOf(`m${at}_usdt`, [{ close: 100 }]),
  );
  const deployment = {
    backtest: { simulate: { polls } },
    config: { data: { feeds: false, candles: 'venue', requestTimeoutMs: 9_000, ...data } },
  } as unknown as BacktestDeployment;
  const hearings = new Hearings(deployment, {
    ...{ sources, outages, random: seededRandom('a'), clock: new VirtualClock(START_MS) },
    latency: { candlesMs, rows: new Map([['m0_usdt', latency]]) },
    period: { warmFromMs: START_MS, fromMs: START_MS, toMs: START_MS + 3_600_000 },
  });
  return { sources, hearings };
}

describe('Hearings', () => {
  it('ask for the candles of all markets in turns, as far apart as the venue and the answers want', () => {
    const turnMs = CONTRACT_LIMITS.candleIntervalMs + 400;
    for (const [markets, candlesPollMs, everyMs] of [
      [3, 1_000, 3 * turnMs],
      [3, 60_000, 60_000],
    ] as const) {
      const fixture = hearingsFixture({
        ...{ markets, polls: true, candlesMs: 400 },
        data: { candlesPollMs },
      });
      const times = fixture.sources.map((source) => {
        const hearing = fixture.hearings.of(source, 'candles');
        return [hearing.nextMs(START_MS), hearing.nextMs(START_MS)] as const;
      });
      expect(times.map(([first, second]) => second - first)).toEqual([everyMs, everyMs, everyMs]);
      const behind = times.map(([first]) => (first - times[0]![0] + everyMs) % everyMs);
      expect(behind).toEqual([0, turnMs, 2 * turnMs]);
    }
  });

  it('are back behind an outage once what is read then has arrived', () => {
    const outage = { fromMs: START_MS + 5_000, toMs: START_MS + 9_000 };
    const { sources, hearings } = hearingsFixture({ candlesMs: 400, outages: [outage] });
    const backMs = hearings.backMs(sources[0]!, { kind: 'depth', outage });
    expect(backMs).toBe(outage.toMs + 400);
  });
});
