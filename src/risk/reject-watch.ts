import type { OrderState } from '../domain/index.ts';
import { formatDuration, getOrInsert, HOUR_MS, SECOND_MS, SlidingWindow } from '../kernel/index.ts';
import type { MarketLimits } from './config.ts';
import type { Objection, RiskView } from './review.ts';

/** No pause is longer. */
const PAUSE_MAX_MS = HOUR_MS;
/** How long the next exit of a strategy waits behind one that failed, while orders pause. */
const EXIT_PAUSE_MS = SECOND_MS;

/** How the exchange has taken the newest orders of one market. */
interface Reception {
  /** Orders that failed since the last that was taken, but for post-only ones that were sent back. */
  row: number;
  /** The latter. */
  sentBack: number;
  /** When the first of both was made: an older order that rests or fills does not end the row. */
  rowMs: number;
  /** Those that failed of late, whatever was taken between them. */
  readonly failed: SlidingWindow;
  /** Pauses in a row. */
  pauses: number;
  /** When the newest ends. */
  untilMs: number;
  /** What led to it. */
  pause: Objection;
  /** From when on each strategy whose exits failed may try the next in a pause. */
  readonly exitsMs: Map<string, number>;
}

/**
 * Watches what becomes of orders at the exchange: who is told no each time has to stop asking.
 *
 * An order fails when the exchange rejects it or its request ends without a clear answer. Too many
 * in a row, or in a window, make new orders of the market pause. An order that is taken ends the row.
 * Each pause is twice as long as the one before, until an order is taken a whole window after the
 * last; after as many as are allowed trading is HALTED. A reset by a person starts all counts anew.
 * Only exits leave in a pause. What fails then, or was under way when it began, counts in no row and
 * no window, and the next exit of the same strategy waits a second.
 *
 * A post-only order that was sent back is what its maker asked for: fast markets do it in bursts. Such
 * orders have a limit of their own in a row and none in a window. One that was rejected for what has
 * nothing to do with its price, such as money, is none of them.
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

  /** Why an exit of the strategy waits as well while they do: one of its own has just failed. */
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
        // What lookups find out later, or a lapse makes unknown, is no answer to a new order.
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

  /** Whether it may be that it would have traded. */
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
    // It left in the pause, or was under way when that began.
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
