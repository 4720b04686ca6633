import { twice } from './fill-rows.ts';
import { OrderStore } from './order-store.ts';

/** Closed orders that are kept at least. A power of two. */
const CLOSED_ORDERS_KEPT = 1_024;
const FIRST_PLACES = 16;

/**
 * Orders of one account on one side of one market, in the order of their placement: all that are
 * open, and the last that have closed.
 *
 * Each order stores its place in the list, so placing and closing touch only a row of numbers.
 */
export class OrderList {
  /** A ring of the closed orders, apart from the rows that matching works on, which stay few. */
  readonly closed = new OrderStore(FIRST_PLACES);
  readonly #orders: OrderStore;
  /** How many have closed so far. */
  #closings = 0;
  /**
   * The standing of the order at each place: its slot (above 0) while it is open, then the negated
   * number of its closing (from -1 down), even if `closed` has forgotten it since.
   */
  #standings = new Float64Array(FIRST_PLACES);
  /** Running numbers of the orders by place. They grow. */
  #ordinals = new Float64Array(FIRST_PLACES);
  #length = 0;

  constructor(orders: OrderStore) {
    this.#orders = orders;
  }

  /** The slot in `closed` that the next order to close overwrites; undefined while none is. */
  get leaving(): number | undefined {
    return this.#closings < CLOSED_ORDERS_KEPT ? undefined : closedSlot(-this.#closings - 1);
  }

  add(slot: number): void {
    if (this.#length === this.#standings.length) this.#makeRoom();
    const place = this.#length++;
    this.#orders.setPlace(slot, place);
    this.#standings[place] = slot;
    this.#ordinals[place] = this.#orders.ordinal(slot);
  }

  /** Moves an order that has closed to the closed ones, where it may overwrite the oldest. */
  close(slot: number): void {
    const standing = -++this.#closings;
    this.closed.copy(closedSlot(standing), this.#orders, slot);
    this.#standings[this.#orders.place(slot)] = standing;
  }

  /** The standing of the order with that running number, undefined when it is not here. */
  find(ordinal: number): number | undefined {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ordinals[middle]! < ordinal) low = middle + 1;
      else high = middle;
    }
    if (low === this.#length || this.#ordinals[low] !== ordinal) return undefined;
    const standing = this.#standings[low]!;
    return this.#isKept(standing) ? standing : undefined;
  }

  /** The standings of all orders, newest first. */
  *newestFirst(): Generator<number> {
    for (let place = this.#length - 1; place >= 0; place--) {
      const standing = this.#standings[place]!;
      if (this.#isKept(standing)) yield standing;
    }
  }

  #isKept(standing: number): boolean {
    return standing > 0 || this.#closings + standing < CLOSED_ORDERS_KEPT;
  }

  /** Drops forgotten orders, and grows unless a third of the places is free then: so it is rare. */
  #makeRoom(): void {
    let kept = 0;
    for (let place = 0; place < this.#length; place++) {
      const standing = this.#standings[place]!;
      if (!this.#isKept(standing)) continue;
      this.#standings[kept] = standing;
      this.#ordinals[kept] = this.#ordinals[place]!;
      if (standing > 0) this.#orders.setPlace(standing, kept);
      kept++;
    }
    this.#length = kept;
    if (1.5 * kept <= this.#standings.length) return;
    this.#standings = twice(this.#standings);
    this.#ordinals = twice(this.#ordinals);
  }
}

/** The slot in `OrderList.closed` of an order that has closed. */
export function closedSlot(standing: number): number {
  return (-standing - 1) & (CLOSED_ORDERS_KEPT - 1);
}
