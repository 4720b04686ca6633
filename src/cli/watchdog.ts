import inspector from 'node:inspector';
import { Worker } from 'node:worker_threads';

export interface WatchdogOptions {
  /** After so long without a turn of the event loop it is told where the process is. */
  readonly tellMs?: number;
  /** After so long the process is killed. `never`: only where what started it is gone. */
  readonly killMs?: number | 'never';
}

/** What the thread that watches is given. */
export interface Watch extends Required<WatchdogOptions> {
  /** A count that grows with every turn. */
  readonly turns: Int32Array;
  /** How often it is looked at, milliseconds. */
  readonly everyMs: number;
  /** The process whose end it does not outlive while it hangs, where one waits for it. */
  readonly parent: number | undefined;
}

/** Lets Node read the thread's module wherever it lies: hooks hold for one thread alone. */
const REGISTER = new URL('../../bin/register.js', import.meta.url).href;

/** Looks at the count in a second's life. */
const LOOKS = 5;

/** The options for work that may be slow and rests no order: a hang is told of and goes on. */
export const UNHURRIED: WatchdogOptions = { tellMs: 10_000, killMs: 'never' };

/**
 * Watches from a thread of its own that the event loop turns, until what it answers with is called.
 *
 * A strategy in an endless loop stops everything, the handling of signals too. Where it hangs is told
 * to standard error after five seconds; after 90 the process is killed: by then the exchange's timed
 * cancel, which nobody refreshes any more, has taken its orders away. From when on a debugger is
 * let in nothing is watched: who stands at a breakpoint does not hang.
 */
export function watchLoop(options: WatchdogOptions = {}): () => void {
  if (inspector.url() !== undefined) return () => {};
  const { tellMs = 5_000, killMs = 90_000 } = options;
  const turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const everyMs = Math.min(1_000, tellMs) / LOOKS;
  const turn = (): void => {
    if (inspector.url() === undefined) Atomics.add(turns, 0, 1);
    else stop();
  };
  const turning = setInterval(turn, everyMs);
  turning.unref();
  const parent = isWaitedFor() ? process.ppid : undefined;
  const watch: Watch = { turns, everyMs, tellMs, killMs, parent };
  const entry = new URL('watchdog-worker.ts', import.meta.url);
  const worker = new Worker(entry, { workerData: watch, execArgv: ['--import', REGISTER] });
  worker.unref();
  worker.on('error', ({ message }) => {
    process.stderr.write(`tradewind: nobody watches any more whether it hangs: ${message}\n`);
  });
  const stop = (): void => {
    clearInterval(turning);
    void worker.terminate();
  };
  return stop;
}

/** Does work that may be slow, and watches over it. */
export async function watched<T>(work: () => Promise<T>): Promise<T> {
  const end = watchLoop(UNHURRIED);
  try {
    return await work();
  } finally {
    end();
  }
}

/** Whether the launcher or npm stands above it. Who starts it in the background may leave. */
function isWaitedFor(): boolean {
  return process.connected !== undefined || Boolean(process.env.npm_lifecycle_event);
}
