import type { LiveOrder, OrderState } from '../../domain/index.ts';
import { elapsedMs, MINUTE_MS } from '../../kernel/index.ts';
import type { ExecutionConfig } from '../config.ts';
import type { ExecutorOptions } from '../ports.ts';
import { LOST_MAX_MS } from '../sending/lost-requests.ts';

/** Lookups that must have found nothing before an order counts as absent. */
const LOOKUPS_MIN = 3;
/** Lookups that find nothing, or fail, come at growing distance, up to this many times the read lag. */
const SPACING_MAX = 5;
/** Those by an id that a person told, which may be wrong for good, come ever later, up to this. */
const TOLD_PAUSE_MAX_MS = 5 * MINUTE_MS;

/**
 * The search for one order whose fate is unknown, from the moment on in which it became so.
 *
 * Not to be found is no proof while the request that made the order may be under way. That others
 * are answered shows that their way is open, not that nobody holds this one: each has a connection
 * of its own, and behind a proxy another. So the search goes on until no request lives that long,
 * and for the lag of reads on top; elapsed time counts, which no step of the date shortens.
 *
 * An order to which the exchange has given an id is under way no more: there reads alone may lag.
 */
export class Search {
  readonly #options: Pick<ExecutorOptions, 'clock' | 'config'>;
  readonly #beganMs: number;
  /** When the newest lookup left. */
  #leftMs: number;
  #misses = 0;
  /** Lookups that were not answered. */
  #failures = 0;

  constructor(options: Pick<ExecutorOptions, 'clock' | 'config'>) {
    this.#options = options;
    this.#beganMs = this.#nowMs();
    this.#leftMs = this.#beganMs;
  }

  /** How long after a lookup the next may leave, milliseconds. */
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

  /** It was not answered: that proves nothing, and the next one fails as likely. */
  failed(): void {
    this.#failures++;
  }

  /** It did not find the order, or another one by the id that a person told. */
  missed(): void {
    this.#misses++;
  }

  /** Whether the lookup that left last did so when nothing could be under way any more. */
  isLongEnough(order: LiveOrder): boolean {
    return this.#leftMs >= this.#beganMs + searchMs(order, this.#options.config);
  }

  /** Whether it is time to say that the id that a person named leads nowhere. */
  isInVain(order: LiveOrder): boolean {
    return order.evidence === 'person' && this.#misses === LOOKUPS_MIN;
  }

  /**
   * Whether what was not found proves that the order does not exist, or exists no more. Not where a
   * person has named the id that is not found: it may be mistyped.
   */
  proves(order: LiveOrder): boolean {
    return order.evidence !== 'person' && this.isLongEnough(order) && this.#misses >= LOOKUPS_MIN;
  }

  #nowMs(): number {
    return elapsedMs(this.#options.clock);
  }
}

/** How long an order must be searched for in vain before it counts as absent, milliseconds. */
export function searchMs(order: LiveOrder, config: ExecutionConfig): number {
  const { absentAfterMs, answerTimeoutMs, readLagMs } = config;
  if (order.exchangeOrderId !== undefined) return absentAfterMs;
  // A lapse of the timed cancel makes it unknown before its request is given up.
  const isOut = order.evidence === 'request';
  return (isOut ? answerTimeoutMs : 0) + LOST_MAX_MS + readLagMs;
}

/** Ends an order that the exchange has proven not to have. `reason`: why it has not, where told. */
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
