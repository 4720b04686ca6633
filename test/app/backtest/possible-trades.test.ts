import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../../src/app/backtest/index.ts';
import { possibleTrades } from '../../../src/app/backtest/possible-trades.ts';
import { PrintFindings } from '../../../src/app/backtest/volume-findings.ts';
import type { TradeColumns } from '../../../src/domain/index.ts';
import { START_MS } from './fixture.ts';
import { replayedTicks, tickDataset, tickRun, tradeRows } from './tick-fixture.ts';

type Row = readonly [price: number, amount: number];

function chunkOf(rows: readonly Row[], fromMs: number): TradeColumns {
  const column = (of: (row: Row, at: number) => number) => Float64Array.from(rows, of);
  return {
    ...{ time: column((_, at) => fromMs + at), received: column((_, at) => fromMs + at + 5) },
    ...{ price: column(([price]) => price), amount: column(([, amount]) => amount) },
    side: column((_, at) => (at % 2 === 0 ? 1 : -1)),
  };
}

async function* chunksOf(chunks: readonly TradeColumns[]): AsyncGenerator<TradeColumns> {
  yield* chunks;
}

function rowsOf(chunks: readonly TradeColumns[]): number[][] {
  return chunks.flatMap(({ time, received, price, amount, side }) =>
    Array.from(time, (ms, at) => [ms, received[at]!, price[at]!, amount[at]!, side[at]!]),
  );
}

describe('possibleTrades', () => {
  it('leaves out what has no price or an amount below 0, and counts it', async () => {
    const row = fc.tuple(
      fc.constantFrom(100, 101, 0, -5, Number.NaN),
      fc.constantFrom(1, 2, 0, -1),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(row, { maxLength: 6 }), { maxLength: 5 }), async (all) => {
        const chunks = all.map((rows, at) => chunkOf(rows, 100 * at));
        const findings = new PrintFindings();
        const kept: TradeColumns[] = [];
        for await (const chunk of possibleTrades(chunksOf(chunks), findings)) kept.push(chunk);
        const before = rowsOf(chunks);
        const wanted = before.filter(([, , price, amount]) => price! > 0 && amount! >= 0);
        expect(rowsOf(kept)).toEqual(wanted);
        expect(kept.every(({ time }) => time.length > 0)).toBe(true);
        const count = before.length - wanted.length;
        const told = `Trades with a price of 0 or below, or with an amount below 0, were left out: ${count}.`;
        expect(findings.list()).toEqual(count === 0 ? [] : [told]);
      }),
      { seed: 81, numRuns: 200 },
    );
  });

  it('hands on a chunk of which all can be as it is', async () => {
    const chunk = chunkOf([[100, 1]], 0);
    for await (const same of possibleTrades(chunksOf([chunk]))) expect(same).toBe(chunk);
  });
});

describe('candles of the past of trades of which some cannot be', () => {
  it('are as without them', async () => {
    const prints = Array.from({ length: 40 }, (_, at) => [6 * at, 'buy', 100 + (at % 3)] as const);
    const faulty = prints.map(([second, side, price], at) => {
      return at === 5 ? ([second, side, 0] as const) : ([second, side, price] as const);
    });
    const lowsFrom = async (rows: typeof prints): Promise<string[]> => {
      const { root } = await tickDataset({ kind: 'trades', rows: tradeRows(rows) });
      const use = new URL('listener.ts', import.meta.url).pathname;
      const strategies = [{ use, name: 'listener', params: { intervals: ['1min'] } }];
      const deployment = tickRun({ root, kind: 'trades' }, { strategies });
      const fromMs = START_MS + 200_000;
      const period = { warmFromMs: fromMs, fromMs, toMs: START_MS + 240_000 };
      const { log } = await runBacktest({ deployment, period });
      return log.flatMap((line) => /"low":[\d.]+/.exec(line)?.[0] ?? []);
    };
    const lows = await lowsFrom(faulty);
    expect(lows.length).toBeGreaterThan(2);
    expect(lows).toEqual(await lowsFrom(prints));
  });
});

describe('a backtest of trades of which some cannot be', () => {
  it('comes out as without them, and tells how many there were', async () => {
    const all = [
      ...([
        [0, 'buy', 100],
        [1, 'sell', 99],
        [2, 'buy', 101],
        [3, 'sell', 0],
      ] as const),
      ...([
        [4, 'sell', 98],
        [5, 'sell', -100],
        [6, 'buy', 102],
      ] as const),
    ];
    const good = tradeRows(all.filter(([, , price]) => price > 0));
    const mixed = tradeRows(all);
    const clean = await replayedTicks({ kind: 'trades', rows: good });
    const dirty = await replayedTicks({ kind: 'trades', rows: mixed });
    expect(dirty.trades).toEqual(clean.trades);
    expect([...dirty.record.curve]).toEqual([...clean.record.curve]);
    expect(dirty.record.coverage[0]!.findings.join()).toContain('were left out: 2.');
  });
});
