import {
  type Amount,
  type LiveOrder,
  type Market,
  type OrderState,
  type OrderType,
  type Price,
  type Side,
  tradedDecimal,
} from '../../domain/index.ts';
import { MINUTE_MS } from '../../kernel/index.ts';
import type { ExecutionConfig } from '../config.ts';
import { TARGET_TAG } from './tags.ts';

/** The order that a slot wants. */
export interface SlotTerms {
  readonly side: Side;
  readonly type: OrderType;
  readonly price: Price;
  readonly amount: Amount;
  readonly tag: string;
}

/**
 * The place of one wanted order: empty, taken by an order, or done.
 *
 * An order that fills completely ends its slot: only a new wish opens one again. An order that ends
 * otherwise frees the slot, and its unfilled amount is still wanted.
 */
export class Slot {
  readonly side: Side;
  readonly type: OrderType;
  readonly price: Price;
  readonly tag: string;
  /** The amount wished; `amount` is what is left of it. */
  readonly wished: Amount;
  amount: Amount;
  /** The order in the slot. */
  clientOrderId: string | undefined;
  /** The live orders of its tag and side that it replaces, as they were when it was wished. */
  replaced: readonly LiveOrder[] = NONE;
  /** Whether nothing more is wanted here until a new wish. */
  done = false;
  /** Earliest time of the next try, milliseconds since the epoch: see `pause`. */
  notBeforeMs = Number.NEGATIVE_INFINITY;
  /** Whether risk has refused its order since the slot was set up. */
  isRefused = false;
  /** Since when its order waits for the rate budget. */
  waitingSinceMs: number | undefined;
  #retries = 0;
  #isSentAway = false;
  #refusals = 0;
  #refusedMs: number | undefined;
  #pausedMs = Number.NEGATIVE_INFINITY;

  constructor(terms: SlotTerms) {
    this.side = terms.side;
    this.type = terms.type;
    this.price = terms.price;
    this.wished = terms.amount;
    this.amount = terms.amount;
    this.tag = terms.tag;
  }

  get isEmpty(): boolean {
    return !this.done && this.clientOrderId === undefined;
  }

  /** Whether both want the same order. */
  equals(other: SlotTerms): boolean {
    return (
      this.side === other.side &&
      this.type === other.type &&
      this.price === other.price &&
      this.amount === other.amount
    );
  }

  /** Whether it was set up for that wish, however much of it is left. */
  isWishOf(terms: SlotTerms): boolean {
    return this.isFor(terms) && this.wished === terms.amount;
  }

  /** Whether it wants an order at that side, type and price, of whatever amount. */
  isFor({ side, type, price }: SlotTerms): boolean {
    return this.side === side && this.type === type && this.price === price;
  }

  /** Its order was placed. */
  take(clientOrderId: string): void {
    this.clientOrderId = clientOrderId;
    this.waitingSinceMs = undefined;
    this.#isSentAway = false;
    this.#refusals = 0;
    this.#refusedMs = undefined;
  }

  /** Its order is being cancelled: its end does not count as a failed try. */
  sendAway(): void {
    this.#isSentAway = true;
  }

  /** Whether the order is what it wants and is not being cancelled. */
  isMetBy(order: LiveOrder): boolean {
    return order.status !== 'cancelling' && this.equals(order);
  }

  /** Its order ended in that state, or was forgotten (undefined). */
  settle(order: OrderState | undefined, options: SettleOptions): void {
    const { nowMs, market, config } = options;
    this.clientOrderId = undefined;
    if (order === undefined || order.status === 'filled') {
      this.done = true;
      return;
    }
    // By exact decimals: part of a step may have filled if the market's amounts were finer at the
    // time.
    const left = tradedDecimal(market, order.amount).minus(
      tradedDecimal(market, order.filledAmount),
    );
    this.amount = left.round(market.amountScale, 'down').toNumber() as Amount;
    if (this.amount === 0) this.done = true;
    if (nowMs - order.createdTime > config.refusalRetryMs * RESTED_RETRIES) this.#retries = 0;
    if (options.retryFree || this.#isSentAway) {
      this.pause(nowMs, config.refusalRetryMs);
      return;
    }
    if (++this.#retries > config.retriesMax) this.done = true;
    const sentBack = this.type === 'postOnly';
    this.pause(nowMs, sentBack ? config.postOnlyRetryMs : config.refusalRetryMs);
  }

  /** Makes no try until `pauseMs` after `sinceMs`. */
  pause(sinceMs: number, pauseMs: number): void {
    this.#pausedMs = sinceMs;
    this.notBeforeMs = sinceMs + pauseMs;
  }

  /** Ends a pause that began before now. Returns whether there was one. */
  endPause(nowMs: number): boolean {
    if (!this.isEmpty || this.notBeforeMs <= nowMs || this.#pausedMs >= nowMs) return false;
    this.notBeforeMs = nowMs;
    return true;
  }

  /**
   * Risk refused its order: the slot waits, longer each time, up to `mostMs`. Default: a minute.
   */
  refuse(nowMs: number, retryMs: number, { mostMs = MINUTE_MS } = {}): void {
    const pauseMs = Math.min(mostMs, retryMs * 2 ** this.#refusals++);
    this.#refusedMs = nowMs;
    this.pause(nowMs, Math.max(pauseMs, retryMs));
  }

  /**
   * Waits until `untilMs`, whatever changes. All orders but the one towards a target, which may be
   * an exit, also wait until `leastMs`: otherwise quotes alone would use up the pace of orders for
   * good.
   */
  hold(untilMs: number, leastMs: number): void {
    this.#refusedMs = undefined;
    this.notBeforeMs = this.tag === TARGET_TAG ? untilMs : Math.max(untilMs, leastMs);
    this.#pausedMs = this.notBeforeMs;
  }

  /** Something changed that risk looks at. Returns whether that brings the next try forward. */
  reconsider(retryMs: number): boolean {
    if (this.#refusedMs === undefined) return false;
    this.#refusals = 0;
    const sooner = this.#refusedMs + retryMs;
    if (sooner >= this.notBeforeMs) return false;
    this.notBeforeMs = sooner;
    return true;
  }

  /** Takes over the pauses of the former wish's slot for the same order. */
  inherit(former: Slot): void {
    this.notBeforeMs = former.notBeforeMs;
    this.waitingSinceMs = former.waitingSinceMs;
    this.#refusals = former.#refusals;
    this.#refusedMs = former.#refusedMs;
    this.#pausedMs = former.#pausedMs;
  }
}

const NONE: readonly LiveOrder[] = [];

/** An order that rested for this many pauses was not sent back: its slot counts retries anew. */
const RESTED_RETRIES = 10;

export interface SettleOptions {
  readonly nowMs: number;
  readonly market: Market;
  readonly config: ExecutionConfig;
  /**
   * Whether the order was kept from the book through no fault of its own: the retry does not count.
   */
  readonly retryFree: boolean;
}
