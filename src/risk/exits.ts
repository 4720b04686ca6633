import type { Amount, LiveOrder, OrderType, Refusal, Side } from '../domain/index.ts';
import { fromUnits, toUnits } from '../kernel/index.ts';
import { chargedAhead } from '../ledger/index.ts';
import type { OrderDraft } from './approved.ts';
import { addUnits, unitsDown, unitsUp } from './exact.ts';
import { Exposure } from './exposure.ts';
import type { FreeBalances } from './free-balances.ts';
import type { OrderReview, Review } from './review.ts';

/** A shortage of no more than one part in so many is what a fee may have taken. */
const SLIVER_PARTS = 100n;

/**
 * Whether an order takes at once and only shrinks its strategy's position, whatever fills of those of
 * its own that are under way to do the same.
 */
export function isExit(
  {
    side,
    type,
    amount,
  }: { readonly side: Side; readonly type: OrderType; readonly amount: number },
  { strategy, rules: { market }, view }: Review,
): boolean {
  if (type !== 'ioc') return false;
  const { amount: held } = view.positions.position(market.id, strategy);
  const against = unitsUp(side === 'buy' ? held.negated() : held, market.amountScale);
  const isUnderWay = (order: LiveOrder) => order.type === 'ioc' && order.side === side;
  const before = view.orders.liveOf(strategy, market.id).filter(isUnderWay);
  const underWay = Exposure.ofLive(before, market)[side].amountUnits;
  return addUnits(toUnits(amount, market.amountScale), underWay) <= against;
}

/**
 * An exit cut down to what it was refused for, in whole steps of the amount: the most that one order
 * may trade, what the free balance pays for, or what is left of the market's position if all that
 * rests there filled. Undefined: it is none, was refused for other reasons, or nothing would be left. A resting order stays as it was wished, or the next wish of the same
 * would replace it.
 */
export function trimExit(
  review: OrderReview,
  { code, balances }: { readonly code: Refusal['code']; readonly balances: FreeBalances },
): OrderDraft | undefined {
  const { draft, rules } = review;
  if (!isExit(draft, review)) return undefined;
  const units = unitsFor(review, { code, balances });
  if (units === undefined || units <= 0n) return undefined;
  return { ...draft, amount: fromUnits(Number(units), rules.market.amountScale) as Amount };
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
    case 'reducing':
    case 'blackout':
    case 'priceBounds':
      return roomBeside(review, 0);
    case 'position':
      return roomBeside(review, boundOf(review));
    default:
      return undefined;
  }
}

/** How far beyond flat all orders of its side may lead, units; infinite where only value bounds that. */
function boundOf({ draft: { side }, rules }: OrderReview): number {
  return side === 'buy' ? rules.longMaxUnits : rules.shortMaxUnits;
}

/** What it may trade beside all that rests or is in flight of its side, units. */
function roomBeside(review: OrderReview, bound: number): bigint | undefined {
  const { draft, rules, resting, position } = review;
  const { side, amount } = draft;
  const { amountScale } = rules.market;
  const { amount: held } = position;
  const against = side === 'buy' ? -unitsUp(held, amountScale) : unitsDown(held, amountScale);
  const room = addUnits(against, bound) - resting[side].amountUnits;
  const isLess = room < toUnits(amount, amountScale);
  return isLess && Number.isSafeInteger(room) ? BigInt(room) : undefined;
}

/** What one order may trade at its price, units of the amount. */
function mostOf({ draft, rules }: OrderReview): bigint {
  const { orderAmountMax, orderValueMax, market } = rules;
  const byValue = orderValueMax.units / BigInt(toUnits(draft.price, market.priceScale));
  if (orderAmountMax === undefined || byValue < orderAmountMax.units) return byValue;
  return orderAmountMax.units;
}

/**
 * What the free balance pays for. More than a hundredth is cut off only where no news of balances
 * are awaited: they are worth a wait.
 */
function paidFor(review: OrderReview, balances: FreeBalances): bigint | undefined {
  const { draft, rules } = review;
  const { id, base, amountScale, priceScale } = rules.market;
  const buys = draft.side === 'buy';
  const wanted = BigInt(toUnits(draft.amount, amountScale));
  const free = buys ? freeToSpend(review, balances) : balances.unitsOf(base, amountScale)?.units;
  if (free === undefined) return undefined;
  const units = buys ? free / BigInt(toUnits(draft.price, priceScale)) : free;
  const isSliver = (wanted - units) * SLIVER_PARTS <= wanted;
  return !isSliver && balances.isAwaiting(id) ? undefined : units;
}

/** What is free for the value of a buy, in units of `valueScale`: with its fee, of all it asks for. */
function freeToSpend(
  { draft, rules: { market, valueScale }, view: { feeRates } }: OrderReview,
  balances: FreeBalances,
): bigint | undefined {
  const fee = chargedAhead(draft, { market, feeRates });
  if (fee === undefined) return balances.unitsOf(market.quote, valueScale)?.units;
  return balances.of(market.quote)?.minus(fee).round(valueScale, 'down').units;
}
