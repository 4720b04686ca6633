import { amountDecimal, type Refusal, type TargetIntent } from '../../domain/index.ts';
import { addUnits, unitsDown, unitsText, unitsUp } from '../exact.ts';
import type { Check, Review } from '../review.ts';

/**
 * While trading is reducing, only what brings the market's position nearer to flat leaves: if all
 * of the side filled, the position would not cross zero. A refused order would open or turn it.
 */
export const reducing: Check = {
  code: 'reducing',
  scope: 'market',
  describe: 'Refuses, while trading is reducing, all that does not shrink the position.',
  onIntent: (review) => {
    if (review.view.state.state !== 'REDUCING') return undefined;
    return review.intent.kind === 'target' ? ofTarget(review, review.intent) : ofOrders(review);
  },
  onOrder: (review) => (review.view.state.state === 'REDUCING' ? ofOrders(review) : undefined),
};

function ofOrders(review: Review): Refusal | undefined {
  const { added, resting, rules } = review;
  const { amountScale } = rules.market;
  const held = review.position.amount;
  const toBuy = addUnits(resting.buy.amountUnits, added.buy.amountUnits);
  const toSell = addUnits(resting.sell.amountUnits, added.sell.amountUnits);
  if (added.buy.count > 0 && addUnits(unitsUp(held, amountScale), toBuy) > 0) {
    return refusal(review, `buys of ${unitsText(toBuy, amountScale)}`);
  }
  if (added.sell.count > 0 && addUnits(unitsDown(held, amountScale), -toSell) < 0) {
    return refusal(review, `sells of ${unitsText(toSell, amountScale)}`);
  }
  return undefined;
}

function ofTarget(review: Review, { position: target }: TargetIntent): Refusal | undefined {
  const { view, rules, strategy } = review;
  const own = view.positions.position(rules.market.id, strategy).amount;
  const held = review.position.amount;
  const after = held.minus(own).plus(amountDecimal(rules.market, target));
  const isNearer = after.sign * held.sign >= 0 && after.abs().compare(held.abs()) <= 0;
  return isNearer ? undefined : refusal(review, `a target of ${target}`);
}

function refusal({ position, rules: { market }, view }: Review, asked: string): Refusal {
  return {
    code: 'reducing',
    limit: `shrink the position of ${position.amount} ${market.base}`,
    observed: `${asked}; ${view.state.reason}`,
    scope: 'market',
  };
}
