import { amountDecimal, type TargetIntent } from '../domain/index.ts';
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

function ofOrders({ added, resting, rules, position }: Review): string | undefined {
  const { amountScale } = rules.market;
  const held = position.amount;
  const toBuy = addUnits(resting.buy.amountUnits, added.buy.amountUnits);
  const toSell = addUnits(resting.sell.amountUnits, added.sell.amountUnits);
  if (added.buy.count > 0 && addUnits(unitsUp(held, amountScale), toBuy) > 0) {
    return `buys of ${unitsText(toBuy, amountScale)}`;
  }
  if (added.sell.count > 0 && addUnits(unitsDown(held, amountScale), -toSell) < 0) {
    return `sells of ${unitsText(toSell, amountScale)}`;
  }
  return undefined;
}

function ofTarget(review: Review, { position: target }: TargetIntent): string | undefined {
  const { view, rules, strategy } = review;
  const own = view.positions.position(rules.market.id, strategy).amount;
  const held = review.position.amount;
  const after = held.minus(own).plus(amountDecimal(rules.market, target));
  const isNearer = after.sign * held.sign >= 0 && after.abs().compare(held.abs()) <= 0;
  return isNearer ? undefined : `a target of ${target}`;
}
