import type { Side } from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';
import { isSetAnywhere } from '../config.ts';
import { openingOfSide } from '../opening.ts';
import type { Check, Objection, Review, RiskView } from '../review.ts';

/**
 * Own orders of both sides stand apart: what is bought and sold between them is to pay for more than
 * its fees. Of what lives all counts, whichever strategies it is of and though its cancel is under
 * way, as long as it may rest. What takes at once never does; what would meet is for `selfCross` to
 * refuse; what shrinks the position may be as near as it likes, and the other side gives way to it.
 */
export function ownSpread(view: RiskView): Check {
  const check = { code: 'ownSpread', scope: 'account' } as const;
  return isSetAnywhere(view.config, 'ownSpreadMin') ? { ...check, ask: objectionTo } : check;
}

interface Priced {
  readonly side: Side;
  readonly price: number;
  /** Whose it is, where it lives; absent of one that is wished only. */
  readonly strategy?: string;
}

/**
 * Of a wish that lies too near together what shrinks the position passes here, and what opens is
 * refused when it leaves: behind the other, for that leaves first.
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

/** The order that is too near, as its strategy's own, another's, or one of the same wish. */
function nameOf({ side, price, strategy }: Priced, own: string): string {
  if (strategy === undefined) return `the wished ${side} at ${price}`;
  return strategy === own
    ? `the own ${side} at ${price}`
    : `the ${side} at ${price} of ${strategy}`;
}

const TWO = Decimal.of(2);

/** Exact: twice the distance is held against the fraction of twice the middle. */
function areApart(
  { buy, sell }: { readonly buy: Priced; readonly sell: Priced },
  least: Decimal,
): boolean {
  const [low, high] = [Decimal.of(buy.price), Decimal.of(sell.price)];
  return high.minus(low).times(TWO).compare(high.plus(low).times(least)) >= 0;
}
