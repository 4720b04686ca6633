/**
 * From tick to order over loopback: the whole bot beside the least that could do it.
 *
 * An exchange in a process of its own pushes a depth of 50 levels a side, waits for the order that
 * it causes, answers it, tells its end by a push, and pauses: one tick is under way at a time. Two
 * traders, each in a process of its own, take turns in short rounds: bare `ws`, `JSON.parse`,
 * HMAC-MD5 and undici's `request`; and the bot as a deployment runs it, with its client, its
 * streams, a strategy, every risk check, the executor, the heartbeat and the journal on disk. It may
 * send more than a deployment may: request limits, and risk's pace and loss limits, are set high.
 *
 * Latency is taken by the exchange alone: from before the tick's `send` to the arrival of the order.
 * CPU is user and system time of the trader's process, all of its threads and all that follows the
 * order included. Goal: at most 1.3 times the bare way in both.
 *
 * Run: node bench/tick-to-order.ts [--rounds 10] [--ticks 300] [--warm-up 4] [--pause-ms 3]
 *        [--durability normal] [--fills]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';

/** What the exchange is asked to do. */
export interface RoundRequest {
  readonly trader: TraderName;
  readonly ticks: number;
  readonly pauseMs: number;
}

/** How the exchange is set up, and the bot. */
export interface Setup {
  /** The exchange's ports, once it has told them. */
  readonly ports: Readonly<Record<TraderName, number>>;
  /** Whether orders fill, or end unfilled. */
  readonly fills: boolean;
  readonly durability: string | undefined;
}

export const TRADERS = ['bare', 'bot'] as const;
export type TraderName = (typeof TRADERS)[number];

/** One trader's figures. */
interface Figures {
  /** Microseconds from tick to order, of every tick. */
  readonly latencies: number[];
  /** Microseconds of CPU a tick, of every round. */
  readonly cpu: number[];
}

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    ticks: { type: 'string', default: '300' },
    'warm-up': { type: 'string', default: '4' },
    'pause-ms': { type: 'string', default: '3' },
    durability: { type: 'string' },
    fills: { type: 'boolean', default: false },
  },
});

if (process.send === undefined) await compare();

async function compare(): Promise<void> {
  const { fills, durability } = flags;
  const exchange = await begin('exchange', { fills });
  const setup = { ports: exchange.told, fills, durability };
  const bare = await begin('bare', setup);
  const bot = await begin('bot', setup);
  const processes = { exchange: exchange.child, bare: bare.child, bot: bot.child };
  const rounds = Number(flags.rounds) + Number(flags['warm-up']);
  const figures = { bare: emptyFigures(), bot: emptyFigures() };
  for (let round = 0; round < rounds; round++) {
    for (const trader of round % 2 === 0 ? TRADERS : TRADERS.toReversed()) {
      const taken = await measure(trader, processes);
      if (round < Number(flags['warm-up'])) continue;
      figures[trader].latencies.push(...taken.latencies);
      figures[trader].cpu.push(taken.cpu);
    }
  }
  report(figures);
  for (const child of Object.values(processes)) child.disconnect();
}

function emptyFigures(): Figures {
  return { latencies: [], cpu: [] };
}

/** Starts a process and waits for its first message: it is ready. */
async function begin(role: string, setup: object): Promise<{ child: ChildProcess; told: never }> {
  const script = new URL(`./tick-to-order-${role}.ts`, import.meta.url);
  const child = fork(script, [JSON.stringify(setup)], { stdio: 'inherit' });
  child.once('exit', (code) => {
    if (code !== 0) process.exit(code ?? 1);
  });
  const [told] = (await once(child, 'message')) as [never];
  return { child, told };
}

async function measure(
  trader: TraderName,
  processes: Readonly<Record<'exchange' | TraderName, ChildProcess>>,
): Promise<{ latencies: readonly number[]; cpu: number }> {
  const ticks = Number(flags.ticks);
  const round: RoundRequest = { trader, ticks, pauseMs: Number(flags['pause-ms']) };
  const before = await ask<number>(processes[trader], 'cpu');
  const latencies = await ask<readonly number[]>(processes.exchange, round);
  const after = await ask<number>(processes[trader], 'cpu');
  return { latencies, cpu: (after - before) / ticks };
}

async function ask<T>(child: ChildProcess, question: string | object): Promise<T> {
  const answer = once(child, 'message');
  child.send(question);
  const [value] = (await answer) as [T];
  return value;
}

function report({ bare, bot }: Readonly<Record<TraderName, Figures>>): void {
  const lineOf = (name: string, { latencies, cpu }: Figures) =>
    `${name.padEnd(6)}tick to order p50 ${microseconds(percentile(latencies, 0.5))}, ` +
    `p99 ${microseconds(percentile(latencies, 0.99))}; ` +
    `CPU a tick ${microseconds(percentile(cpu, 0.5))}`;
  const ratio = (of: (figures: Figures) => number) => (of(bot) / of(bare)).toFixed(2);
  console.log(lineOf('bare', bare));
  console.log(lineOf('bot', bot));
  console.log(
    `ratio p50 ${ratio(({ latencies }) => percentile(latencies, 0.5))}, ` +
      `p99 ${ratio(({ latencies }) => percentile(latencies, 0.99))}, ` +
      `CPU ${ratio(({ cpu }) => percentile(cpu, 0.5))} (goal: at most 1.30 for p50 and CPU)`,
  );
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

function microseconds(value: number): string {
  return `${value.toFixed(0).padStart(4)} us`;
}
