import type { LiveOrder, OrderState } from '../../domain/index.ts';
import { TIMED_CANCEL_MS } from '../../exchange/index.ts';
import { MINUTE_MS, withoutAction } from '../../kernel/index.ts';
import type { ExecutionConfig } from '../config.ts';
import { isIdTold } from '../desk/live-order.ts';
import type { ExecutorOptions } from '../ports.ts';
import type { Courier } from '../sending/courier.ts';
import { searchMs } from '../truth/absence.ts';
import type { Reconciler } from '../truth/reconciler.ts';
import { LapsedOrders } from './lapsed-orders.ts';
import { outOfReachText } from './out-of-reach.ts';

/** A market in which nothing is placed until its orders are known again. */
interface Suspension {
  /** Why, as the read's report tells it. */
  readonly reason: string;
  readonly sinceMs: number;
  /** When the timed cancel was first seen armed again. */
  armedMs: number | undefined;
  truth: 'unread' | 'reading' | 'read';
}

export interface PacemakerParts {
  readonly courier: Courier;
  readonly reconciler: Reconciler;
}

/**
 * Keeps the timed cancels of the markets armed. On a lapse the market's orders become unknown and
 * nothing is placed; the timed cancel is armed again, the orders are read, then all goes on.
 */
export class Pacemaker {
  readonly #options: ExecutorOptions;
  readonly #parts: PacemakerParts;
  readonly #suspensions = new Map<string, Suspension>();
  readonly #lapsed: LapsedOrders;
  /** When it was last logged, by market, that the timed cancel is not confirmed. */
  readonly #toldMs = new Map<string, number>();
  /** Oldest confirmation with which an order may leave. */
  readonly #placeAgeMaxMs: number;
  /** Since when calls have been waiting for the rate budget. */
  #waitingSinceMs: number | undefined;

  constructor(options: ExecutorOptions, parts: PacemakerParts) {
    this.#options = options;
    this.#parts = parts;
    this.#lapsed = new LapsedOrders(options);
    this.#placeAgeMaxMs = placeAgeMaxMs(options.config);
  }

  /**
   * Whether an order may leave: the market's orders are known, and the timed cancel was confirmed
   * so recently that its next call will be answered in time.
   */
  mayPlace(market: string): boolean {
    if (this.#suspensions.has(market)) return false;
    return this.#options.heartbeat.ageMs(market) <= this.#placeAgeMaxMs;
  }

  /** Whether a position may be opened in the market: not where its orders cannot be read. */
  mayOpen(market: string): boolean {
    return !this.#parts.reconciler.isUnreadable(market);
  }

  /** Whether the order's market is suspended and will be read as a whole. */
  willRead(order: OrderState): boolean {
    const suspension = this.#suspensions.get(order.market);
    if (suspension === undefined || suspension.truth === 'read') return false;
    if (this.#isUnguarded(suspension)) return false;
    if (this.#parts.reconciler.isUnreadable(order.market)) return false;
    return order.status === 'unknown' && order.exchangeOrderId !== undefined;
  }

  /** Sends the calls that are due, notices lapses, and leads suspended markets back. */
  beat(): void {
    const { heartbeat, orders } = this.#options;
    for (const market of heartbeat.takeLapsed()) {
      if (orders.live(market).some((order) => this.#isAtStake(order))) this.#lapse(market);
    }
    this.#callDue();
    for (const [market, suspension] of this.#suspensions) this.#recover(market, suspension);
    this.#lapsed.look();
  }

  /**
   * Orders of markets whose timed cancel could not be armed again in time: they must be cancelled.
   */
  unguarded(): readonly LiveOrder[] {
    if (this.#suspensions.size === 0) return NONE;
    return [...this.#suspensions].flatMap(([market, suspension]) =>
      this.#isUnguarded(suspension) ? this.#options.orders.live(market) : NONE,
    );
  }

  /**
   * Places nothing in the market until it was armed and read. Default reason: orders of an earlier
   * run.
   */
  suspend(market: string, reason = 'left by an earlier run'): void {
    this.#suspensions.set(market, {
      reason,
      sinceMs: this.#options.clock.now(),
      armedMs: undefined,
      truth: 'unread',
    });
  }

  /** An order counts as absent from now on. */
  absent(order: LiveOrder): void {
    this.#lapsed.absent(order);
  }

  /** Whether a call waits for the rate budget. */
  get waits(): boolean {
    return this.#waitingSinceMs !== undefined;
  }

  get nextMs(): number {
    const { heartbeat, config, clock } = this.#options;
    let nextMs = this.waits ? heartbeat.nextLapseMs : heartbeat.nextMs;
    for (const { sinceMs, armedMs, truth } of this.#suspensions.values()) {
      if (armedMs === undefined) {
        const unguardedMs = sinceMs + config.heartbeat.safetyMarginMs;
        if (unguardedMs > clock.now()) nextMs = Math.min(nextMs, unguardedMs);
      } else if (truth === 'unread') {
        nextMs = Math.min(nextMs, armedMs + config.readLagMs);
      }
    }
    return nextMs;
  }

  /**
   * Whether a lapse concerns the order: not if it is unknown for so long that it cannot arrive any
   * more.
   */
  #isAtStake(order: LiveOrder): boolean {
    if (order.status !== 'unknown' || order.exchangeOrderId !== undefined) return true;
    const { clock, config } = this.#options;
    return clock.now() < order.unknownSince + searchMs(order, config);
  }

  #isUnguarded({ sinceMs, armedMs }: Suspension): boolean {
    const { clock, config } = this.#options;
    return armedMs === undefined && clock.now() >= sinceMs + config.heartbeat.safetyMarginMs;
  }

  #lapse(market: string): void {
    const { bus, clock, heartbeat, orders, logger } = this.#options;
    const time = clock.now();
    const isOnItsWayOut = heartbeat.needOf(market) === 'place';
    const reason = isOnItsWayOut ? LEFT_TO_FIRE : NOT_CONFIRMED;
    this.#lapsed.note(market, orders.live(market));
    bus.publish({ kind: 'lapse', time, market, reason });
    logger.warn({ market }, `the timed cancel has lapsed${this.#atStake(market)}`);
    this.suspend(market, 'lapse');
    for (const { clientOrderId } of orders.live(market)) {
      orders.apply(clientOrderId, { kind: 'lost', reason, time, evidence: 'request' });
    }
  }

  #callDue(): void {
    const { heartbeat, budget, clock } = this.#options;
    for (const market of heartbeat.due()) {
      if (!this.#isWanted(market)) continue;
      if (!budget.hasRoom('heartbeat')) {
        this.#waitingSinceMs ??= clock.now();
        return;
      }
      this.#call(market);
    }
    this.#waitingSinceMs = undefined;
  }

  /** Whether the call is still wanted: not if it was only for lost orders that were found since. */
  #isWanted(market: string): boolean {
    const { heartbeat, orders } = this.#options;
    if (heartbeat.needOf(market) === 'called') return true;
    if (orders.live(market).some((order) => order.exchangeOrderId === undefined)) return true;
    heartbeat.awaitsNone(market);
    return false;
  }

  #call(market: string): void {
    const { heartbeat, exchange, bus, clock, logger } = this.#options;
    heartbeat.calling(market);
    this.#parts.courier.send({
      operation: 'cancelAllAfter',
      market,
      priority: 'heartbeat',
      waitingSinceMs: this.#waitingSinceMs,
      call: () => exchange.trading.cancelAllAfter(market),
      answered: (_nothing, { sentMs }) => {
        heartbeat.confirm(market, sentMs);
        this.#toldMs.delete(market);
        bus.publish({ kind: 'heartbeat', time: clock.now(), market, sentTime: sentMs });
      },
      failed: (failure) => {
        const isUnanswered = failure.code === undefined && failure.kind !== 'limited';
        heartbeat.failed(market, { isUnanswered });
        if (clock.now() < (this.#toldMs.get(market) ?? LONG_AGO) + TELL_MS) return;
        this.#toldMs.set(market, clock.now());
        const reason = withoutAction(failure.message);
        const what = 'the timed cancel was not confirmed';
        logger.warn({ market, failure: reason }, `${what}${this.#atStake(market)}`);
      },
    });
  }

