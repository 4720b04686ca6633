import type { ExchangeFailure } from '../../exchange/index.ts';
import { getOrInsert, MINUTE_MS, withoutAction } from '../../kernel/index.ts';
import type { ExecutorOptions } from '../ports.ts';

/** Failures in a row after which they count as lasting. */
const LASTING_MIN = 3;
/** The distance between reads that the exchange refuses grows up to this many read lags. */
const SPACING_MAX = 5;
/** How often it is logged that something cannot be read. */
const TELL_MS = MINUTE_MS;

/** Something that cannot be read. */
export interface Unreadable {
  /** In words, such as "orders of btc_usdt". */
  readonly what: string;
  /** Since when, milliseconds since the epoch. */
  readonly sinceMs: number;
  /** The failure of the newest try. */
  readonly reason: string;
}

interface Failing {
  readonly sinceMs: number;
  count: number;
  dueMs: number;
  toldMs: number;
  newest: ExchangeFailure;
}

/** Paces reads that fail, each market separately, and tells what cannot be read, and why. */
export class ReadFailures {
  readonly #options: Pick<ExecutorOptions, 'clock' | 'config' | 'logger'>;
  readonly #failing = new Map<string, Failing>();

  constructor(options: Pick<ExecutorOptions, 'clock' | 'config' | 'logger'>) {
    this.#options = options;
  }

  /** When to read it again; minus infinity: it has not failed. */
  dueMs(what: string): number {
    return this.#failing.get(what)?.dueMs ?? Number.NEGATIVE_INFINITY;
  }

  /** Why it lastingly cannot be read; undefined: it can, as far as is known. */
  lasting(what: string): ExchangeFailure | undefined {
    // Called before each order: spares hashing a freshly built string.
    const failing = this.#failing.size === 0 ? undefined : this.#failing.get(what);
    return failing !== undefined && failing.count >= LASTING_MIN ? failing.newest : undefined;
  }

  /** All that lastingly cannot be read. */
  all(): readonly Unreadable[] {
    return [...this.#failing]
      .filter(([, { count }]) => count >= LASTING_MIN)
      .map(([what, { sinceMs, newest }]) => ({ what, sinceMs, reason: newest.message }));
  }

  /** Notes a failed read. `what`: in words, such as "orders of btc_usdt". */
  failed(what: string, failure: ExchangeFailure): void {
    const { code } = failure;
    const reason = withoutAction(failure.message);
    const { clock, config, logger } = this.#options;
    const nowMs = clock.now();
    const failing = getOrInsert(this.#failing, what, () => begun(nowMs, failure));
    failing.count++;
    failing.newest = failure;
    // While nothing answers, the next request shows whether the way is open again.
    const spacing = code === undefined ? 1 : Math.min(SPACING_MAX, failing.count);
    failing.dueMs = nowMs + spacing * config.readLagMs;
    if (failing.count < LASTING_MIN) {
      logger.warn({ what }, `${what} could not be read, it is tried again: ${reason}`);
      return;
    }
    if (nowMs < failing.toldMs + TELL_MS) return;
    failing.toldMs = nowMs;
    const failingMs = nowMs - failing.sinceMs;
    logger.error({ what, failingMs }, `${what} cannot be read, it is tried on: ${reason}`);
  }

  /** Notes a successful read. */
  ended(what: string): void {
    const failing = this.#failing.get(what);
    if (failing === undefined) return;
    this.#failing.delete(what);
    if (failing.count >= LASTING_MIN)
      this.#options.logger.info({ what }, `${what} can be read again`);
  }
}

function begun(nowMs: number, newest: ExchangeFailure): Failing {
  return { sinceMs: nowMs, count: 0, dueMs: nowMs, toldMs: Number.NEGATIVE_INFINITY, newest };
}
