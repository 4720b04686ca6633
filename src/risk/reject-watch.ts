import type { OrderState } from '../domain/index.ts';
import { formatDuration, getOrInsert, HOUR_MS, SECOND_MS, SlidingWindow } from '../kernel/index.ts';
import type { MarketLimits } from './config.ts';
import type { Objection, RiskView } from './review.ts';

/** The longest pause. */
const PAUSE_MAX_MS = HOUR_MS;
/** How long the next exit of a strategy waits after one failed, while orders pause. */
const EXIT_PAUSE_MS = SECOND_MS;

/** The exchange's reception of the newest orders of one market. */
interface Reception {
  /** Failed orders since the last accepted one, without post-only orders that were sent back. */
  row: number;
  /** Post-only orders sent back since the last accepted one. */
  sentBack: number;
  /**
   * When the first order of these rows was made: an older order that rests or fills does not end
   * them.
   */
  rowMs: number;
  /** Recently failed orders, whatever was accepted in between. */
  readonly failed: SlidingWindow;
  /** Pauses in a row. */
  pauses: number;
  /** When the newest pause ends. */
  untilMs: number;
  /** Why it began. */
  pause: Objection;
  /** By strategy, when it may send its next exit after one failed in a pause. */
  readonly exitsMs: Map<string, number>;
}

/**
 * Watches what becomes of orders at the exchange: whoever is always refused must stop asking.
 *
 * An order fails when the exchange rejects it or its request ends without a clear answer. Too many
 * failures in a row, or in a window, pause new orders of the market. An accepted order ends the
 * row. Each pause is twice as long as the one before, until an order is accepted a whole window
 * after the last pause; after as many pauses as allowed trading is HALTED. A reset by a person
 * starts all counts anew. In a pause only exits leave. Orders that leave in a pause, or were under
 * way when it began, count in no row or window when they fail, and the strategy's next exit waits a
 * second.
 *
 * A post-only order that is sent back did what its maker asked for; fast markets send them back in
 * bursts. These have their own limit in a row and none in a window. A post-only order rejected for
 * a reason other than its price, such as money, is not one of them.
 */
export class RejectWatch {
  readonly #view: RiskView;
  readonly #markets = new Map<string, Reception>();

  constructor(view: RiskView) {
    this.#view = view;
    view.state.onReset(() => this.#markets.clear());
    view.bus.on('order').subscribe(({ order }) => this.#heed(order));
  }

  /** Why new orders of the market pause; undefined where they do not. */
  pauseOf(market: string): Objection | undefined {
    const reception = this.#markets.get(market);
    if (reception === undefined || this.#nowMs() >= reception.untilMs) return undefined;
    return reception.pause;
  }

  /** Why an exit of the strategy waits too during a pause: its previous one has just failed. */
  exitPauseOf(market: string, strategy: string): Objection | undefined {
    const reception = this.#markets.get(market);
    const untilMs = reception?.exitsMs.get(strategy);
    if (reception === undefined || untilMs === undefined) return undefined;
    if (this.#nowMs() >= untilMs) return undefined;
    return { ...reception.pause, limit: 'an exit a second where they fail' };
  }

  #nowMs(): number {
    return this.#view.clock.now();
  }

  #heed(order: OrderState): void {
    switch (order.status) {
      case 'pending':
      case 'cancelling':
        return;
      case 'rejected':
      case 'unknown':
        // States found by a later lookup, or made unknown by a lapse, are no answer to a new order.
        if (order.evidence === 'answer') this.#failed(order, order.reason);
        return;
      case 'open':
      case 'filled':
      case 'cancelled':
        this.#taken(order);
        return;
      default:
        order satisfies never;
    }
  }

  /** Whether the order may have been rejected because it would have traded. */
  #isSentBack(order: OrderState): boolean {
    if (order.type !== 'postOnly' || order.status !== 'rejected') return false;
    const { plainRejects } = this.#view;
    return order.code === undefined || plainRejects?.has(order.code) !== true;
  }

  #failed(order: OrderState, reason: string): void {
    const { market, createdTime } = order;
    const limits = this.#view.rules.of(market)?.limits;
    if (limits === undefined) return;
    const reception = this.#receptionOf(market, limits);
    const nowMs = this.#nowMs();
    if (order.type === 'ioc') reception.exitsMs.set(order.strategy, nowMs + EXIT_PAUSE_MS);
    // The order left during the pause, or was under way when that began.
    if (createdTime < reception.untilMs) return;
    if (reception.row + reception.sentBack === 0) reception.rowMs = createdTime;
    const isSentBack = this.#isSentBack(order);
    const row = isSentBack ? ++reception.sentBack : ++reception.row;
    const rowMax = isSentBack ? limits.postOnlyRejectsInRowMax : limits.rejectsInRowMax;
    const isWindowFull = !isSentBack && !reception.failed.add(nowMs);
    if (row <= rowMax && !isWindowFull) return;
    const { rejectsPerWindowMax: most, rejectWindowMs } = limits;
    const pause = isWindowFull
      ? { limit: `${most} in ${formatDuration(rejectWindowMs)}`, observed: `${most + 1}` }
      : { limit: `${rowMax} in a row`, observed: `${row}` };
    const observed = `${pause.observed}, the last for: ${reason}`;
    this.#pause(reception, { limits, market, pause: { ...pause, observed } });
  }

  #taken({ market, createdTime }: OrderState): void {
    const reception = this.#markets.get(market);
    if (reception === undefined || createdTime < reception.rowMs) return;
    reception.row = 0;
    reception.sentBack = 0;
    const windowMs = this.#view.rules.of(market)?.limits.rejectWindowMs ?? 0;
    if (this.#nowMs() >= reception.untilMs + windowMs) reception.pauses = 0;
  }

  #pause(
    reception: Reception,
    { limits, market, pause }: { limits: MarketLimits; market: string; pause: Objection },
  ): void {
    const { limit, observed } = pause;
    const pauseMs = Math.min(limits.rejectPauseMs * 2 ** reception.pauses, PAUSE_MAX_MS);
    reception.pauses++;
    reception.untilMs = this.#nowMs() + pauseMs;
    reception.pause = { limit, observed: `${observed}; paused for ${formatDuration(pauseMs)}` };
    if (reception.pauses <= limits.rejectPausesMax) return;
    const what = `orders of ${market} fail after ${limits.rejectPausesMax} pauses`;
    this.#view.state.set('HALTED', `${what}: ${observed}`);
  }

  #receptionOf(market: string, limits: MarketLimits): Reception {
    return getOrInsert(this.#markets, market, () => ({
      ...{ row: 0, sentBack: 0, rowMs: 0, pauses: 0, untilMs: 0 },
      failed: new SlidingWindow(limits.rejectsPerWindowMax, limits.rejectWindowMs),
      ...{ pause: { limit: '', observed: '' }, exitsMs: new Map() },
    }));
  }
}
