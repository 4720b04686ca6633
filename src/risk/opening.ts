import {
  amountDecimal,
  type LiveOrder,
  type Market,
  mayBeFilling,
  midOf,
  type Position,
  type Side,
  type TargetIntent,
} from '../domain/index.ts';
import { Decimal, passing } from '../kernel/index.ts';
import { addUnits, productOf, unitsDown, unitsText, unitsUp } from './exact.ts';
import { Exposure, unitsBelow } from './exposure.ts';
import type { MarketRules } from './market-rules.ts';
import type { Review, RiskView } from './review.ts';

/**
 * What of that which is asked for opens a position, as a text; undefined where all of it only shrinks
 * one.
 *
 * It shrinks where it brings both the position of its strategy and that of the market nearer to flat,
 * and neither would cross zero if all orders of its side filled. Of a target the strategy's position
 * alone counts: its orders are asked again as they leave.
 */
export function openingOf(review: Review): string | undefined {
  const { target } = review;
  if (target !== undefined) return openingOfTarget(review, target);
  return openingOfSide(review, 'buy') ?? openingOfSide(review, 'sell');
}

/**
 * The same of the orders of one side. What a strategy does not hold itself it does not shrink: its
 * orders would be in the way of those that do.
 */
export function openingOfSide(review: Review, side: Side): string | undefined {
  const { added, position, rules, view, strategy } = review;
  const { market } = rules;
  if (added[side].count === 0) return undefined;
  const addedUnits = added[side].amountUnits;
  const units = addUnits(besideUnits(review, side), addedUnits);
  const strategyUnits = addUnits(ownUnits(review, { side }), addedUnits);
  const own = view.positions.position(market.id, strategy);
  const room = against(position, { side, market }) + dustAgainst(view, { strategy, side, rules });
  const isShrinking = units <= room && strategyUnits <= against(own, { side, market });
  return isShrinking ? undefined : `${side}s of ${unitsText(units, market.amountScale)}`;
}

/**
 * What may trade of the market's position beside an order of that side, units. What rests of other
 * strategies is in nobody's way who takes at once: it opens by itself then, and is asked for that.
 * What may be taking too counts, whosever it is.
 */
export function besideUnits(review: Review, side: Side): number {
  const { resting, live, strategy, rules, takesAtOnce } = review;
  if (!takesAtOnce) return resting[side].amountUnits;
  const beside = live.filter((order) => order.strategy === strategy || mayBeTaking(order));
  return Exposure.ofLive(beside, rules.market)[side].amountUnits;
}

/** Whether it may trade at this moment by taking: no word has come yet that it rests. */
function mayBeTaking(order: LiveOrder): boolean {
  return order.type !== 'postOnly' && mayBeFilling(order);
}

/** What the strategy's orders of that side may still fill: all, or those `before` another. */
export function ownUnits(
  { live, strategy, rules: { market } }: Review,
  { side, before = () => true }: { side: Side; before?: (order: LiveOrder) => boolean },
): number {
  const own = passing(live, (order) => order.strategy === strategy && before(order));
  return Exposure.ofLive(own, market)[side].amountUnits;
}

/** What orders of a side may trade of a position until it is flat, in whole units of the market. */
export function against(
  { amount }: Position,
  { side, market: { amountScale } }: { readonly side: Side; readonly market: Market },
): number {
  return side === 'buy' ? -unitsUp(amount, amountScale) : unitsDown(amount, amountScale);
}

/**
 * What other strategies hold against that side of a strategy's, units, where it is dust: less than the
 * market's least order, as fees leave it, nobody can trade it away, and it must not keep others in.
 */
export function dustAgainst(
  { positions, prices }: RiskView,
  { strategy, side, rules }: { strategy: string; side: Side; rules: MarketRules },
): number {
  const { market, minAmount, minValue, valueScale } = rules;
  const own = against(positions.position(market.id, strategy), { side, market });
  const units = own - against(positions.position(market.id), { side, market });
  if (!(units > 0 && Number.isFinite(units))) return 0;
  if (new Decimal(units, market.amountScale).compare(minAmount) < 0) return units;
  const depth = prices.depth(market.id);
  const price = prices.last(market.id) ?? (depth && midOf(depth)) ?? 0;
  const priceUnits = unitsBelow(price, market.priceScale);
  if (!(price > 0) || !Number.isFinite(priceUnits)) return 0;
  return productOf(priceUnits, units, valueScale).compare(minValue) < 0 ? units : 0;
}

function openingOfTarget(
  { view, rules: { market }, strategy }: Review,
  { position: target }: TargetIntent,
): string | undefined {
  const own = view.positions.position(market.id, strategy);
  const isNearer = leadsNearer(own.amount, amountDecimal(market, target));
  return isNearer ? undefined : `a target of ${target}`;
}

/** Whether a position of `after` is no further from flat than one of `held`, nor on the other side. */
function leadsNearer(held: Decimal, after: Decimal): boolean {
  return after.sign * held.sign >= 0 && after.abs().compare(held.abs()) <= 0;
}

/**
 * What the market holds once the strategy's own part is the target, what others hold stays; of other
 * wishes what it holds now.
 */
export function heldAfter({
  view,
  rules: { market },
  strategy,
  position: { amount },
  target,
}: Review): Decimal {
  if (target === undefined) return amount;
  const own = view.positions.position(market.id, strategy).amount;
  return amount.minus(own).plus(amountDecimal(market, target.position));
}
