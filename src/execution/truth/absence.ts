import type { LiveOrder, OrderState } from '../../domain/index.ts';
import { elapsedMs, MINUTE_MS } from '../../kernel/index.ts';
import type { ExecutionConfig } from '../config.ts';
import type { ExecutorOptions } from '../ports.ts';
import { LOST_MAX_MS } from '../sending/lost-requests.ts';

/** Lookups that must have found nothing before an order counts as absent. */
const LOOKUPS_MIN = 3;
/** The distance between lookups that find nothing, or fail, grows up to this many read lags. */
const SPACING_MAX = 5;
/**
 * The distance between lookups by an id that a person told, which may be wrong for good, grows up
 * to this.
 */
const TOLD_PAUSE_MAX_MS = 5 * MINUTE_MS;

/**
 * The search for one order of unknown fate, from the moment it became so.
 *
 * Not finding the order proves nothing while its request may be under way. Answers to other
 * requests show that their way is open, not that nobody holds this one: it has a connection of its
 * own, and another behind a proxy. So the search goes on until no request lives that long, plus the
 * lag of reads, in elapsed time, which no change of the date shortens.
 *
 * The request of an order with an exchange id is no longer under way: for it only reads may lag.
 */
export class Search {
  readonly #options: Pick<ExecutorOptions, 'clock' | 'config'>;
  readonly #beganMs: number;
  /** When the newest lookup left. */
  #leftMs: number;
  #misses = 0;
  /** Lookups without an answer. */
  #failures = 0;

  constructor(options: Pick<ExecutorOptions, 'clock' | 'config'>) {
    this.#options = options;
    this.#beganMs = this.#nowMs();
    this.#leftMs = this.#beganMs;
  }

  /** How long after a lookup the next one may leave, milliseconds. */
  pauseMs(order: OrderState | undefined): number {
    const { readLagMs } = this.#options.config;
    if (order?.evidence === 'person') {
      return Math.min(TOLD_PAUSE_MAX_MS, 2 ** this.#misses * readLagMs);
    }
    const lookups = this.#misses + this.#failures;
    return Math.min(SPACING_MAX, 1 + Math.floor(lookups / LOOKUPS_MIN)) * readLagMs;
  }

  /** A lookup leaves now. */
  leaves(): void {
    this.#leftMs = this.#nowMs();
  }

  /** The lookup was not answered: that proves nothing, and the next one is as likely to fail. */
  failed(): void {
    this.#failures++;
  }

  /** The lookup did not find the order, or found another one by the id that a person told. */
  missed(): void {
    this.#misses++;
  }

  /** Whether the newest lookup left at a time when nothing could be under way any more. */
  isLongEnough(order: LiveOrder): boolean {
    return this.#leftMs >= this.#beganMs + searchMs(order, this.#options.config);
  }

  /** Whether it is time to report that the id named by a person leads nowhere. */
  isInVain(order: LiveOrder): boolean {
    return order.evidence === 'person' && this.#misses === LOOKUPS_MIN;
  }

  /**
   * Whether the misses prove that the order does not exist, or exists no more. Not if a person
   * named the id: it may be mistyped.
   */
  proves(order: LiveOrder): boolean {
    return order.evidence !== 'person' && this.isLongEnough(order) && this.#misses >= LOOKUPS_MIN;
  }

  #nowMs(): number {
    return elapsedMs(this.#options.clock);
  }
}

/**
 * How long an order must be searched for without success before it counts as absent, milliseconds.
 */
export function searchMs(order: LiveOrder, config: ExecutionConfig): number {
  const { absentAfterMs, answerTimeoutMs, readLagMs } = config;
  if (order.exchangeOrderId !== undefined) return absentAfterMs;
  // A lapse of the timed cancel makes an order unknown before its request is given up.
  const isOut = order.evidence === 'request';
  return (isOut ? answerTimeoutMs : 0) + LOST_MAX_MS + readLagMs;
}

/** Ends an order that the exchange is proven not to have. `reason`: why, if that was told. */
export function declareAbsent(
  { clientOrderId, status }: LiveOrder,
  options: Pick<ExecutorOptions, 'clock' | 'orders'> & { readonly reason?: string | undefined },
): void {
  const { clock, orders, reason = 'proven absent' } = options;
  const news = { time: clock.now(), evidence: 'query' } as const;
  if (status !== 'unknown') orders.apply(clientOrderId, { kind: 'lost', reason: GONE, ...news });
  orders.apply(clientOrderId, { kind: 'rejected', reason, ...news });
}

const GONE = 'the exchange does not find it';
