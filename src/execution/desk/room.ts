import type { LiveOrder, Side } from '../../domain/index.ts';
import { isInDoubt } from './live-order.ts';
import { exceeds, openAmount } from './open-amount.ts';
import type { Lack } from './refusals.ts';
import type { SlotTerms } from './slot.ts';
import { kindOf } from './tags.ts';

export interface GivingRoom {
  /** The strategy whose exit lacks room. */
  readonly strategy: string;
  /** Whether an order that nothing wishes may rest on. */
  readonly mayRest: (order: LiveOrder) => boolean;
}

/**
 * Whether an order may be sent away for an exit that lacks room: one of the quotes of another strategy,
 * or one that it asked for by itself, that rests or is about to. For those in doubt nobody waits.
 */
export function givesRoom(order: LiveOrder, { strategy, mayRest }: GivingRoom): boolean {
  const { type, strategy: owner } = order;
  if (owner === strategy || type === 'ioc' || kindOf(order) === 'target') return false;
  return !mayRest(order) && !isInDoubt(order);
}

interface OwnView {
  /** What its strategy holds. */
  readonly held: number;
  /** The live orders of its strategy. */
  readonly live: readonly LiveOrder[];
  /** What of its strategy leaves with it. */
  readonly before: readonly SlotTerms[];
}

/**
 * Whether an order would trade more than its strategy holds; of one that is to rest, more than other
 * orders of it leave of that.
 */
export function isOpening({ side, type, amount }: SlotTerms, view: OwnView): boolean {
  const { held, live, before } = view;
  let left = side === 'sell' ? held : -held;
  if (type !== 'ioc') {
    for (const order of live) if (order.side === side) left -= openAmount(order);
    for (const order of before) if (order.side === side) left -= order.amount;
  }
  return exceeds(amount, left);
}

/**
 * The room that a target's exit needs within the limits, beside what rests on its side. What takes it
 * is cancelled, and nothing of other strategies that opens leaves on that side until the exit is
 * through: it would take the room before the next try.
 */
export class Room {
  /** The side on which it is kept, as far as anything had to leave it. */
  #side: Side | undefined;
  /** What became of the last order, as far as it was not looked yet for what takes the room. */
  #outcome: 'refused' | 'cut' | undefined;
  /** Whether orders were to end for it when it was looked last, and whether all such have since. */
  #isAwaited = false;
  #isFreed = false;

  /** Whether an order was refused, or cut down, since it was looked last for what takes the room. */
  get isShort(): boolean {
    return this.#outcome !== undefined;
  }

  /** Whether all that took it has ended, and no order has left since. */
  get isFreed(): boolean {
    return this.#isFreed;
  }

  /** Whether what opens on that side has to wait. */
  isKeptOn(side: Side): boolean {
    return side === this.#side;
  }

  /**
   * Its order may not leave; `isSoon`: it may a moment later. Coins that it lacks may be told of only
   * when they are free for a while already: what opens must not have them first.
   */
  refused({ lacks, isSoon }: { readonly lacks: Lack | undefined; readonly isSoon: boolean }): void {
    this.#isFreed = false;
    if (lacks !== undefined) this.#outcome = lacks === 'room' ? 'refused' : 'cut';
    else if (!isSoon) this.leave();
  }

  /** Its order left; `isPart`: less than was to, for want of room maybe. */
  placed(isPart: boolean): void {
    this.#isFreed = false;
    if (isPart) this.#outcome = 'cut';
  }

  /** Nothing is to take it: what opens may leave again. */
  leave(): void {
    this.#side = undefined;
    this.#outcome = undefined;
    this.#isAwaited = false;
    this.#isFreed = false;
  }

  /** What has to end for an exit of that side, of what `takersOf` finds to take its room. */
  clear(side: Side, takersOf: () => readonly LiveOrder[]): readonly LiveOrder[] {
    if (this.#side !== undefined && this.#side !== side) this.leave();
    if (!this.isShort && this.#side === undefined) return NONE;
    const takers = takersOf();
    if (takers.length > 0) {
      this.#side = side;
      this.#isFreed = false;
    } else if (this.#isAwaited) this.#isFreed = true;
    else if (this.#outcome === 'refused') this.leave();
    this.#isAwaited = takers.length > 0;
    this.#outcome = undefined;
    return takers;
  }
}

const NONE: readonly LiveOrder[] = [];
