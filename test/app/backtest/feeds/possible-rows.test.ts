import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PrintFindings } from '../../../../src/app/backtest/data/findings/volume-findings.ts';
import { possibleRows } from '../../../../src/app/backtest/feeds/possible-rows.ts';
import { runBacktest } from '../../../../src/app/backtest/index.ts';
import type { TradeColumns } from '../../../../src/domain/index.ts';
import { DEPTH_EVENTS } from '../../../../src/history/index.ts';
import type { DepthRow } from '../../../history/store/fixture.ts';
import { START_MS } from '../fixture.ts';
import { depthRows, replayedTicks, tickDataset, tickRun, tradeRows } from '../tick-fixture.ts';

type Cells = readonly [event: number, price: number, amount: number];
type Rows = TradeColumns & { readonly event?: Float64Array };

/** Each row is told from all others by its time; of trades alone all are, whatever their event. */
function chunkOf(
  kind: 'trades' | 'depth',
  { rows, first }: { rows: Cells[]; first: number },
): Rows {
  const column = (of: (row: Cells, at: number) => number) => Float64Array.from(rows, of);
  return {
    ...{ time: column((_, at) => first + at), received: column((_, at) => first + at + 5) },
    ...{ price: column(([, price]) => price), amount: column(([, , amount]) => amount) },
    side: column((_, at) => (at % 2 === 0 ? 1 : -1)),
    ...(kind === 'depth' && { event: column(([event]) => event) }),
  };
}

async function* chunksOf(chunks: readonly Rows[]): AsyncGenerator<Rows> {
  yield* chunks;
}

function rowsOf(chunks: readonly Rows[]): number[][] {
  return chunks.flatMap((chunk) => {
    const columns: Float64Array[] = Object.values(chunk);
    return Array.from(chunk.time, (_, at) => columns.map((column) => column[at]!));
  });
}

describe.each(['trades', 'depth'] as const)('possibleRows of %s', (kind) => {
  it('leaves out trades without a price or with an amount below 0, and counts all', async () => {
    const row = fc.tuple(
      fc.constantFrom(...Object.values(DEPTH_EVENTS)),
      fc.constantFrom(100, 101, 0, -5, Number.NaN),
      fc.constantFrom(1, 2, 0, -1),
    );
    const isTrade = ([event]: Cells) => kind === 'trades' || event === DEPTH_EVENTS.trade;
    const canBe = ([, price, amount]: Cells) => price > 0 && amount >= 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(row, { maxLength: 6 }), { maxLength: 5 }), async (all) => {
        const chunks = all.map((rows, at) => chunkOf(kind, { rows, first: 100 * at }));
        const findings = new PrintFindings();
        const kept: Rows[] = [];
        for await (const chunk of possibleRows(chunksOf(chunks), findings)) kept.push(chunk);
        const isKept = all.flat().map((cells) => !isTrade(cells) || canBe(cells));
        expect(rowsOf(kept)).toEqual(rowsOf(chunks).filter((_, at) => isKept[at]));
        expect(kept.every(({ time }) => time.length > 0)).toBe(true);
        const trades = all.flat().filter(isTrade);
        const possible = trades.filter(canBe);
        const empty = possible.filter(([, , amount]) => amount === 0).length;
        const left = trades.length - possible.length;
        expect(findings.list()).toEqual([
          ...(empty === 0 ? [] : [expect.stringContaining(`0 in ${empty} of ${possible.length}`)]),
          ...(left === 0
            ? []
            : [
                expect.stringContaining(
                  `Trades left out because the price is 0 or below, or the amount below 0: ${left}.`,
                ),
              ]),
        ]);
      }),
      { seed: 81, numRuns: 200 },
    );
  });

  it('hands on a chunk of which all can be as it is', async () => {
    const chunk = chunkOf(kind, { rows: [[DEPTH_EVENTS.trade, 100, 1]], first: 0 });
    for await (const same of possibleRows(chunksOf([chunk]))) expect(same).toBe(chunk);
  });
});

describe('candles of the past of trades of which some cannot be', () => {
  it.each(['trades', 'depth'] as const)('are of %s as without them', async (kind) => {
    const prints = Array.from({ length: 40 }, (_, at) => [6 * at, 'buy', 100 + (at % 3)] as const);
    const faulty = prints.map(([second, side, price], at) => {
      return at === 5 ? ([second, side, 0] as const) : ([second, side, price] as const);
    });
    const lowsFrom = async (rows: typeof prints): Promise<string[]> => {
      const depth = rows.map(([second, side, price]) => [second, 'trade', side, price, 2] as const);
      const data = kind === 'trades' ? tradeRows(rows) : depthRows(depth);
      const { root } = await tickDataset({ kind, rows: data });
      const use = new URL('../listener.ts', import.meta.url).pathname;
      const strategies = [{ use, name: 'listener', params: { intervals: ['1min'] } }];
      const deployment = tickRun({ root, kind }, { strategies });
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
    expect(dirty.record.coverage[0]!.findings.join()).toContain('the amount below 0: 2.');
  });
});

describe('a backtest of depth with trades that cannot be', () => {
  it('comes out as without them, and tells how many there were', async () => {
    const all: readonly DepthRow[] = [
      [0, 'snapshot', 'buy', 99, 5],
      [0, 'snapshot', 'sell', 101, 5],
      [1, 'trade', 'buy', 101, 1],
      [2, 'trade', 'sell', 0, 1],
      [3, 'change', 'sell', 101, 4],
      [4, 'trade', 'buy', 101, -1],
      [5, 'trade', 'sell', 99, 1],
    ];
    const good = all.filter(([, , , price, amount]) => price > 0 && amount >= 0);
    const clean = await replayedTicks({ kind: 'depth', rows: depthRows(good) });
    const dirty = await replayedTicks({ kind: 'depth', rows: depthRows(all) });
    expect(clean.trades.length).toBeGreaterThan(1);
    expect(dirty.trades).toEqual(clean.trades);
    expect(dirty.record.prices).toEqual(clean.record.prices);
    expect([...dirty.record.curve]).toEqual([...clean.record.curve]);
    expect(dirty.record.coverage[0]!.findings).toEqual([
      'Trades left out because the price is 0 or below, or the amount below 0: 2.',
    ]);
  });
});
