import inspector from 'node:inspector';
import { Worker } from 'node:worker_threads';

export interface WatchdogOptions {
  /** Milliseconds without a turn of the event loop until a hang is reported. */
  readonly tellMs?: number;
  /** Milliseconds until it is killed. `never`: only if its parent is gone. */
  readonly killMs?: number | 'never';
}

/** What the watching thread is given. */
export interface Watch extends Required<WatchdogOptions> {
  /** A count that grows with every turn. */
  readonly turns: Int32Array;
  /** How often the count is looked at, milliseconds. */
  readonly everyMs: number;
  /** The parent if it waits: a process that hangs does not outlive it. */
  readonly parent: number | undefined;
}

/** Lets Node load the thread's module wherever it lies: a thread does not inherit module hooks. */
const REGISTER = new URL('../../bin/register.js', import.meta.url).href;

/** Looks at the count per second, or per `tellMs` if that is shorter. */
const LOOKS = 5;

/** Options for work that may be slow and has no resting orders: a hang is reported, not ended. */
export const UNHURRIED: WatchdogOptions = { tellMs: 10_000, killMs: 'never' };

/**
 * Watches from a thread of its own whether the event loop turns. Returns a function that ends it.
 *
 * A strategy in an endless loop stops everything, including the handling of signals. After five
 * seconds the place where it hangs is printed to standard error. After 90 the process is killed: by
 * then the exchange's timed cancel, which is no longer refreshed, has removed its orders. Once a
 * debugger is attached the watch ends, since a breakpoint is not a hang.
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

/** Runs work that may be slow, and watches over it. */
export async function watched<T>(work: () => Promise<T>): Promise<T> {
  const end = watchLoop(UNHURRIED);
  try {
    return await work();
  } finally {
    end();
  }
}

/** Whether the launcher or npm started it and waits; a shell may leave a background job. */
function isWaitedFor(): boolean {
  return process.connected !== undefined || Boolean(process.env.npm_lifecycle_event);
}
