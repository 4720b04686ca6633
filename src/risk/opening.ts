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
 * The part of what is asked for that opens a position, as a text; undefined if all of it only
 * shrinks one.
 *
 * Orders shrink if they bring both their strategy's position and the market's nearer to flat, and
 * neither would cross zero if all orders of that side filled. For a target only the strategy's
 * position counts: its orders are asked again as they leave.
 */
export function openingOf(review: Review): string | undefined {
  const { target } = review;
  if (target !== undefined) return openingOfTarget(review, target);
  return openingOfSide(review, 'buy') ?? openingOfSide(review, 'sell');
}

/**
 * As `openingOf`, for the orders of one side. A strategy cannot shrink what others hold: its orders
 * would be in the way of theirs.
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
 * Units of the market's position that may trade beside an order of that side. An order that takes
 * at once is not held up by what other strategies have resting: if that opens a position
 * afterwards, it is judged by itself. Orders that may be taking now count, whosever they are.
 */
export function besideUnits(review: Review, side: Side): number {
  const { resting, live, strategy, rules, takesAtOnce } = review;
  if (!takesAtOnce) return resting[side].amountUnits;
  const beside = live.filter((order) => order.strategy === strategy || mayBeTaking(order));
  return Exposure.ofLive(beside, rules.market)[side].amountUnits;
}

/** Whether the order may be taking at this moment: it is not known to rest. */
function mayBeTaking(order: LiveOrder): boolean {
  return order.type !== 'postOnly' && mayBeFilling(order);
}

/**
 * Units that the strategy's orders of that side may still fill: of all, or of the `before` ones.
 */
export function ownUnits(
  { live, strategy, rules: { market } }: Review,
  { side, before = () => true }: { side: Side; before?: (order: LiveOrder) => boolean },
): number {
  const own = passing(live, (order) => order.strategy === strategy && before(order));
  return Exposure.ofLive(own, market)[side].amountUnits;
}

/** Units that orders of a side may trade before the position is flat. */
export function against(
  { amount }: Position,
  { side, market: { amountScale } }: { readonly side: Side; readonly market: Market },
): number {
  return side === 'buy' ? -unitsUp(amount, amountScale) : unitsDown(amount, amountScale);
}

/**
 * Units that other strategies hold against a strategy's side, if that is dust: less than the
 * market's least order, as fees leave it. Nobody can trade dust away, and it must not keep others
 * in.
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

/** Whether `after` is no further from flat than `held`, and not on the other side. */
function leadsNearer(held: Decimal, after: Decimal): boolean {
  return after.sign * held.sign >= 0 && after.abs().compare(held.abs()) <= 0;
}

/**
 * The market's position once the strategy's part equals the target, with the parts of others
 * unchanged; for wishes other than targets, the present position.
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
