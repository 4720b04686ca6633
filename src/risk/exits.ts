import type { Amount, LiveOrder, Refusal, Side } from '../domain/index.ts';
import { Decimal, fromUnits, toUnits } from '../kernel/index.ts';
import { chargedAhead } from '../ledger/index.ts';
import type { OrderDraft } from './approved.ts';
import { mostUnits } from './checks/position.ts';
import { addUnits, unitsUp } from './exact.ts';
import type { FreeBalances } from './free-balances.ts';
import { against, besideUnits, openingOf, ownUnits } from './opening.ts';
import type { OrderReview, Review } from './review.ts';

/** Checks that let all pass that shrinks the position: of an exit that they refuse, that part leaves. */
const PASSED_BY_SHRINKING: ReadonlySet<string> = new Set([
  ...['reducing', 'blackout', 'priceBounds', 'losingStreak', 'markout'],
  ...['unpriced', 'apiErrors', 'dailyValue', 'dailyOrders', 'exposure'],
]);

/** All that an exit may be cut down for again, once it was cut down for something else. */
export const CUTS: ReadonlySet<string> = new Set([
  ...PASSED_BY_SHRINKING,
  ...['position', 'balance', 'unknownOrders'],
]);

/** Checks that stop no wish of an exit: they are asked of its orders, which are cut down for them. */
export const LEFT_TO_ORDERS: ReadonlySet<string> = new Set([...CUTS, 'aboveMaximum']);

/** A shortage of no more than one part in so many is what a fee may have taken. */
const SLIVER_PARTS = 100n;
/** A rest of less than so many times the least order may be none, once the price has moved. */
const MARGIN = 2n;

/**
 * Whether it is one order that takes at once and only shrinks its strategy's position, whatever fills
 * of those of its own that are under way to do the same.
 */
export function isExit(review: Review): boolean {
  return leavesEnough(review, ({ type }) => type === 'ioc');
}

/** The same whatever those of its own have filled, too, whose fate is unknown. */
export function isSureExit(review: Review): boolean {
  return leavesEnough(review, isTakingOrUnknown);
}

/**
 * Whether it is one order that takes at once, and no more than its strategy holds less what those of
 * its orders may fill that are `before` it.
 */
function leavesEnough(review: Review, before: (order: LiveOrder) => boolean): boolean {
  const { single, rules } = review;
  if (single?.type !== 'ioc') return false;
  const { side, amount } = single;
  const { amountScale } = rules.market;
  const units = addUnits(toUnits(amount, amountScale), ownUnits(review, { side, before }));
  return units <= heldUnits(review, side);
}

/** Narrower than `mayBeFilling`: those on their way to rest are no exits, and soon answered. */
function isTakingOrUnknown({ type, status }: LiveOrder): boolean {
  return type === 'ioc' || status === 'unknown';
}

/** What the strategy holds that orders of that side bring to flat. */
function heldUnits({ view, strategy, rules: { market } }: Review, side: Side): number {
  const { amount } = view.positions.position(market.id, strategy);
  return unitsUp(side === 'buy' ? amount.negated() : amount, market.amountScale);
}

/**
 * Whether a wish takes at once and only shrinks its strategy's position: a target between that and
 * flat, or an order by a tag.
 */
export function isExitWish(review: Review): boolean {
  return isExit(review) || (review.target !== undefined && openingOf(review) === undefined);
}

/**
 * An exit cut down to what it was refused for, in whole steps of the amount: the most that one order
 * may trade, what the free balance pays for, what is left of the market's position if all that rests
 * there filled, or of its strategy's if all did whose fate is unknown. Undefined: it is none, was
 * refused for other reasons, or nothing would be cut off or left. A resting order stays as it was
 * wished, or the next wish of the same would replace it.
 */
export function trimExit(
  review: OrderReview,
  { code, balances }: { readonly code: Refusal['code']; readonly balances: FreeBalances },
): OrderDraft | undefined {
  const { draft, rules } = review;
  if (!LEFT_TO_ORDERS.has(code) || !isExit(review)) return undefined;
  const { amountScale } = rules.market;
  const units = unitsFor(review, { code, balances });
  const isLess = units !== undefined && units < BigInt(toUnits(draft.amount, amountScale));
  if (!isLess || units <= 0n) return undefined;
  return { ...draft, amount: fromUnits(Number(units), amountScale) as Amount };
}

