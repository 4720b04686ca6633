/**
 * A year of minutes through bus, strategy, risk, executor and simulated exchange, beside the bare
 * RxJS loop on the same numbers. Times are this thread's on its processor, of both alike; no run
 * folder is written. Goals: 3 M candles/s, at most 5 x the bare loop.
 *
 * Run: node bench/backtest-candles.ts [rounds] [idle,ema-cross]
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filter, map, Subject } from 'rxjs';
import { loadBacktest, runBacktest } from '../src/app/backtest/index.ts';
import type { CandleColumns } from '../src/domain/index.ts';
import { seededRandom } from '../src/kernel/index.ts';
import { syntheticCandles, syntheticSchema } from '../src/sim/index.ts';

const MINUTES = 525_600;
const FROM = Date.UTC(2023, 0, 1);
const rounds = Number(process.argv[2] ?? 3);
const chosen = process.argv[3] ?? 'idle,ema-cross';

/** Time of this thread on its processor, milliseconds: what others do at the same time is left out. */
function busyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

const parameters = syntheticSchema.parse({ startPrice: 30_000, tradesPerMinute: 600 });
const chunks = [
  ...syntheticCandles({
    ...{ parameters, priceScale: 2, amountScale: 5, stepMs: 60_000 },
    random: seededRandom('bench'),
    fromMs: FROM,
    toMs: FROM + MINUTES * 60_000,
  }),
];

const folder = mkdtempSync(join(tmpdir(), 'backtest-candles-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** The reference: the same averages and crosses on a bare Subject, with no exchange behind. */
function bareRxjs(rows: readonly CandleColumns[]): { ms: number; crosses: number } {
  interface Row {
    readonly time: number;
    readonly close: number;
  }
  const subject = new Subject<Row>();
  let crosses = 0;
  let fast = Number.NaN;
  let slow = Number.NaN;
  let above: boolean | undefined;
  subject
    .pipe(
      map((row) => {
        fast = Number.isNaN(fast) ? row.close : fast + (2 / 13) * (row.close - fast);
        slow = Number.isNaN(slow) ? row.close : slow + (2 / 27) * (row.close - slow);
        return fast > slow;
      }),
      filter((now) => {
        const crossed = above !== undefined && above !== now;
        above = now;
        return crossed;
      }),
    )
    .subscribe(() => {
      crosses++;
    });
  const start = busyMs();
  for (const { time, close } of rows) {
    for (let at = 0; at < time.length; at++) subject.next({ time: time[at]!, close: close[at]! });
  }
  return { ms: busyMs() - start, crosses };
}

function deploymentFile(name: string, strategy: string): string {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(
    file,
    `name: ${name}
venue: { kind: simulated }
markets: [btc_usdt]
strategies: [{ use: ${strategy}, params: { amount: 0.1, interval: 1min } }]
fees: { maker: 0.0001, taker: 0.0001 }
risk:
  { orderValueMax: 1e6, openValueMax: 1e6, positionValueMax: 1e6, dailyLossMax: 1e9, drawdownMax: 1e9 }
backtest:
  balances: { usdt: "10000000", btc: "1" }
  generate: { btc_usdt: { startPrice: 30000 } }
  fill: { model: candles, volumeCap: null }
`,
  );
  return file;
}

const idleStrategy = join(folder, 'idle.ts');
writeFileSync(
  idleStrategy,
  `import { Crossover, defineStrategy, Ema, filter, map, target, z } from '#strategy';
export default defineStrategy({
  name: 'idle',
  params: z.strictObject({ amount: z.number(), interval: z.string() }),
  run(context) {
    const fast = new Ema(12);
    const slow = new Ema(26);
    const crossover = new Crossover();
    return context.candles('1min').pipe(
      map(({ close }) => crossover.next(fast.next(close), slow.next(close))),
      filter((cross) => cross === 'never'),
      map(() => target(context.market, 0)),
    );
  },
});
`,
);

async function replay(file: string) {
  const deployment = loadBacktest(file);
  const market = { ...{ id: 'btc_usdt', base: 'btc', quote: 'usdt' }, priceScale: 2 };
  const source = {
    market: { ...market, amountScale: 5, minAmount: 0.001, minSize: 0 },
    ...{ kind: 'candles' as const, name: 'bench', hash: '', interval: '1min' as const },
    stepMs: 60_000,
    firstMs: FROM,
    endMs: FROM + MINUTES * 60_000,
    async *chunks() {
      started = busyMs();
      yield* chunks;
      ended = busyMs();
    },
  };
  let started = 0;
  let ended = 0;
  const start = busyMs();
  const result = await runBacktest({ deployment, sources: [source] });
  return { ...result, playMs: ended - started, allMs: busyMs() - start };
}

const bare = Math.min(...Array.from({ length: rounds + 2 }, () => bareRxjs(chunks).ms));
console.log(`bare RxJS loop   ${bare.toFixed(1)} ms, ${bareRxjs(chunks).crosses} crosses`);
for (const [name, strategy] of [
  ['idle', idleStrategy],
  ['ema-cross', 'ema-cross'],
] as const) {
  if (!chosen.split(',').includes(name)) continue;
  const file = deploymentFile(name, strategy);
  for (let round = 0; round < rounds; round++) {
    const { playMs, allMs, record } = await replay(file);
    const rate = MINUTES / playMs / 1_000;
    const ratio = playMs / bare;
    const { orders, fills } = record.counts;
    console.log(
      `${name.padEnd(16)} ${playMs.toFixed(0)} ms, ${rate.toFixed(2)} M candles/s, ` +
        `${ratio.toFixed(1)} x the bare loop, ${orders} orders, ${fills} fills, ` +
        `with start, end and record ${allMs.toFixed(0)} ms`,
    );
  }
}
