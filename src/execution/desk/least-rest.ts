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
 * Keeps the order of a quote at rest for a least time before a moved quote replaces it: a wish that
 * flickers between prices must not do so at the exchange.
 *
 * An order is still cancelled at once if no quote of its side waits to replace it, if only smaller
 * ones do, or if it leaves for any other reason.
 */
export class LeastRest {
  readonly #leastMs: number;
  #held: ReadonlySet<string> = NONE;
  #nextMs = NEVER;

  /** @param leastMs `executor.orderLifetimeMinMs`. 0: nothing is held. */
  constructor(leastMs: number) {
    this.#leastMs = leastMs;
  }

  /** When the first held order has rested long enough; infinite: none is held. */
  get nextMs(): number {
    return this.#nextMs;
  }

  holds(clientOrderId: string): boolean {
    return this.#held.has(clientOrderId);
  }

  /** Holds no order any more. */
  forget(): void {
    this.#held = NONE;
    this.#nextMs = NEVER;
  }

  /**
   * Which of the orders leave now. `quotes`: all slots of quotes; `places`: those whose orders
   * leave now. Where few quotes wait, the youngest orders are held.
   */
  leaving(orders: readonly LiveOrder[], { quotes, places, nowMs }: Moment): readonly LiveOrder[] {
    this.forget();
    if (this.#leastMs === 0 || orders.length === 0) return orders;
    const waiting = quotes.filter((slot) => slot.isEmpty && !places.includes(slot));
    const room = { buy: roomsOf('buy', waiting), sell: roomsOf('sell', waiting) };
    const held = new Set<string>();
    for (const order of orders.toSorted((a, b) => b.createdTime - a.createdTime)) {
      const overMs = order.createdTime + this.#leastMs;
      // An order with a time in the future was made before the date was set back: its age is not
      // known.
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

/** The amounts of the waiting quotes of a side, smallest first. */
function roomsOf(side: Side, waiting: readonly Slot[]): number[] {
  const ofSide = waiting.filter((slot) => slot.side === side);
  return ofSide.map(({ amount }): number => amount).sort((a, b) => a - b);
}
