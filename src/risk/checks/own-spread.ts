import type { Side } from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';
import { isSetAnywhere } from '../config.ts';
import { openingOfSide } from '../opening.ts';
import type { Check, Objection, Review, RiskView } from '../review.ts';

/**
 * Keeps own buys and sells apart: the spread between them must earn more than their fees. All live
 * orders that may rest count, of any strategy and even while being cancelled. IOC orders never rest
 * and do not count. Orders that would cross are left to `selfCross`. Orders that shrink the
 * position may come near, and the other side gives way to them.
 */
export function ownSpread(view: RiskView): Check {
  const check = { code: 'ownSpread', scope: 'account' } as const;
  return isSetAnywhere(view.config, 'ownSpreadMin') ? { ...check, ask: objectionTo } : check;
}

interface Priced {
  readonly side: Side;
  readonly price: number;
  /** The strategy of a live order; undefined for one that is only wished. */
  readonly strategy?: string;
}

/**
 * If two sides of one wish are too near, the shrinking one passes here, and the opening one is
 * refused when it leaves, as the shrinking one leaves first.
 */
function objectionTo(review: Review): Objection | undefined {
  const { single, wish, live } = review;
  if (single?.type === 'ioc') return undefined;
  const opening = wish.filter(({ side }) => openingOfSide(review, side) !== undefined);
  const others = [...live.filter(({ type }) => type !== 'ioc'), ...opening];
  for (const order of opening) {
    const objection = tooNear(order, { others, review });
    if (objection !== undefined) return objection;
  }
  return undefined;
}

function tooNear(
  order: Priced,
  { others, review }: { readonly others: readonly Priced[]; readonly review: Review },
): Objection | undefined {
  const { ownSpreadMin } = review.rules.limits;
  if (ownSpreadMin === undefined) return undefined;
  const least = Decimal.of(ownSpreadMin);
  for (const other of others) {
    if (other.side === order.side) continue;
    const [buy, sell] = order.side === 'buy' ? [order, other] : [other, order];
    if (buy.price >= sell.price || areApart({ buy, sell }, least)) continue;
    return {
      limit: `own buys and sells at least ${ownSpreadMin} of their middle apart`,
      observed: `${order.side} at ${order.price} beside ${nameOf(other, review.strategy)}`,
    };
  }
  return undefined;
}

/** Names the order that is too near: the strategy's own, another's, or one of the same wish. */
function nameOf({ side, price, strategy }: Priced, own: string): string {
  if (strategy === undefined) return `the wished ${side} at ${price}`;
  return strategy === own
    ? `the own ${side} at ${price}`
    : `the ${side} at ${price} of ${strategy}`;
}

const TWO = Decimal.of(2);

/** Exact: compares twice the distance with the fraction of twice the middle. */
function areApart(
  { buy, sell }: { readonly buy: Priced; readonly sell: Priced },
  least: Decimal,
): boolean {
  const [low, high] = [Decimal.of(buy.price), Decimal.of(sell.price)];
  return high.minus(low).times(TWO).compare(high.plus(low).times(least)) >= 0;
}
