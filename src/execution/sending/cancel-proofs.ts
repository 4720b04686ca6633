import type { LiveOrder, OrderState } from '../../domain/index.ts';
import { getOrInsert, MINUTE_MS } from '../../kernel/index.ts';
import type { ExecutorOptions } from '../ports.ts';
import type { Inquiries } from '../truth/inquiries.ts';

/** Most acknowledged cancels without proof that are remembered of a market. */
const UNPROVEN_MAX = 256;
/** How long answers to cancels are not believed after one that was not carried out. */
const WARY_MS = MINUTE_MS;
/** How long pushes count as working after one that proved something. */
const PUSHED_MS = MINUTE_MS;

/** An acknowledged cancel without proof. */
interface Unproven {
  /** The earliest time at which a read shows it. */
  readonly readMs: number;
  /** Whether it was looked up or is being looked up: once is enough. */
  isLookedUp: boolean;
}

/**
 * Checks that orders are gone which the exchange says it cancelled.
 *
 * In our books an order ends with the answer to its cancel, and another may take its place. If the
 * exchange only says so, the order rests on, and so does the next one: nobody counts them. A push
 * proves that an order is gone. Without pushes, one order per market at a time is looked up, after
 * all other lookups: after the lag of reads, or twice that if pushes have proved nothing lately,
 * since a read that lags a little longer than allowed would discredit all answers. Once one is
 * found at rest, all unproven ones are looked up, and for a minute an answer to a cancel ends no
 * order of that market.
 */
export class CancelProofs {
  readonly #options: Pick<ExecutorOptions, 'clock' | 'config'>;
  readonly #inquiries: Inquiries;
  /** By market and our id, oldest first. */
  readonly #unproven = new Map<string, Map<string, Unproven>>();
  /** The newest lookup in each market: the order, and when it was asked for. */
  readonly #looks = new Map<string, { readonly id: string; readonly sinceMs: number }>();
  /** By market, when a push last told that an order is gone. */
  readonly #provenMs = new Map<string, number>();
  readonly #waryUntilMs = new Map<string, number>();
  #doubtsAll = false;

  constructor(options: Pick<ExecutorOptions, 'clock' | 'config'>, inquiries: Inquiries) {
    this.#options = options;
    this.#inquiries = inquiries;
  }

  /** Whether an answer does not suffice to believe that an order of the market is cancelled. */
  isWary(market: string): boolean {
    const untilMs = this.#waryUntilMs.get(market) ?? LONG_AGO;
    return this.#doubtsAll || this.#options.clock.now() < untilMs;
  }

  /** From now on no answer to a cancel ends an order, and all unproven cancels are looked into. */
  doubtAll(): void {
    this.#doubtsAll = true;
    for (const unproven of this.#unproven.values()) this.#lookInto(unproven);
  }

  /** The earliest time at which a read shows all unproven cancels, milliseconds since the epoch. */
  get readMs(): number {
    let newestMs = LONG_AGO;
    for (const unproven of this.#unproven.values()) {
      for (const { readMs } of unproven.values()) newestMs = Math.max(newestMs, readMs);
    }
    return newestMs;
  }

  /** The exchange answered that it cancelled the order, and nothing else has told its end. */
  acknowledged({ clientOrderId, market }: OrderState): void {
    const { clock, config } = this.#options;
    const nowMs = clock.now();
    const readMs = nowMs + config.readLagMs + 1;
    // While answers are not believed the order is looked up anyway.
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

  /**
   * An order lives. Returns whether the exchange had said that it was cancelled: others may live as
   * well.
   */
  lives({ clientOrderId, market, status }: LiveOrder): boolean {
    if (status !== 'open') return false;
    const unproven = this.#unproven.get(market);
    if (!unproven?.delete(clientOrderId)) return false;
    this.#waryUntilMs.set(market, this.#options.clock.now() + WARY_MS);
    this.#lookInto(unproven);
    return true;
  }

  /**
   * Whether the newest lookup is open, or was asked for just now: a push may have ended it already.
   */
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
