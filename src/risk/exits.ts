import type { Amount, LiveOrder, Refusal, Side } from '../domain/index.ts';
import { Decimal, fromUnits, toUnits } from '../kernel/index.ts';
import { chargedAhead } from '../ledger/index.ts';
import type { OrderDraft } from './approved.ts';
import { mostUnits } from './checks/position.ts';
import { addUnits, unitsUp } from './exact.ts';
import type { FreeBalances } from './free-balances.ts';
import { against, besideUnits, openingOf, ownUnits } from './opening.ts';
import type { OrderReview, Review } from './review.ts';

/**
 * Checks that let pass whatever shrinks the position: of an exit that they refuse, that part
 * leaves.
 */
const PASSED_BY_SHRINKING: ReadonlySet<string> = new Set([
  ...['reducing', 'blackout', 'priceBounds', 'losingStreak', 'markout'],
  ...['unpriced', 'apiErrors', 'dailyValue', 'dailyOrders', 'exposure'],
]);

/** Checks for which an exit already cut down may be cut down further. */
export const CUTS: ReadonlySet<string> = new Set([
  ...PASSED_BY_SHRINKING,
  ...['position', 'balance', 'unknownOrders'],
]);

/**
 * Checks that never refuse an exit as a wish: they are asked of its orders, which are cut down to
 * fit.
 */
export const LEFT_TO_ORDERS: ReadonlySet<string> = new Set([...CUTS, 'aboveMaximum']);

/** A shortage of at most one in this many parts counts as taken by a fee. */
const SLIVER_PARTS = 100n;
/** A remainder below this multiple of the least order may be too small once the price has moved. */
const MARGIN = 2n;

/**
 * Whether it is a single IOC order that only shrinks its strategy's position, even if the
 * strategy's other IOC orders of that side fill before it.
 */
export function isExit(review: Review): boolean {
  return leavesEnough(review, ({ type }) => type === 'ioc');
}

/** As `isExit`, even if the strategy's orders of unknown fate have filled too. */
export function isSureExit(review: Review): boolean {
  return leavesEnough(review, isTakingOrUnknown);
}

/**
 * Whether it is a single IOC order no larger than the strategy's holding less what the strategy's
 * `before` orders may fill.
 */
function leavesEnough(review: Review, before: (order: LiveOrder) => boolean): boolean {
  const { single, rules } = review;
  if (single?.type !== 'ioc') return false;
  const { side, amount } = single;
  const { amountScale } = rules.market;
  const units = addUnits(toUnits(amount, amountScale), ownUnits(review, { side, before }));
  return units <= heldUnits(review, side);
}

/** Narrower than `mayBeFilling`: a pending order that is to rest is no exit, and soon answered. */
function isTakingOrUnknown({ type, status }: LiveOrder): boolean {
  return type === 'ioc' || status === 'unknown';
}

/** Units of the strategy's position that orders of that side bring nearer to flat. */
function heldUnits({ view, strategy, rules: { market } }: Review, side: Side): number {
  const { amount } = view.positions.position(market.id, strategy);
  return unitsUp(side === 'buy' ? amount.negated() : amount, market.amountScale);
}

/**
 * Whether a wish only shrinks its strategy's position and does not rest: a single IOC order, or a
 * target between the position and flat.
 */
export function isExitWish(review: Review): boolean {
  return isExit(review) || (review.target !== undefined && openingOf(review) === undefined);
}

/**
 * Cuts an exit down to the limit that refused it, in whole steps of the amount: the most that one
 * order may trade; what the free balance pays for; what is left of the market's position if all
 * resting orders fill; or what is left of the strategy's if its orders of unknown fate have filled.
 * Undefined: it is no exit, was refused for other reasons, or nothing would be cut off or be left.
 * Resting orders are never cut: the next equal wish would replace them.
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
      // If the bound in units has room for the whole exit, the value limit refused it: it may lead
      // to flat.
      return besideAll(review, mostUnits(review, review.draft.side)) ?? besideAll(review, 0);
    case 'unknownOrders':
      return besideDoubts(review);
    default:
      return roomBeside(review, besideUnits(review, review.draft.side));
  }
}

/**
 * Units that the exit may trade if all orders on its side fill too, before all lead `bound` beyond
 * flat.
 */
function besideAll(review: OrderReview, bound: number): bigint | undefined {
  return roomBeside(review, review.resting[review.draft.side].amountUnits, bound);
}

/** Units that the exit may trade of its strategy's position beside what may have traded already. */
function besideDoubts(review: OrderReview): bigint | undefined {
  const { side } = review.draft;
  const before = ownUnits(review, { side, before: isTakingOrUnknown });
  return lessThanAll(review, heldUnits(review, side) - before);
}

/** Units that the exit may trade beside `others` units until all together reach the bound. */
function roomBeside(review: OrderReview, others: number, bound = 0): bigint | undefined {
  const { draft, rules, position } = review;
  const { side } = draft;
  const { market } = rules;
  return lessThanAll(review, addUnits(against(position, { side, market }), bound) - others);
}

/** The room, if it is less than the whole order takes. */
function lessThanAll({ draft, rules: { market } }: OrderReview, room: number): bigint | undefined {
  const isLess = room < toUnits(draft.amount, market.amountScale);
  return isLess && Number.isSafeInteger(room) ? BigInt(room) : undefined;
}

/** Units that one order may trade at its price, such that the rest makes an order as well. */
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
 * The size of the next part of a wanted amount, all in units of the amount: the most that one order
 * may trade, or half of the whole if the rest would be too small for an order of its own.
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
 * Units that the free balance pays for. Undefined if the balance is not known, or if more than a
 * hundredth would be cut off while news of balances is awaited after fills of `sides`: that news is
 * worth a wait. Default: fills of both sides.
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

/** Balance free for the value of a buy, its whole fee set aside, in units of `valueScale`. */
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
