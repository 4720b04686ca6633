import type { Side } from '../../domain/index.ts';
import type { Decimal } from '../../kernel/index.ts';
import { addUnits, productOf, unitsDown, unitsText, unitsUp } from '../exact.ts';
import { unitsAbove } from '../exposure.ts';
import { heldAfter } from '../opening.ts';
import { referenceOf } from '../reference.ts';
import type { Check, Objection, OrderReview, Review } from '../review.ts';

/**
 * Bounds the worst position on each side that is asked for: the holding, plus all orders of that
 * side at rest or in flight, plus what is asked for, as if nothing of the other side filled. Valued
 * at the higher of the highest price asked for and the reference price.
 */
export const position: Check = {
  code: 'position',
  scope: 'market',
  ask: (review) => (review.target === undefined ? ofOrders(review) : ofTarget(review)),
};

function ofOrders(review: Review): Objection | undefined {
  const { added, position: held } = review;
  const { buy, sell } = added;
  return (
    (buy.count === 0 ? undefined : worstCase({ review, side: 'buy', held: held.amount })) ??
    (sell.count === 0 ? undefined : worstCase({ review, side: 'sell', held: held.amount }))
  );
}

/** The strategy's own part becomes the target; holdings and resting orders of others stay. */
function ofTarget(review: Review): Objection | undefined {
  const held = heldAfter(review);
  const side = held.compare(review.position.amount) > 0 ? 'buy' : 'sell';
  return worstCase({ review, side, held });
}

interface WorstCase {
  readonly review: Review;
  readonly side: Side;
  readonly held: Decimal;
}

function worstCase(options: WorstCase): Objection | undefined {
  const { review, side } = options;
  const worst = worstUnits(options);
  if (worst <= 0) return undefined;
  const most = mostUnits(review, side);
  if (worst <= most && isAffordable(review, { worst, side })) return undefined;
  return objection(review, { worst, most: worst > most ? most : undefined, side });
}

function worstUnits({ review, side, held }: WorstCase): number {
  const { rules, added, resting } = review;
  const { amountScale } = rules.market;
  const open = addUnits(resting[side].amountUnits, added[side].amountUnits);
  const heldUnits = side === 'buy' ? unitsUp(held, amountScale) : -unitsDown(held, amountScale);
  return addUnits(heldUnits, open);
}

/** How far beyond flat all orders of a side may lead, units. */
export function mostUnits({ rules }: Review, side: Side): number {
  return side === 'buy' ? rules.longMaxUnits : rules.shortMaxUnits;
}

/**
 * Units by which all orders of a side lead beyond the limits if they fill; not positive: within
 * them.
 */
export function unitsBeyond(review: OrderReview): number {
  const { draft, rules, position: held } = review;
  const { side } = draft;
  const price = priceUnits(review, side);
  const affordable = Number.isFinite(price)
    ? Number(rules.positionValueMax.units / BigInt(price))
    : 0;
  const worst = worstUnits({ review, side, held: held.amount });
  return worst - Math.min(mostUnits(review, side), affordable);
}

function isAffordable(review: Review, { worst, side }: { worst: number; side: Side }): boolean {
  const value = worthOf(review, { worst, side });
  return value !== undefined && value.compare(review.rules.positionValueMax) <= 0;
}

/** Undefined where it is not known: without any price, or beyond all numbers. */
function worthOf(
  review: Review,
  { worst, side }: { worst: number; side: Side },
): Decimal | undefined {
  const price = priceUnits(review, side);
  const isKnown = price > 0 && Number.isFinite(price) && Number.isFinite(worst);
  return isKnown ? productOf(price, worst, review.rules.valueScale) : undefined;
}

function priceUnits(review: Review, side: Side): number {
  const { rules, added } = review;
  const reference = unitsAbove(referenceOf(review) ?? 0, rules.market.priceScale);
  return Math.max(reference, added[side].highestPriceUnits);
}

/** `most` is the limit in the base currency, undefined if the value is what is too large. */
function objection(
  review: Review,
  { worst, most, side }: { worst: number; most: number | undefined; side: Side },
): Objection {
  const { market, limits } = review.rules;
  const word = side === 'buy' ? 'long' : 'short';
  const inBase = (units: number) =>
    `${word} ${unitsText(units, market.amountScale)} ${market.base}`;
  const value = worthOf(review, { worst, side }) ?? 'an unknown value';
  const valueMax = `worth ${limits.positionValueMax} ${market.quote}`;
  return {
    limit: `at most ${most === undefined ? valueMax : inBase(most)}`,
    observed: `${inBase(worst)}, worth ${value} ${market.quote}`,
  };
}
