import type { Depth, LiveOrder, Price, Side } from '../../domain/index.ts';
import { Decimal, MINUTE_MS } from '../../kernel/index.ts';
import { isCancellable, isInDoubt } from './live-order.ts';
import { exceeds, openAmount } from './open-amount.ts';
import type { SlotTerms } from './slot.ts';
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
 * they come back by themselves. None where others stand there that do not: giving way would be in
 * vain. For those in doubt nobody waits: they may be none, and may stay in doubt for good.
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

/** A book without the levels that are ours alone; of a side that is all ours as it is. */
export function withoutOwn(depth: Depth, live: readonly LiveOrder[]): Depth {
  const ofOthers = (side: Side, levels: Depth['bids']): Depth['bids'] => {
    const others = levels.filter(([price, amount]) =>
      exceeds(amount, openAt(live, { side, price })),
    );
    return others.length > 0 ? others : levels;
  };
  return { ...depth, bids: ofOthers('buy', depth.bids), asks: ofOthers('sell', depth.asks) };
}

/** What own orders leave open at a price. */
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
  /** The order that would leave if none of ours stood anywhere. */
  readonly furthest: SlotTerms | string;
  /** The book as it is known: it may be of a while ago. */
  readonly depth: Depth | undefined;
}

/** After so many orders in a row that fill nothing a way that was cleared for them is given up. */
const MISSES_MAX = 2;
/** After so many looks in a row at which no order can leave it is left. */
const WAITS_MAX = 2;

/**
 * The way of a target's order past own quotes. Those that kept it from leaving are cancelled, and
 * none that it would meet comes back until it is through: it would be there before the next try.
 */
export class Way {
  #state: 'free' | 'crossed' | 'clearing' | 'cleared' = 'free';
  /** The order that it is cleared for; undefined: none is. */
  #terms: SlotTerms | undefined;
  /** The book when the last of ours was in the way: it shows what has left. */
  #depth: Depth | undefined;
  #misses = 0;
  /** Looks in a row at which no order could leave. */
  #waits = 0;
  /** How often it was given up since an order filled, and when it is cleared again at the earliest. */
  #givenUp = 0;
  #againMs = Number.NEGATIVE_INFINITY;

  /** Whether own orders are known to be in the way. */
  get isBlocked(): boolean {
    return this.#state === 'crossed' || this.#state === 'clearing';
  }

  /** Whether all that was in the way has left, and its order has not been given up. */
  get isCleared(): boolean {
    return this.#state === 'cleared';
  }

  /** Whether a quote has to wait: the order that the way is cleared for would meet it. */
  keepsOut({ side, price }: SlotTerms): boolean {
    if (this.#terms === undefined || this.#terms.side === side) return false;
    return this.#terms.side === 'sell' ? price >= this.#terms.price : price <= this.#terms.price;
  }

  /** The target's order was refused; `isCrossed`: because own orders are in its way. */
  refused(isCrossed: boolean, nowMs: number): void {
    if (isCrossed && nowMs >= this.#againMs) this.#state = 'crossed';
    else this.leave();
  }

  /** The target's order left, priced by that book. */
  placed(depth: Depth | undefined): void {
    this.#waits = 0;
    if (this.#state === 'cleared' && depth !== this.#depth) this.#misses++;
  }

  /** The target's order has filled, at least in part. */
  filled(): void {
    this.#misses = 0;
    this.#givenUp = 0;
  }

  /** The way is not needed, or may not be gone: the quotes may come back. */
  leave(): void {
    this.#state = 'free';
    this.#terms = undefined;
    this.#misses = 0;
    this.#waits = 0;
  }

  /** No order can leave on it for now: it is left where that stays so. */
  wait(): void {
    if (!this.isCleared || ++this.#waits >= WAITS_MAX) this.leave();
  }

  /** Gives the way up for a while, longer each time, where orders left on it and filled nothing. */
  judge(nowMs: number, retryMs: number): void {
    if (this.#misses < MISSES_MAX) return;
    this.leave();
    this.#againMs = nowMs + Math.max(retryMs, Math.min(MINUTE_MS, retryMs * 2 ** this.#givenUp++));
  }

  /** There are new prices to trade at: a way that was given up may be cleared again. */
  endPause(): void {
    this.#againMs = Number.NEGATIVE_INFINITY;
  }

  /** The quotes that have to leave before the target's order may. */
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

  /** The order at the price that the way was cleared for, until a newer book has come. */
  along(terms: SlotTerms, depth: Depth | undefined): SlotTerms {
    return this.#state === 'cleared' && depth === this.#depth ? further(terms, this.#terms) : terms;
  }
}

/** An order at the price of another one of its side, where that goes further. */
function further(terms: SlotTerms, other: SlotTerms | undefined): SlotTerms {
  if (other?.side !== terms.side) return terms;
  const price = Math[terms.side === 'sell' ? 'min' : 'max'](terms.price, other.price) as Price;
  return { ...terms, price };
}