function unitsFor(
  review: OrderReview,
  { code, balances }: { readonly code: Refusal['code']; readonly balances: FreeBalances },
): bigint | undefined {
  switch (code) {
    case 'aboveMaximum':
      return mostOf(review);
    case 'balance':
      return paidFor(review, balances);
    case 'position':
      // Where the bound leaves room for all of an exit, its value bounds it: that lets it lead to flat.
      return besideAll(review, mostUnits(review, review.draft.side)) ?? besideAll(review, 0);
    case 'unknownOrders':
      return besideDoubts(review);
    default:
      return roomBeside(review, besideUnits(review, review.draft.side));
  }
}

/** What it may trade beside all that rests on its side until that leads so far beyond flat, units. */
function besideAll(review: OrderReview, bound: number): bigint | undefined {
  return roomBeside(review, review.resting[review.draft.side].amountUnits, bound);
}

/** What it may trade of its strategy's position beside what may have traded of it already, units. */
function besideDoubts(review: OrderReview): bigint | undefined {
  const { side } = review.draft;
  const before = ownUnits(review, { side, before: isTakingOrUnknown });
  return lessThanAll(review, heldUnits(review, side) - before);
}

/** What it may trade beside so many units of others until all lead to the bound, units. */
function roomBeside(review: OrderReview, others: number, bound = 0): bigint | undefined {
  const { draft, rules, position } = review;
  const { side } = draft;
  const { market } = rules;
  return lessThanAll(review, addUnits(against(position, { side, market }), bound) - others);
}

/** So much room where it is less than the whole order takes. */
function lessThanAll({ draft, rules: { market } }: OrderReview, room: number): bigint | undefined {
  const isLess = room < toUnits(draft.amount, market.amountScale);
  return isLess && Number.isSafeInteger(room) ? BigInt(room) : undefined;
}

/** What one order may trade at its price, so that the rest is one as well: units of the amount. */
function mostOf({ draft, rules }: OrderReview): bigint {
  const { orderAmountMax, orderValueMax, minAmount, minValue, market } = rules;
  const price = BigInt(toUnits(draft.price, market.priceScale));
  const byValue = orderValueMax.units / price;
  const most = orderAmountMax && orderAmountMax.units < byValue ? orderAmountMax.units : byValue;
  const worth = (minValue.units + price - 1n) / price;
  const least = worth > minAmount.units ? worth : minAmount.units;
  return partOf(BigInt(toUnits(draft.amount, market.amountScale)), { most, least });
}

/**
 * How much of what is wanted leaves in one part, all in units of the amount: the most that one order
 * may trade, or the half of all where the rest would be too little for an order of its own.
 */
export function partOf(
  wanted: bigint,
  { most, least }: { readonly most: bigint; readonly least: bigint },
): bigint {
  const rest = wanted - most;
  if (rest <= 0n || rest >= MARGIN * least) return most;
  const half = (wanted + 1n) / 2n;
  return half >= least && half <= most ? half : most;
}

/**
 * What the free balance pays for. More than a hundredth is cut off only where no news of balances
 * are awaited, of fills of those sides: they are worth a wait. Default: of both.
 */
export function paidFor(
  review: OrderReview,
  balances: FreeBalances,
  sides?: readonly Side[],
): bigint | undefined {
  const { draft, rules } = review;
  const { id, base, quote, amountScale, priceScale } = rules.market;
  const buys = draft.side === 'buy';
  const wanted = BigInt(toUnits(draft.amount, amountScale));
  const free = buys ? freeToSpend(review, balances) : unitsOf(balances.of(base), amountScale);
  if (free === undefined) return undefined;
  const units = buys ? free / BigInt(toUnits(draft.price, priceScale)) : free;
  const isSliver = (wanted - units) * SLIVER_PARTS <= wanted;
  const awaited = { currency: buys ? quote : base, ...(sides && { sides }) };
  return !isSliver && balances.isAwaiting(id, awaited) ? undefined : units;
}

/** What is free for the value of a buy, in units of `valueScale`: with its fee, of all it asks for. */
function freeToSpend(
  { draft, rules: { market, valueScale }, view: { feeRates } }: OrderReview,
  balances: FreeBalances,
): bigint | undefined {
  const fee = chargedAhead(draft, { market, feeRates }) ?? Decimal.ZERO;
  return unitsOf(balances.of(market.quote)?.minus(fee), valueScale);
}

function unitsOf(free: Decimal | undefined, scale: number): bigint | undefined {
  return free?.round(scale, 'down').units;
}
