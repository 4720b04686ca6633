import type { LiveOrder, Market } from '../domain/index.ts';
import { Decimal } from '../kernel/index.ts';
import type { PriceView } from '../risk/index.ts';
import { isCancellable } from './difference.ts';
import type { Slot, SlotTerms } from './slot.ts';
import { kindOf } from './tags.ts';

export interface ObstacleView {
  readonly market: Market;
  /** What the strategy holds. */
  readonly held: Decimal;
  readonly prices: PriceView;
  /** All live orders in the market, whichever strategies they are of. */
  readonly live: readonly LiveOrder[];
  /** Whether an order that nothing wishes may rest on. */
  readonly mayRest: (order: LiveOrder) => boolean;
}

/**
 * The own quotes, best of the book, that an order would meet which only shrinks what is held. They
 * give way to it, for they come back by themselves. None where others stand there that do not, or
 * that no cancel can name: giving way would be in vain.
 */
export function obstaclesTo(terms: SlotTerms, view: ObstacleView): readonly LiveOrder[] {
  const { market, held, prices, live, mayRest } = view;
  const sells = terms.side === 'sell';
  const against = sells ? held : held.negated();
  if (against.compare(Decimal.of(terms.amount)) < 0) return NONE;
  const depth = prices.depth(market.id);
  const best = sells ? depth?.bids[0]?.[0] : depth?.asks[0]?.[0];
  const reach = sells
    ? Math.max(terms.price, best ?? terms.price)
    : Math.min(terms.price, best ?? terms.price);
  const met = live.filter(
    ({ side, price }) => side !== terms.side && (sells ? price >= reach : price <= reach),
  );
  const givesWay = (order: LiveOrder): boolean =>
    kindOf(order) === 'quotes' &&
    !mayRest(order) &&
    (isCancellable(order) || order.status === 'cancelling');
  return met.every(givesWay) ? met : NONE;
}

const NONE: readonly LiveOrder[] = [];

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
  clear(slot: Slot, view: ObstacleView & { readonly nowMs: number }): readonly LiveOrder[] {
    const obstacles = obstaclesTo(slot, view);
    if (obstacles.length === 0 && this.#state === 'clearing') slot.notBeforeMs = view.nowMs;
    this.#state = obstacles.length === 0 ? 'free' : 'clearing';
    return obstacles;
  }
}
