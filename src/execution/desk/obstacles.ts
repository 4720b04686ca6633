import type { Depth, LiveOrder, Price, Side } from '../../domain/index.ts';
import { Decimal, MINUTE_MS } from '../../kernel/index.ts';
import { isCancellable, isInDoubt } from './live-order.ts';
import { exceeds, openAmount } from './open-amount.ts';
import type { SlotTerms } from './slot.ts';
import { kindOf } from './tags.ts';

export interface ObstacleView {
  /** The strategy's position. */
  readonly held: Decimal;
  /** All live orders in the market, of all strategies. */
  readonly live: readonly LiveOrder[];
  /** Whether an order may rest on though nothing wishes it. */
  readonly mayRest: (order: LiveOrder) => boolean;
}

/**
 * The own quotes that an exit would trade with. They give way to it, as they come back by
 * themselves. None if orders that do not give way are there too: the quotes would go in vain.
 * Orders in doubt are not waited for: they may not exist, and may stay in doubt for good.
 */
export function obstaclesTo(terms: SlotTerms, view: ObstacleView): readonly LiveOrder[] {
  const { held, live, mayRest } = view;
  if (!isExitOf(terms, held)) return NONE;
  const sells = terms.side === 'sell';
  const met = live.filter(
    (order) =>
      order.side !== terms.side &&
      (sells ? order.price >= terms.price : order.price <= terms.price) &&
      !isInDoubt(order),
  );
  const givesWay = (order: LiveOrder): boolean =>
    kindOf(order) === 'quotes' &&
    !mayRest(order) &&
    (isCancellable(order) || order.status === 'cancelling');
  return met.every(givesWay) ? met : NONE;
}

/** Whether an order only shrinks what is held. */
export function isExitOf(
  { side, amount }: Pick<SlotTerms, 'side' | 'amount'>,
  held: Decimal,
): boolean {
  const against = side === 'sell' ? held : held.negated();
  return against.compare(Decimal.of(amount)) >= 0;
}

const NONE: readonly LiveOrder[] = [];

/** A book without levels that are ours alone. A side that is all ours stays as it is. */
export function withoutOwn(depth: Depth, live: readonly LiveOrder[]): Depth {
  const ofOthers = (side: Side, levels: Depth['bids']): Depth['bids'] => {
    const others = levels.filter(([price, amount]) =>
      exceeds(amount, openAt(live, { side, price })),
    );
    return others.length > 0 ? others : levels;
  };
  return { ...depth, bids: ofOthers('buy', depth.bids), asks: ofOthers('sell', depth.asks) };
}

/** The open amount of own orders at a price. */
function openAt(
  live: readonly LiveOrder[],
  { side, price }: { readonly side: Side; readonly price: number },
): number {
  let open = 0;
  for (const order of live) {
    if (order.side === side && order.price === price) open += openAmount(order);
  }
  return open;
}

export interface WayView extends ObstacleView {
  /** The order that would leave if there were no orders of ours. */
  readonly furthest: SlotTerms | string;
  /** The last known book, perhaps a while old. */
  readonly depth: Depth | undefined;
}

/** Orders in a row without a fill after which a cleared way is given up. */
const MISSES_MAX = 2;
/** Looks in a row without an order able to leave after which a cleared way is left. */
const WAITS_MAX = 2;

/**
 * The way of a target's order past own quotes. Quotes that kept it from leaving are cancelled, and
 * no quote that it would trade with comes back until it is through: it would be there before the
 * next try.
 */
export class Way {
  #state: 'free' | 'crossed' | 'clearing' | 'cleared' = 'free';
  /** The order for which it is cleared; undefined: none. */
  #terms: SlotTerms | undefined;
  /**
   * The book when the last own quote was in the way. It still shows quotes that have gone since.
   */
  #depth: Depth | undefined;
  #misses = 0;
  /** Looks in a row without an order able to leave. */
  #waits = 0;
  /** How often it was given up since a fill, and the earliest time at which it is cleared again. */
  #givenUp = 0;
  #againMs = Number.NEGATIVE_INFINITY;

  /** Whether own orders are known to be in the way. */
  get isBlocked(): boolean {
    return this.#state === 'crossed' || this.#state === 'clearing';
  }

  /** Whether all quotes in the way have gone and the order is still pursued. */
  get isCleared(): boolean {
    return this.#state === 'cleared';
  }

  /** Whether a quote must wait: the order for which the way is cleared would trade with it. */
  keepsOut({ side, price }: SlotTerms): boolean {
    if (this.#terms === undefined || this.#terms.side === side) return false;
    return this.#terms.side === 'sell' ? price >= this.#terms.price : price <= this.#terms.price;
  }

  /** The target's order was refused; `isCrossed`: because own orders are in its way. */
  refused(isCrossed: boolean, nowMs: number): void {
    if (isCrossed && nowMs >= this.#againMs) this.#state = 'crossed';
    else this.leave();
  }

  /** The target's order left, priced by this book. */
  placed(depth: Depth | undefined): void {
    this.#waits = 0;
    if (this.#state === 'cleared' && depth !== this.#depth) this.#misses++;
  }

  /** The target's order has filled, at least in part. */
  filled(): void {
    this.#misses = 0;
    this.#givenUp = 0;
  }

  /** The way is not needed, or the order cannot take it: the quotes may come back. */
  leave(): void {
    this.#state = 'free';
    this.#terms = undefined;
    this.#misses = 0;
    this.#waits = 0;
  }

  /** No order can leave for now: the way is left if that goes on. */
  wait(): void {
    if (!this.isCleared || ++this.#waits >= WAITS_MAX) this.leave();
  }

  /** Gives the way up for a while, longer each time, if orders that left on it filled nothing. */
  judge(nowMs: number, retryMs: number): void {
    if (this.#misses < MISSES_MAX) return;
    this.leave();
    this.#againMs = nowMs + Math.max(retryMs, Math.min(MINUTE_MS, retryMs * 2 ** this.#givenUp++));
  }

  /** There are new prices to trade at: a way given up may be cleared again. */
  endPause(): void {
    this.#againMs = Number.NEGATIVE_INFINITY;
  }

  /** The quotes that must go before the target's order may leave. */
  clear(view: WayView): readonly LiveOrder[] {
    const { furthest, depth } = view;
    const terms = typeof furthest === 'string' ? undefined : further(furthest, this.#terms);
    const obstacles = terms === undefined ? NONE : obstaclesTo(terms, view);
    if (obstacles.length > 0) {
      this.#state = 'clearing';
      this.#terms = terms;
      this.#depth = depth;
    } else if (this.#state === 'clearing') this.#state = 'cleared';
    else this.leave();
    return obstacles;
  }

  /** The order at the price for which the way was cleared, until a newer book has come. */
  along(terms: SlotTerms, depth: Depth | undefined): SlotTerms {
    return this.#state === 'cleared' && depth === this.#depth ? further(terms, this.#terms) : terms;
  }
}

/** The order at the price of another one of its side, if that goes further. */
function further(terms: SlotTerms, other: SlotTerms | undefined): SlotTerms {
  if (other?.side !== terms.side) return terms;
  const price = Math[terms.side === 'sell' ? 'min' : 'max'](terms.price, other.price) as Price;
  return { ...terms, price };
}
