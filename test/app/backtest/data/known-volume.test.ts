import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../../../src/app/backtest/index.ts';
import type { TradingEvent } from '../../../../src/domain/index.ts';
import { LIMITS, replayed, START_MS } from '../fixture.ts';
import {
  depthRows,
  quoteRows,
  type TickData,
  tickDataset,
  tickRun,
  tradeRows,
} from '../tick-fixture.ts';

const minutes = Array.from({ length: 20 }, () => ({ close: 100, volume: 10 }));

function ofMinutes(risk: object) {
  return replayed({ minutes, script: { 0: 3, 12: 0 }, settings: { risk: { ...LIMITS, ...risk } } });
}

function refusedIn(events: readonly TradingEvent[]): string[] {
  return events.flatMap((event) => (event.kind === 'refusal' ? event.refusal.observed : []));
}

/** How many trades there were where a tenth is added at each of four trades of 2. */
async function boughtOf(data: TickData, volumeShareMax: number): Promise<number> {
  const { root } = await tickDataset(data);
  const risk = { ...LIMITS, volumeShareMax };
  const deployment = tickRun({ root, kind: data.kind }, { risk });
  const period = { warmFromMs: START_MS, fromMs: START_MS, toMs: START_MS + 60_000 };
  const { record } = await runBacktest({ deployment, period });
  return [...record.fills].length;
}

const seconds = [1, 2, 3, 4];

describe('requireKnownVolume', () => {
  it('lets a backtest of candles know what was traded, and an exit leave', async () => {
    const { trades, events } = await ofMinutes({ volumeShareMax: 0.1 });
    expect(trades).toEqual([
      ['buy', 3, 100, 3],
      ['sell', 3, 100, 13],
    ]);
    expect(refusedIn(events)).toContain('3 btc beside 10 btc traded');
  });

  it('counts no more than the window', async () => {
    const { trades, events } = await ofMinutes({ volumeShareMax: 0.05 });
    expect(trades).toEqual([]);
    expect(refusedIn(events)).toContain('3 btc beside 50 btc traded');
  });

  it('refuses candles that are longer than the window', async () => {
    const what =
      'Cannot tell what btc_usdt trades in 30000 ms: test has candles of 1min, ' +
      'risk.volumeWindowMs of at least 60000 or shorter candles are wanted';
    const short = { volumeWindowMs: 30_000 };
    await expect(ofMinutes({ ...short, volumeShareMax: 0.1 })).rejects.toThrow(what);
    const own = { markets: { btc_usdt: { ...short, volumeShareMax: 0.1 } } };
    await expect(ofMinutes(own)).rejects.toThrow(/deployment\.yaml:\d+:\d+: Cannot tell what/);
    const justLong = { volumeWindowMs: 60_000, volumeShareMax: 0.3 };
    expect((await ofMinutes(justLong)).trades).toHaveLength(2);
  });

  it.each<TickData>([
    { kind: 'trades', rows: tradeRows(seconds.map((at) => [at, 'buy', 100])) },
    {
      kind: 'depth',
      rows: depthRows([
        [0, 'snapshot', 'buy', 99, 50],
        [0, 'snapshot', 'sell', 100, 50],
        ...seconds.map((at) => [at, 'trade', 'buy', 100, 2] as const),
      ]),
    },
  ])('lets a backtest of $kind know what was traded', async (data) => {
    expect(await boughtOf(data, 0.05)).toBe(4);
    expect(await boughtOf(data, 0.049)).toBe(0);
  });

  it('refuses quotes, of which nobody knows it', async () => {
    const rows = quoteRows([[0, 99, 50, 100, 50]]);
    await expect(boughtOf({ kind: 'quotes', rows }, 0.1)).rejects.toThrow(
      /Cannot tell what btc_usdt trades in \d+ ms: venue.btc_usdt.quotes has quotes, trades, depth or candles are wanted/,
    );
  });
});
