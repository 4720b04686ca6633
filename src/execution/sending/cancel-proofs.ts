import type { LiveOrder, OrderState } from '../../domain/index.ts';
import { MINUTE_MS } from '../../kernel/index.ts';
import type { ExecutorOptions } from '../ports.ts';
import type { Inquiries } from '../truth/unknown.ts';

/** Acknowledged cancels without proof that are remembered of a market, at most. */
const UNPROVEN_MAX = 256;
/** For how long answers to cancels are not believed after one that was not carried out. */
const WARY_MS = MINUTE_MS;

/**
 * Looks whether orders are gone that the exchange says to have cancelled.
 *
 * By our books an order is over with the answer to its cancel, and another may take its place. Where
 * the exchange only says so, it rests on, and so does the next: nobody counts them. A push proves
 * that an order is gone. Where none does within the lag of reads, one order of each market is looked
 * up in that time. Once one is found to rest all of them are, and for a minute the answer to a cancel
 * ends no order of that market any more.
 */
export class CancelProofs {
  readonly #options: Pick<ExecutorOptions, 'clock' | 'config'>;
  readonly #inquiries: Inquiries;
  /** From when on a read tells, by market and by our ids, the oldest first. */
  readonly #unproven = new Map<string, Map<string, number>>();
  /** When the newest look into each market was asked for. */
  readonly #lookedMs = new Map<string, number>();
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
    const newest = this.#unproven.values().flatMap((unproven) => unproven.values());
    return Math.max(LONG_AGO, ...newest);
  }

  /** The exchange has answered that it cancelled the order, and nothing else told that it is over. */
  acknowledged({ clientOrderId, market }: OrderState): void {
    const { clock, config } = this.#options;
    const nowMs = clock.now();
    const readMs = nowMs + config.readLagMs + 1;
    this.#remember({ clientOrderId, market, readMs });
    // It is looked up anyway.
    if (this.isWary(market)) return;
    if (nowMs < (this.#lookedMs.get(market) ?? LONG_AGO) + config.readLagMs) return;
    this.#lookedMs.set(market, nowMs);
    this.#inquiries.ask(clientOrderId, readMs, { until: 'proven' });
  }

  /** A push tells that the order is gone. */
  proven({ clientOrderId, market }: OrderState): void {
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

  #lookInto(unproven: ReadonlyMap<string, number>): void {
    for (const [id, readMs] of unproven) this.#inquiries.ask(id, readMs, { until: 'proven' });
  }

  #remember(one: {
    readonly clientOrderId: string;
    readonly market: string;
    readonly readMs: number;
  }): void {
    const unproven = this.#unproven.get(one.market) ?? new Map<string, number>();
    this.#unproven.set(one.market, unproven);
    unproven.set(one.clientOrderId, one.readMs);
    if (unproven.size <= UNPROVEN_MAX) return;
    for (const oldest of unproven.keys()) {
      unproven.delete(oldest);
      break;
    }
  }
}

const LONG_AGO = Number.NEGATIVE_INFINITY;
