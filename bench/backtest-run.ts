/** A backtest as `tradewind backtest` runs it, its run folder written, over rows made by a bench. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { finishRun, loadBacktest, type Source } from '../src/app/backtest/index.ts';
import type { Market } from '../src/domain/index.ts';

/** The market of the benches: nothing is too small for it. */
export const MARKET: Market = {
  ...{ id: 'btc_usdt', base: 'btc', quote: 'usdt', priceScale: 2, amountScale: 5 },
  ...{ minAmount: 0, minSize: 0 },
};

/** No limit of risk is met: what is measured is how fast orders go, not how few. */
const RISK = {
  ...{ orderValueMax: 1e9, openValueMax: 1e9, positionValueMax: 1e9 },
  ...{ ordersPerWindowMax: 1e9, strategyOrdersPerWindowMax: 1e9 },
  ...{ dailyLossMax: 1e12, drawdownMax: 1e12 },
};

const folder = mkdtempSync(join(tmpdir(), 'tradewind-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

export interface BenchRun<Rows> {
  /** Text of the strategy's file. */
  readonly strategy: string;
  readonly kind: Source['kind'];
  readonly firstMs: number;
  readonly endMs: number;
  /** Makes the rows; the time that this takes counts for nothing. */
  readonly rows: Iterator<Rows>;
  /** What the section `backtest` says besides. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface BenchResult {
  /** How long the rows took to be played, milliseconds of this machine. */
  readonly playMs: number;
  /** From the reading of the configuration to the run folder. */
  readonly allMs: number;
  /** What was done, for people. */
  readonly told: string;
}

/** Runs a bench's rows through the product. @throws when the run says that it is not whole. */
export async function timeRun<Rows>(run: BenchRun<Rows>): Promise<BenchResult> {
  const { kind, firstMs, endMs, rows } = run;
  const deployment = await loadBacktest(deploymentFile(run));
  let makingMs = 0;
  const source = {
    ...{ kind, market: MARKET, name: 'bench', hash: '', stepMs: 1, firstMs, endMs },
    async *chunks() {
      for (;;) {
        const from = performance.now();
        const next = rows.next();
        makingMs += performance.now() - from;
        if (next.done === true) return;
        yield next.value;
      }
    },
  };
  const start = performance.now();
  const out = join(folder, 'run');
  const sources = [source as unknown as Source];
  const { playMs, status, interrupted } = await finishRun({
    deployment,
    sources,
    out,
    force: true,
  });
  const allMs = performance.now() - start - makingMs;
  if (interrupted) throw new Error('Cannot measure: the run ended early');
  const { orders, fills, requests } = status.tally;
  const counts = [`${thousands(orders)} orders`, `${thousands(fills)} fills`];
  const told = [...counts, `${thousands(requests)} requests`, `${peakMegabytes()} MB at most`];
  return { playMs: playMs - makingMs, allMs, told: told.join(', ') };
}

let strategies = 0;

function deploymentFile({ strategy, settings }: BenchRun<unknown>): string {
  // A module is read once, whatever its file says later.
  const use = join(folder, `strategy-${++strategies}.ts`);
  writeFileSync(use, strategy);
  const file = join(folder, 'deployment.yaml');
  const deployment = {
    ...{ name: 'bench', venue: { kind: 'simulated' }, markets: [MARKET.id] },
    ...{ strategies: [{ use }], risk: RISK },
    backtest: {
      balances: { usdt: '10000000', btc: '1000' },
      generate: { [MARKET.id]: { startPrice: 30_000 } },
      ...settings,
    },
  };
  writeFileSync(file, stringify(deployment));
  return file;
}

/** Largest memory of the process so far, whole megabytes. */
export function peakMegabytes(): number {
  return Math.round(process.resourceUsage().maxRSS / 1_024);
}

export function thousands(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** A count such as 5m. @throws when it is none. */
export function readCount(text: string): number {
  const count = Number(text.replace(/m$/i, '')) * (/m$/i.test(text) ? 1e6 : 1);
  if (Number.isInteger(count) && count > 0) return count;
  throw new Error(`Cannot run ${text} rows: a number such as 5m is wanted`);
}
