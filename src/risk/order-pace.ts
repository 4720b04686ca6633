import { getOrInsert, SlidingWindow } from '../kernel/index.ts';
import type { RiskConfig } from './config.ts';

type PaceLimits = Pick<
  RiskConfig,
  'ordersPerWindowMax' | 'strategyOrdersPerWindowMax' | 'orderRateWindowMs'
>;

/** Counts the orders that passed, of each strategy and in all, in any window that ends now. */
export class OrderPace {
  readonly #limits: PaceLimits;
  readonly #all: SlidingWindow;
  readonly #strategies = new Map<string, SlidingWindow>();

  constructor(limits: PaceLimits) {
    this.#limits = limits;
    this.#all = new SlidingWindow(limits.ordersPerWindowMax, limits.orderRateWindowMs);
  }

  /** Whether one more order of all strategies stays within the limit. */
  hasRoom(nowMs: number): boolean {
    return this.#all.hasRoom(nowMs);
  }

  /** Whether one more order of the strategy stays within its limit. */
  hasRoomFor(strategy: string, nowMs: number): boolean {
    return this.#windowOf(strategy).hasRoom(nowMs);
  }

  /** The earliest time with room both for the strategy and in all. */
  opensMs(strategy: string, nowMs: number): number {
    return Math.max(this.#windowOf(strategy).roomAtMs(nowMs), this.#all.roomAtMs(nowMs));
  }

  /** An order of the strategy passed. */
  add(strategy: string, nowMs: number): void {
    this.#windowOf(strategy).add(nowMs);
    this.#all.add(nowMs);
  }

  #windowOf(strategy: string): SlidingWindow {
    const { strategyOrdersPerWindowMax: most, orderRateWindowMs: windowMs } = this.#limits;
    return getOrInsert(this.#strategies, strategy, () => new SlidingWindow(most, windowMs));
  }
}
