import type { LiveOrder } from '../domain/index.ts';
import { Decimal } from '../kernel/index.ts';
import { isCancellable } from './difference.ts';
import type { Slot, SlotTerms } from './slot.ts';
import { kindOf } from './tags.ts';

export interface ObstacleView {
  /** What the strategy holds. */
  readonly held: Decimal;
  /** All live orders in the market, whichever strategies they are of. */
  readonly live: readonly LiveOrder[];
  /** Whether an order that nothing wishes may rest on. */
  readonly mayRest: (order: LiveOrder) => boolean;
}

/**
 * The own quotes that an order would meet which only shrinks what is held. They give way to it, for
 * they come back by themselves. None where others stand there that do not, or that no cancel can
 * name: giving way would be in vain.
 */
export function obstaclesTo(terms: SlotTerms, view: ObstacleView): readonly LiveOrder[] {
  const { held, live, mayRest } = view;
  const sells = terms.side === 'sell';
  const against = sells ? held : held.negated();
  if (against.compare(Decimal.of(terms.amount)) < 0) return NONE;
  const met = live.filter(
    ({ side, price }) =>
      side !== terms.side && (sells ? price >= terms.price : price <= terms.price),
  );
  const givesWay = (order: LiveOrder): boolean =>
    kindOf(order) === 'quotes' &&
    !mayRest(order) &&
    (isCancellable(order) || order.status === 'cancelling');
  return met.every(givesWay) ? met : NONE;
}

const NONE: readonly LiveOrder[] = [];

export interface WayView extends ObstacleView {
  /** The order that would leave if none of ours stood anywhere: the book may be of a while ago. */
  readonly furthest: SlotTerms | string;
  readonly nowMs: number;
}

/** The way of a target's order past own ones: whether they keep it from leaving, or are leaving. */
export class Way {
  #state: 'free' | 'crossed' | 'clearing' = 'free';

  /** Whether nothing of ours is known to be in the way. */
  get isFree(): boolean {
    return this.#state === 'free';
  }

  /** Its order was refused; `isCrossed`: because of own ones. */
  refused(isCrossed: boolean): void {
    this.#state = isCrossed ? 'crossed' : 'free';
  }

  /** What has to leave before its order may; once that has, the slot waits no longer. */
  clear(slot: Slot, view: WayView): readonly LiveOrder[] {
    const { furthest } = view;
    const obstacles = typeof furthest === 'string' ? NONE : obstaclesTo(furthest, view);
    if (obstacles.length === 0 && this.#state === 'clearing') slot.notBeforeMs = view.nowMs;
    this.#state = obstacles.length === 0 ? 'free' : 'clearing';
    return obstacles;
  }
}
