import type { LiveOrder, OrderIntent } from '../../domain/index.ts';
import { type Difference, isCancellable, NOTHING } from './difference.ts';
import type { DeskOptions, DeskParts } from './options.ts';
import { leftOf } from './replaced.ts';
import { Slot } from './slot.ts';

export interface TaggedOrdersParts extends DeskParts {
  /** Whether a live order may go on: not one that takes at once and rests all the same. */
  readonly mayLive: (order: LiveOrder) => boolean;
}

/** The orders that one strategy asks for by themselves in one market, each by its tag. */
export class TaggedOrders {
  readonly #parts: TaggedOrdersParts;
  readonly #options: Pick<DeskOptions, 'orders'>;

  constructor(parts: TaggedOrdersParts, options: Pick<DeskOptions, 'orders'>) {
    this.#parts = parts;
    this.#options = options;
  }

  /** Those that are to leave. */
  get waiting(): readonly Slot[] {
    return [...this.#parts.slots.tagged.values()].filter((slot) => slot.isEmpty);
  }

  /**
   * Takes the wish in place of the one by its tag. The slot that is set up for it, which a live order
   * may meet already; undefined: the wish stands as it is.
   */
  wish(intent: OrderIntent): Slot | undefined {
    const { strategy, market, slots } = this.#parts;
    const former = slots.tagged.get(intent.tag);
    if (former !== undefined && !former.done && former.isWishOf(intent)) return undefined;
    const slot = new Slot(intent);
    const live = this.#options.orders
      .liveOf(strategy, market.id)
      .filter((order) => order.tag === intent.tag);
    const own = live.find((order) => slot.isMetBy(order));
    slot.clientOrderId = own?.clientOrderId;
    slot.replaced = live.filter((order) => order !== own && order.side === slot.side);
    slots.setTagged(intent.tag, slot);
    return slot;
  }

  /** It is over before it leaves. */
  giveUp(slot: Slot): void {
    slot.done = true;
    this.#parts.slots.dropTagged(slot);
  }

  /** What is missing, where these of them live. */
  plan(live: readonly LiveOrder[]): Difference {
    const { slots, mayLive } = this.#parts;
    if (live.length === 0 && slots.tagged.size === 0) return NOTHING;
    const wished = [...slots.tagged.values()];
    const kept = new Set(wished.map((slot) => slot.clientOrderId));
    const cancels = live
      .filter((order) => !kept.has(order.clientOrderId) || !mayLive(order))
      .filter(isCancellable);
    const places = wished.filter(
      (slot) => slot.isEmpty && !live.some((order) => order.tag === slot.tag) && this.#isLeft(slot),
    );
    return { cancels, places };
  }

  /** Whether anything is left of an order by its tag, less what those before it filled. */
  #isLeft(slot: Slot): boolean {
    if (slot.replaced.length === 0) return true;
    slot.amount = leftOf(slot, { market: this.#parts.market, orders: this.#options.orders });
    if (slot.amount === 0) this.giveUp(slot);
    return !slot.done;
  }
}
