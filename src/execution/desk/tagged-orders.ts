import type { LiveOrder, OrderIntent } from '../../domain/index.ts';
import { type Difference, NOTHING } from './difference.ts';
import { isCancellable, isOverdue } from './live-order.ts';
import type { DeskOptions, DeskParts } from './options.ts';
import { leftOf } from './replaced.ts';
import { Slot } from './slot.ts';
import { isTagged } from './tags.ts';

/** The single orders that one strategy wishes in one market, each by its tag. */
export class TaggedOrders {
  readonly #parts: DeskParts;
  readonly #options: DeskOptions;
  /** Tags whose orders, left by an earlier run, were decided about since the start. */
  readonly #decided = new Set<string>();

  constructor(parts: DeskParts, options: DeskOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  has(tag: string): boolean {
    return this.#parts.slots.tagged.has(tag) || this.#liveBy(tag).some(isTagged);
  }

  /** The slots whose orders have yet to leave. */
  get waiting(): readonly Slot[] {
    const { tagged } = this.#parts.slots;
    return tagged.size === 0 ? NONE : [...tagged.values()].filter((slot) => slot.isEmpty);
  }

  /**
   * Replaces the wish with that tag. Returns the slot set up for it, perhaps filled already by a
   * live order; undefined: the same wish stands and stays.
   */
  wish(intent: OrderIntent): Slot | undefined {
    const { slots } = this.#parts;
    const former = slots.tagged.get(intent.tag);
    if (former !== undefined && !former.done && former.isWishOf(intent)) return undefined;
    this.#decide(intent.tag);
    const slot = new Slot(intent);
    const live = this.#liveBy(intent.tag);
    const own = live.find((order) => slot.isMetBy(order));
    slot.clientOrderId = own?.clientOrderId;
    slot.replaced = live.filter((order) => order !== own && order.side === slot.side);
    slots.tagged.set(intent.tag, slot);
    return slot;
  }

  /**
   * The wish was refused: an order of an earlier run with its tag stays only if it has these very
   * terms.
   */
  refuse(intent: OrderIntent): void {
    const slot = new Slot(intent);
    if (!this.#liveBy(intent.tag).some((order) => slot.isMetBy(order))) this.#decide(intent.tag);
  }

  /** Takes back the wish with that tag, or an order that an earlier run left with it. */
  takeBack(tag: string): void {
    this.#decide(tag);
    this.#parts.slots.tagged.delete(tag);
  }

  /** Whether the tag was wished or taken back since the start. */
  hasDecided(tag: string): boolean {
    return this.#parts.slots.tagged.has(tag) || this.#decided.has(tag);
  }

  /** Ends a slot whose order has not left. */
  giveUp(slot: Slot): void {
    slot.done = true;
    this.#parts.slots.dropTagged(slot);
  }

  /** What is missing beside these live single orders. */
  plan(live: readonly LiveOrder[]): Difference {
    const { slots } = this.#parts;
    if (live.length === 0 && slots.tagged.size === 0) return NOTHING;
    const wished = [...slots.tagged.values()];
    const kept = new Set(wished.map((slot) => slot.clientOrderId));
    const cancels = live
      .filter((order) => !kept.has(order.clientOrderId) || isOverdue(order, this.#options))
      .filter(isCancellable);
    const places = wished.filter(
      (slot) => slot.isEmpty && !live.some((order) => order.tag === slot.tag) && this.#isLeft(slot),
    );
    return { cancels, places };
  }

  /**
   * Notes the decision, but only for tags of an earlier run: there may be as many tags as orders.
   */
  #decide(tag: string): void {
    if (this.#liveBy(tag).some(this.#options.mayRest)) this.#decided.add(tag);
  }

  #liveBy(tag: string): readonly LiveOrder[] {
    const { strategy, market } = this.#parts;
    return this.#options.orders.liveOf(strategy, market.id).filter((order) => order.tag === tag);
  }

  /** Whether anything is left of a single order after the fills of the orders that it replaces. */
  #isLeft(slot: Slot): boolean {
    if (slot.replaced.length === 0) return true;
    slot.amount = leftOf(slot, { market: this.#parts.market, orders: this.#options.orders });
    if (slot.amount === 0) this.giveUp(slot);
    return !slot.done;
  }
}

const NONE: readonly Slot[] = [];
