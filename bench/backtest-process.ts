/**
 * A backtest of a year of minutes as a whole process, from Parquet on disk to the files of the run,
 * beside a process that reads the same Parquet by the same database and runs a bare RxJS loop on it.
 * Times are of the clock on the wall. Goal: 0.6 s.
 *
 * Run: node bench/backtest-process.ts [rounds] [1min,1hour]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../src/kernel/index.ts';
import { syntheticCandles, syntheticSchema } from '../src/sim/index.ts';

const MINUTES = 525_600;
const FROM = Date.UTC(2023, 0, 1);
const rounds = Number(process.argv[2] ?? 3);
const intervals = (process.argv[3] ?? '1min,1hour').split(',');

const command = new URL('../bin/tradewind.js', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'backtest-process-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Runs Node in the folder; gives its milliseconds and what it wrote. */
function run(...args: readonly string[]): { readonly ms: number; readonly output: string } {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return { ms: performance.now() - start, output: String(stdout) };
}

/** The least of some rounds: what else the machine does only adds to it. */
function best(runOnce: () => number): number {
  return Math.min(...Array.from({ length: rounds }, runOnce));
}

function writeYear(): void {
  const parameters = syntheticSchema.parse({ startPrice: 30_000, tradesPerMinute: 600 });
  const random = seededRandom('bench');
  const options = { parameters, priceScale: 2, amountScale: 5, stepMs: 60_000, random };
  const lines = ['time,open,high,low,close,volume'];
  const period = { fromMs: FROM, toMs: FROM + MINUTES * 60_000 };
  for (const { time, open, high, low, close, volume } of syntheticCandles({
    ...options,
    ...period,
  })) {
    for (let at = 0; at < time.length; at++) {
      lines.push([time, open, high, low, close, volume].map((column) => column[at]).join());
    }
  }
  writeFileSync(join(folder, 'year.csv'), `${lines.join('\n')}\n`);
}

function writeDeployment(interval: string): string {
  const file = join(folder, `${interval}.yaml`);
  writeFileSync(
    file,
    `name: year
venue: { kind: simulated }
markets: [btc_usdt]
strategies: [{ use: ema-cross, params: { amount: 0.1, interval: ${interval}, fast: 12, slow: 26 } }]
risk:
  { orderValueMax: 1e6, openValueMax: 1e6, positionValueMax: 1e6, dailyLossMax: 1e9, drawdownMax: 1e9 }
backtest:
  balances: { usdt: "10000000", btc: "1" }
  data: { btc_usdt: bench.btc_usdt.1min }
  fill: { model: candles, volumeCap: null }
`,
  );
  return file;
}

/** The reference: the least that a program of these parts can do. */
function writeBare(): string {
  const file = join(folder, 'bare.mjs');
  const place = (name: string): string => JSON.stringify(import.meta.resolve(name));
  writeFileSync(
    file,
    `import { DuckDBInstance } from ${place('@duckdb/node-api')};
import { filter, map, Subject } from ${place('rxjs')};
const connection = await (await DuckDBInstance.create()).connect();
const subject = new Subject();
let crosses = 0, fast = NaN, slow = NaN, above;
subject.pipe(
  map(({ close }) => {
    fast = Number.isNaN(fast) ? close : fast + (2 / 13) * (close - fast);
    slow = Number.isNaN(slow) ? close : slow + (2 / 27) * (close - slow);
    return fast > slow;
  }),
  filter((now) => { const crossed = above !== undefined && above !== now; above = now; return crossed; }),
).subscribe(() => { crosses++; });
const result = await connection.stream("SELECT time, close FROM 'data/*/*.parquet'");
for (let chunk; (chunk = await result.fetchChunk()) !== null && chunk.rowCount > 0; ) {
  const [time, close] = [chunk.getColumnValues(0), chunk.getColumnValues(1)];
  for (let at = 0; at < time.length; at++) subject.next({ time: time[at], close: close[at] });
}
console.log(crosses);
`,
  );
  return file;
}

writeYear();
run(command, 'data', 'import', 'year.csv', '--market', 'btc_usdt', '--source', 'bench');
const bareFile = writeBare();
const bareMs = best(() => run(bareFile).ms);
console.log(`bare process     ${(bareMs / 1_000).toFixed(2)} s`);
for (const interval of intervals) {
  const file = writeDeployment(interval);
  const args = ['backtest', file, '--no-report', '--force', '--out', 'run'];
  let output = '';
  const ms = best(() => {
    const done = run(command, ...args);
    output = done.output;
    return done.ms;
  });
  const [played] = /replayed in .*/.exec(output) ?? [];
  const seconds = `${(ms / 1_000).toFixed(2)} s, ${(ms / bareMs).toFixed(1)} x the bare process`;
  console.log(`${`ema-cross ${interval}`.padEnd(17)}${seconds}; ${played}`);
}
