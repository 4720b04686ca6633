import { amountDecimal, type Side, type TargetIntent } from '../domain/index.ts';
import type { Decimal } from '../kernel/index.ts';
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
  const held = review.position.amount;
  const after = heldAt(review, target);
  const isNearer = after.sign * held.sign >= 0 && after.abs().compare(held.abs()) <= 0;
  return isNearer ? undefined : `a target of ${target}`;
}

/** What the market holds once the strategy's own part is the target; what others hold stays. */
export function heldAt(
  { view, rules: { market }, strategy, position }: Review,
  target: number,
): Decimal {
  const own = view.positions.position(market.id, strategy).amount;
  return position.amount.minus(own).plus(amountDecimal(market, target));
}
