import { amountDecimal, type Side, type TargetIntent } from '../domain/index.ts';
import { addUnits, unitsDown, unitsText, unitsUp } from './exact.ts';
import type { IntentReview, OrderReview, Review } from './review.ts';

/**
 * What a wish asks for that does not bring the market's position nearer to flat, as a text;
 * undefined where all of it does: if all of a side filled, the position would not cross zero.
 */
export function openingOfIntent(review: IntentReview): string | undefined {
  const { intent } = review;
  return intent.kind === 'target' ? ofTarget(review, intent) : ofOrders(review);
}

/** The same of an order that is about to leave. */
export function openingOfOrder(review: OrderReview): string | undefined {
  return ofOrders(review);
}

function ofOrders(review: Review): string | undefined {
  return openingOfSide(review, 'buy') ?? openingOfSide(review, 'sell');
}

/** The same of the orders of one side. */
export function openingOfSide(
  { added, resting, rules, position: { amount: held } }: Review,
  side: Side,
): string | undefined {
  const { amountScale } = rules.market;
  if (added[side].count === 0) return undefined;
  const units = addUnits(resting[side].amountUnits, added[side].amountUnits);
  const against = side === 'buy' ? -unitsUp(held, amountScale) : unitsDown(held, amountScale);
  return units > against ? `${side}s of ${unitsText(units, amountScale)}` : undefined;
}

function ofTarget(review: Review, { position: target }: TargetIntent): string | undefined {
  const { view, rules, strategy } = review;
  const own = view.positions.position(rules.market.id, strategy).amount;
  const held = review.position.amount;
  const after = held.minus(own).plus(amountDecimal(rules.market, target));
  const isNearer = after.sign * held.sign >= 0 && after.abs().compare(held.abs()) <= 0;
  return isNearer ? undefined : `a target of ${target}`;
}