  /** The market's resting orders, after a colon; empty if there are none. */
  #atStake(market: string): string {
    const { heartbeat, orders, clock } = this.#options;
    const live = orders.live(market).length;
    if (live === 0) return '';
    const state = heartbeat.state(market);
    return `: ${outOfReachText({ market, orders: live, state, nowMs: clock.now() })}`;
  }

  #recover(market: string, suspension: Suspension): void {
    const { heartbeat, clock, config, orders } = this.#options;
    if (!heartbeat.confirmed(market)) {
      suspension.armedMs = undefined;
      suspension.truth = 'unread';
      return;
    }
    suspension.armedMs ??= clock.now();
    if (suspension.truth === 'unread' && clock.now() >= suspension.armedMs + config.readLagMs) {
      suspension.truth = 'reading';
      this.#read(market, suspension);
    }
    if (suspension.truth !== 'read') return;
    const isOpen = (order: LiveOrder) => order.status === 'unknown' && isIdTold(order);
    if (orders.live(market).some(isOpen)) return;
    this.#suspensions.delete(market);
    this.#lapsed.tell(market);
  }

  #read(market: string, suspension: Suspension): void {
    this.#parts.reconciler.read(suspension.reason, [market]).subscribe(() => {
      suspension.truth = 'read';
    });
  }
}

/**
 * An order leaves on a confirmation that will last for another refresh and its answer. A market
 * kept alive has no older one, unless its settings refresh it late. Settings with which this would
 * exceed the age that counts as confirmed are refused.
 */
function placeAgeMaxMs({ heartbeat, answerTimeoutMs }: ExecutionConfig): number {
  const { refreshMs, retryMs, safetyMarginMs } = heartbeat;
  const lasts = refreshMs + answerTimeoutMs;
  return Math.max(refreshMs + retryMs, TIMED_CANCEL_MS - safetyMarginMs - lasts);
}

const NONE: readonly LiveOrder[] = [];
const LONG_AGO = Number.NEGATIVE_INFINITY;
/** How often it is logged that a timed cancel is not confirmed. */
const TELL_MS = MINUTE_MS;

const NOT_CONFIRMED = 'the timed cancel was not confirmed in time';
const LEFT_TO_FIRE =
  'orders that are to be cancelled rest there still, so the timed cancel is left to fire';
