import type { LiveOrder, Side } from '../../domain/index.ts';
import { exceeds, openAmount } from './open-amount.ts';
import type { Slot } from './slot.ts';
import { kindOf } from './tags.ts';

const NEVER = Number.POSITIVE_INFINITY;
const NONE: ReadonlySet<string> = new Set();

interface Moment {
  readonly quotes: readonly Slot[];
  readonly places: readonly Slot[];
  readonly nowMs: number;
}

/**
 * Has the order of a quote rest for a least time before a moved quote takes its place: a wish that
 * flickers between prices must not do so at the exchange.
 *
 * It is cancelled at once all the same where no quote of its side waits to take its place, where only
 * smaller ones do, or where it leaves for any other reason.
 */
export class LeastRest {
  readonly #leastMs: number;
  #held: ReadonlySet<string> = NONE;
  #nextMs = NEVER;

  /** @param leastMs `executor.orderLifetimeMinMs`. 0: nothing is held. */
  constructor(leastMs: number) {
    this.#leastMs = leastMs;
  }

  /** When the first that is held has rested long enough; infinite: none is held. */
  get nextMs(): number {
    return this.#nextMs;
  }

  holds(clientOrderId: string): boolean {
    return this.#held.has(clientOrderId);
  }

  /** None is held any more. */
  forget(): void {
    this.#held = NONE;
    this.#nextMs = NEVER;
  }

  /**
   * Those of the orders that leave now, where the quotes are the slots, of which those of `places`
   * leave as well; the youngest wait first.
   */
  leaving(orders: readonly LiveOrder[], { quotes, places, nowMs }: Moment): readonly LiveOrder[] {
    this.forget();
    if (this.#leastMs === 0 || orders.length === 0) return orders;
    const waiting = quotes.filter((slot) => slot.isEmpty && !places.includes(slot));
    const room = { buy: roomsOf('buy', waiting), sell: roomsOf('sell', waiting) };
    const held = new Set<string>();
    for (const order of orders.toSorted((a, b) => b.createdTime - a.createdTime)) {
      const overMs = order.createdTime + this.#leastMs;
      // An order from the future is one of before the date was set back: its age is not known.
      const isYoung = nowMs < overMs && order.createdTime <= nowMs;
      if (kindOf(order) !== 'quotes' || !isYoung) continue;
      const open = openAmount(order);
      const at = room[order.side].findIndex((amount) => !exceeds(open, amount));
      if (at < 0) continue;
      room[order.side].splice(at, 1);
      held.add(order.clientOrderId);
      // The youngest come first.
      this.#nextMs = overMs;
    }
    this.#held = held;
    return held.size === 0 ? orders : orders.filter((order) => !held.has(order.clientOrderId));
  }
}

/** The amounts of the quotes of a side that wait for an order, the smallest first. */
function roomsOf(side: Side, waiting: readonly Slot[]): number[] {
  const ofSide = waiting.filter((slot) => slot.side === side);
  return ofSide.map(({ amount }): number => amount).sort((a, b) => a - b);
}
