import type { Side } from '../../domain/index.ts';
import { referenceOf } from '../reference.ts';
import type { Check, Objection, Review } from '../review.ts';
import { ofEach } from './each.ts';

const ofOrders = ofEach(({ side, price }, review) => collared({ side, price, review }));

/**
 * Prices must be near a reference: within `collarFraction` on the worse side, within `bandFraction`
 * on the better. Without a reference nothing passes.
 *
 * The one check that decides on floats: a collar is a ratio without exact meaning.
 */
export const collar: Check = {
  code: 'collar',
  scope: 'order',
  ask: (review) => {
    const { target, view, rules, strategy } = review;
    if (target === undefined) return ofOrders(review);
    const held = view.positions.position(rules.market.id, strategy).amount.toNumber();
    const side = target.position >= held ? 'buy' : 'sell';
    return collared({ side, price: target.priceLimit, review });
  },
};

function collared(options: {
  readonly side: Side;
  /** Undefined: only a reference price must exist. */
  readonly price: number | undefined;
  readonly review: Review;
}): Objection | undefined {
  const { side, price, review } = options;
  const reference = referenceOf(review);
  if (reference === undefined) {
    const limit = 'a reference price';
    return { limit, observed: 'no reference price' };
  }
  if (price === undefined) return undefined;
  const { collarFraction, bandFraction } = review.rules.limits;
  const distance = side === 'buy' ? price / reference - 1 : 1 - price / reference;
  if (distance <= collarFraction + HAIR && distance >= -bandFraction - HAIR) return undefined;
  const [worse, better] = side === 'buy' ? ['above', 'below'] : ['below', 'above'];
  const middle = Number(reference.toPrecision(DIGITS));
  const where = price < reference ? 'below' : 'above';
  return {
    limit: `${side} at most ${share(collarFraction)} ${worse} and ${share(bandFraction)} ${better} ${middle}`,
    observed: `price ${price} is ${percent(distance)} ${where} ${middle}`,
  };
}

/** Digits of which a double is sure: the middle of two prices is shown as people write it. */
const DIGITS = 15;
/** Largest error of a quotient of doubles. */
const HAIR = 1e-12;

/** A fraction as in the settings, and as a percentage. */
function share(fraction: number): string {
  return `${fraction} (${percent(fraction)})`;
}

function percent(fraction: number): string {
  return `${Number((100 * Math.abs(fraction)).toFixed(2))} %`;
}
