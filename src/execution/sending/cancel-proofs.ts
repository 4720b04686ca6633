import type { LiveOrder, OrderState } from '../../domain/index.ts';
import { getOrInsert, MINUTE_MS } from '../../kernel/index.ts';
import type { ExecutorOptions } from '../ports.ts';
import type { Inquiries } from '../truth/inquiries.ts';

/** Acknowledged cancels without proof that are remembered of a market, at most. */
const UNPROVEN_MAX = 256;
/** For how long answers to cancels are not believed after one that was not carried out. */
const WARY_MS = MINUTE_MS;
/** For how long pushes count as alive after one that proved something. */
const PUSHED_MS = MINUTE_MS;

/** An acknowledged cancel without proof. */
interface Unproven {
  /** From when on a read tells of it. */
  readonly readMs: number;
  /** Whether it is looked up, or was: once is enough. */
  isLookedUp: boolean;
}

/**
 * Looks whether orders are gone that the exchange says to have cancelled.
 *
 * By our books an order is over with the answer to its cancel, and another may take its place. Where
 * the exchange only says so, it rests on, and so does the next: nobody counts them. A push proves
 * that an order is gone. Where none does, one order of each market at a time is looked up, behind all
 * else that is: after the lag of reads, and after twice that where pushes prove nothing at all of late,
 * for a read that lags a little longer than it may would make liars of all answers. Once one is found
 * to rest all of them are looked up, and for a minute the answer to a cancel ends no order of that
 * market any more.
 */
export class CancelProofs {
  readonly #options: Pick<ExecutorOptions, 'clock' | 'config'>;
  readonly #inquiries: Inquiries;
  /** By market and by our ids, the oldest first. */
  readonly #unproven = new Map<string, Map<string, Unproven>>();
  /** The newest look into each market: at what, and when it was asked for. */
  readonly #looks = new Map<string, { readonly id: string; readonly sinceMs: number }>();
  /** When a push last told that an order is gone. */
  readonly #provenMs = new Map<string, number>();
  readonly #waryUntilMs = new Map<string, number>();
  #doubtsAll = false;

  constructor(options: Pick<ExecutorOptions, 'clock' | 'config'>, inquiries: Inquiries) {
    this.#options = options;
    this.#inquiries = inquiries;
  }

  /** Whether it is not to be believed that an order of the market is cancelled since an answer says so. */
  isWary(market: string): boolean {
    const untilMs = this.#waryUntilMs.get(market) ?? LONG_AGO;
    return this.#doubtsAll || this.#options.clock.now() < untilMs;
  }

  /** From now on no answer to a cancel ends an order, and each that did without proof is looked into. */
  doubtAll(): void {
    this.#doubtsAll = true;
    for (const unproven of this.#unproven.values()) this.#lookInto(unproven);
  }

  /** From when on a read tells of all that is without proof, milliseconds since the epoch. */
  get readMs(): number {
    let newestMs = LONG_AGO;
    for (const unproven of this.#unproven.values()) {
      for (const { readMs } of unproven.values()) newestMs = Math.max(newestMs, readMs);
    }
    return newestMs;
  }

  /** The exchange has answered that it cancelled the order, and nothing else told that it is over. */
  acknowledged({ clientOrderId, market }: OrderState): void {
    const { clock, config } = this.#options;
    const nowMs = clock.now();
    const readMs = nowMs + config.readLagMs + 1;
    // Where answers are not believed it is looked up anyway.
    const isWary = this.isWary(market);
    const isLookedUp = isWary || !this.#isLooking(market);
    const unproven = getOrInsert(this.#unproven, market, () => new Map());
    unproven.set(clientOrderId, { readMs, isLookedUp });
    const [oldest] = unproven.keys();
    if (unproven.size > UNPROVEN_MAX) unproven.delete(oldest!);
    if (isWary || !isLookedUp) return;
    this.#looks.set(market, { id: clientOrderId, sinceMs: nowMs });
    const isPushed = nowMs < (this.#provenMs.get(market) ?? LONG_AGO) + PUSHED_MS;
    const dueMs = isPushed ? readMs : readMs + config.readLagMs;
    this.#inquiries.ask(clientOrderId, dueMs, { until: 'proven' });
  }

  /** A push tells that the order is gone. */
  proven({ clientOrderId, market }: OrderState): void {
    this.#provenMs.set(market, this.#options.clock.now());
    if (this.#unproven.get(market)?.delete(clientOrderId)) {
      this.#inquiries.end(clientOrderId, 'proven');
    }
  }

  /** An order lives. Whether it was cancelled, as the exchange had said: others may live as well. */
  lives({ clientOrderId, market, status }: LiveOrder): boolean {
    if (status !== 'open') return false;
    const unproven = this.#unproven.get(market);
    if (!unproven?.delete(clientOrderId)) return false;
    this.#waryUntilMs.set(market, this.#options.clock.now() + WARY_MS);
    this.#lookInto(unproven);
    return true;
  }

  /** Whether the newest look is not over, or was asked for just now: a push may have ended it. */
  #isLooking(market: string): boolean {
    const { clock, config } = this.#options;
    const look = this.#looks.get(market);
    if (look === undefined) return false;
    return clock.now() < look.sinceMs + config.readLagMs || this.#inquiries.asksAbout(look.id);
  }

  #lookInto(all: ReadonlyMap<string, Unproven>): void {
    for (const [id, unproven] of all) {
      if (unproven.isLookedUp) continue;
      unproven.isLookedUp = true;
      this.#inquiries.ask(id, unproven.readMs, { until: 'proven' });
    }
  }
}

const LONG_AGO = Number.NEGATIVE_INFINITY;
