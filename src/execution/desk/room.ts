import type { LiveOrder, Side } from '../../domain/index.ts';
import { MINUTE_MS } from '../../kernel/index.ts';
import { isInDoubt } from './live-order.ts';
import { exceeds, openAmount } from './open-amount.ts';
import type { DeskOwner } from './options.ts';
import type { Lack } from './refusals.ts';
import type { SlotTerms } from './slot.ts';
import { kindOf } from './tags.ts';

export interface GivingRoom {
  /** Whose exit lacks room, and where. */
  readonly owner: DeskOwner;
  /** Whether an order that nothing wishes may rest on. */
  readonly mayRest: (order: LiveOrder) => boolean;
}

/**
 * Whether an order may be sent away for an exit that lacks room: a quote of another strategy or
 * market, or an order by a tag, that rests or is about to. Nobody waits for those in doubt.
 */
export function givesRoom(order: LiveOrder, { owner, mayRest }: GivingRoom): boolean {
  const { type, strategy, market } = order;
  const isOwn = strategy === owner.strategy && market === owner.market.id;
  if (isOwn || type === 'ioc' || kindOf(order) === 'target') return false;
  return !mayRest(order) && !isInDoubt(order);
}

/** What is known of the strategy of an order. */
interface OwnView {
  /** What it holds. */
  readonly held: number;
  readonly live: readonly LiveOrder[];
  /** Its orders that leave in the same round, ahead of that one. */
  readonly before: readonly SlotTerms[];
}

/**
 * Whether an order would trade more than its strategy holds. Of an order that is to rest, whether it
 * would trade more of that than the strategy's other orders leave.
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

/** How long room is kept in which no order of the exit can leave. */
const KEPT_MS = MINUTE_MS;

type Place = Pick<LiveOrder, 'market' | 'side'>;

/**
 * The room that a target's exit needs within the limits, beside what rests on its side, and the coins
 * that others hold. What takes them is cancelled, and nothing else that opens leaves on that side, nor
 * where such orders were, until the exit is through: it would take the room before the next try.
 */
export class Room {
  /** The side on which it is kept, as far as anything had to leave it. */
  #side: Side | undefined;
  /** Where what opens has to wait. */
  readonly #kept = new Set<string>();
  /** What became of the last order; undefined once it was looked for what takes the room. */
  #outcome: 'refused' | 'cut' | undefined;
  /** Whether orders had to end for the exit when it was looked last. */
  #isAwaited = false;
  /** Whether all of these have ended since. */
  #isFreed = false;
  /** Until when it is kept though no order can leave. */
  #untilMs = Number.NEGATIVE_INFINITY;

  /** Whether an order was refused, or cut down, since it was last looked for what takes the room. */
  get isShort(): boolean {
    return this.#outcome !== undefined;
  }

  /** Whether all that took the room has ended, and no order has left since. */
  get isFreed(): boolean {
    return this.#isFreed;
  }

  /** Whether what opens has to wait somewhere. */
  get isKept(): boolean {
    return this.#kept.size > 0;
  }

  /** Whether what opens there has to wait. */
  isKeptOn(place: Place): boolean {
    return this.#kept.has(nameOf(place));
  }

  /**
   * The exit's order may not leave; `isSoon`: it may a moment later. The exchange may tell late that
   * coins are free: orders that open must not take them before the exit does.
   */
  refused(
    { lacks, isSoon }: { readonly lacks: Lack | undefined; readonly isSoon: boolean },
    nowMs: number,
  ): void {
    this.#isFreed = false;
    if (lacks !== undefined) this.#outcome = lacks === 'room' ? 'refused' : 'cut';
    else if (!isSoon) this.wait(nowMs);
  }

  /**
   * No order can leave for now, as in a book that the exit itself has emptied: what gave way stays away
   * until there has been none for a while, or it would come and go with each of them.
   */
  wait(nowMs: number): void {
    if (nowMs >= this.#untilMs) this.leave();
  }

  /** The exit's order left; `isPart`: less of it than was to, maybe for want of room. */
  placed(isPart: boolean, nowMs: number): void {
    this.#isFreed = false;
    this.#untilMs = nowMs + KEPT_MS;
    if (isPart) this.#outcome = 'cut';
  }

  /** The room is not needed any more: what opens may leave again. */
  leave(): void {
    this.#side = undefined;
    this.#kept.clear();
    this.#outcome = undefined;
    this.#isAwaited = false;
    this.#isFreed = false;
  }

  /** The orders that have to end for an exit there; `takersOf` finds what takes its room. */
  clear(
    place: Place,
    { nowMs, takersOf }: { readonly nowMs: number; readonly takersOf: () => readonly LiveOrder[] },
  ): readonly LiveOrder[] {
    const { side } = place;
    if (this.#side !== undefined && this.#side !== side) this.leave();
    if (!this.isShort && this.#side === undefined) return NONE;
    const takers = takersOf();
    if (takers.length > 0) {
      this.#side = side;
      for (const one of [place, ...takers]) this.#kept.add(nameOf(one));
      this.#isFreed = false;
      this.#untilMs = nowMs + KEPT_MS;
    } else if (this.#isAwaited) this.#isFreed = true;
    else if (this.#outcome === 'refused') this.wait(nowMs);
    this.#isAwaited = takers.length > 0;
    this.#outcome = undefined;
    return takers;
  }
}

function nameOf({ market, side }: Place): string {
  return `${market} ${side}`;
}

const NONE: readonly LiveOrder[] = [];
