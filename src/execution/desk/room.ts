import type { LiveOrder, Side } from '../../domain/index.ts';
import { MINUTE_MS } from '../../kernel/index.ts';
import { isInDoubt } from './live-order.ts';
import { exceeds, openAmount } from './open-amount.ts';
import type { DeskOwner } from './options.ts';
import type { Lack } from './refusals.ts';
import type { SlotTerms } from './slot.ts';
import { kindOf } from './tags.ts';

export interface GivingRoom {
  /** The strategy and market of the exit that lacks room. */
  readonly owner: DeskOwner;
  /** Whether an order may rest on though nothing wishes it. */
  readonly mayRest: (order: LiveOrder) => boolean;
}

/**
 * Whether an order may be cancelled for an exit that lacks room: a quote of another strategy or
 * market, or a single order, that rests or is about to. Orders in doubt are not waited for.
 */
export function givesRoom(order: LiveOrder, { owner, mayRest }: GivingRoom): boolean {
  const { type, strategy, market } = order;
  const isOwn = strategy === owner.strategy && market === owner.market.id;
  if (isOwn || type === 'ioc' || kindOf(order) === 'target') return false;
  return !mayRest(order) && !isInDoubt(order);
}

/** The state of an order's strategy. */
interface OwnView {
  /** The strategy's position. */
  readonly held: number;
  readonly live: readonly LiveOrder[];
  /** Its orders that leave in the same round, before this one. */
  readonly before: readonly SlotTerms[];
}

/**
 * Whether an order would trade more than its strategy holds; for an order that is to rest, more
 * than the strategy's other orders leave of that.
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

/** How long room is kept while no order of the exit can leave. */
const KEPT_MS = MINUTE_MS;

type Place = Pick<LiveOrder, 'market' | 'side'>;

/**
 * The room that a target's exit needs within the limits, beside the orders resting on its side, and
 * the coins that other orders hold. Orders that take them are cancelled. Until the exit is through,
 * no opening order leaves on that side, or where such orders were: it would take the room before
 * the next try.
 */
export class Room {
  /** The side of the exit; undefined while nothing had to go for it. */
  #side: Side | undefined;
  /** The markets and sides on which opening orders must wait. */
  readonly #kept = new Set<string>();
  /** How the last order lacked room; undefined once the takers were looked for. */
  #outcome: 'refused' | 'cut' | undefined;
  /** Whether the last look found orders that must end for the exit. */
  #isAwaited = false;
  /** Whether all of those have ended since. */
  #isFreed = false;
  /** Until when it is kept even if no order can leave. */
  #untilMs = Number.NEGATIVE_INFINITY;

  /** Whether an order was refused or cut down since the takers were last looked for. */
  get isShort(): boolean {
    return this.#outcome !== undefined;
  }

  /** Whether all takers of the room have ended, and no order has left since. */
  get isFreed(): boolean {
    return this.#isFreed;
  }

  /** Whether opening orders must wait anywhere. */
  get isKept(): boolean {
    return this.#kept.size > 0;
  }

  /** Whether opening orders must wait on that market and side. */
  isKeptOn(place: Place): boolean {
    return this.#kept.has(nameOf(place));
  }

  /**
   * The exit's order was refused; `isSoon`: it may leave a moment later. The exchange may tell late
   * that coins are free: opening orders must not take them before the exit does.
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
   * No order can leave for now, as when the exit itself has emptied the book. Orders that gave way
   * stay away until this has lasted a while: otherwise they would come and go with each order of
   * the exit.
   */
  wait(nowMs: number): void {
    if (nowMs >= this.#untilMs) this.leave();
  }

  /** The exit's order left; `isPart`: cut down, perhaps for want of room. */
  placed(isPart: boolean, nowMs: number): void {
    this.#isFreed = false;
    this.#untilMs = nowMs + KEPT_MS;
    if (isPart) this.#outcome = 'cut';
  }

  /** The room is not needed any more: opening orders may leave again. */
  leave(): void {
    this.#side = undefined;
    this.#kept.clear();
    this.#outcome = undefined;
    this.#isAwaited = false;
    this.#isFreed = false;
  }

  /** The orders that must end for an exit at that place. `takersOf` finds what takes its room. */
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
