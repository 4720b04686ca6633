import type { Amount, Quote, QuotesIntent, Refusal } from '../domain/index.ts';
import { fromUnits, toUnits } from '../kernel/index.ts';
import { chargedAhead } from '../ledger/index.ts';
import type { OrderDraft } from './approved.ts';
import { unitsUp } from './exact.ts';
import type { FreeBalances } from './free-balances.ts';
import type { OrderReview } from './review.ts';

/** Quotes as far as they pass, and why the rest does not. */
export interface TrimmedQuotes {
  readonly quotes: QuotesIntent;
  /** Each code once. */
  readonly refusals: readonly Refusal[];
}

/**
 * Adds level after level, both sides in turn and those nearest to the market first, and keeps each
 * that passes together with those kept before it.
 */
export function trimQuotes(
  wish: QuotesIntent,
  refusalOf: (quotes: QuotesIntent) => Refusal | undefined,
): TrimmedQuotes {
  const bids = [...wish.bids].sort((one, other) => other.price - one.price);
  const asks = [...wish.asks].sort((one, other) => one.price - other.price);
  const refusals = new Map<string, Refusal>();
  let quotes: QuotesIntent = { ...wish, bids: [], asks: [] };
  const tryLevel = (side: 'bids' | 'asks', quote: Quote | undefined) => {
    if (quote === undefined) return;
    const wider = { ...quotes, [side]: [...quotes[side], quote] };
    const refusal = refusalOf(wider);
    if (refusal === undefined) quotes = wider;
    else if (!refusals.has(refusal.code)) refusals.set(refusal.code, refusal);
  };
  for (let level = 0; level < Math.max(bids.length, asks.length); level++) {
    tryLevel('bids', bids[level]);
    tryLevel('asks', asks[level]);
  }
  return { quotes, refusals: [...refusals.values()] };
}

/** Quotes without any quote: they replace whatever stands in the market. */
export function nothingIn(market: string): QuotesIntent {
  return { kind: 'quotes', market, bids: [], asks: [], postOnly: true };
}

/** A shortage of no more than one part in so many is what a fee may have taken. */
const SLIVER_PARTS = 100n;

/**
 * An exit cut down to what the free balance pays for, in whole steps of the amount: an order that
 * takes at once and only shrinks its strategy's position. Undefined: it is none, or nothing is free.
 *
 * More than a hundredth is cut off only where no news of balances are awaited: they are worth a wait.
 * A resting order stays as it was wished, or the next wish of the same would replace it.
 */
export function trimExit(review: OrderReview, balances: FreeBalances): OrderDraft | undefined {
  const { draft, rules } = review;
  const { id, base, amountScale, priceScale } = rules.market;
  const buys = draft.side === 'buy';
  const wanted = toUnits(draft.amount, amountScale);
  if (draft.type !== 'ioc' || wanted > heldAgainst(review)) return undefined;
  const free = buys ? freeToSpend(review, balances) : balances.unitsOf(base, amountScale)?.units;
  if (free === undefined) return undefined;
  const units = buys ? free / BigInt(toUnits(draft.price, priceScale)) : free;
  const isSliver = (BigInt(wanted) - units) * SLIVER_PARTS <= BigInt(wanted);
  if (units <= 0n || (!isSliver && balances.isAwaiting(id))) return undefined;
  return { ...draft, amount: fromUnits(Number(units), amountScale) as Amount };
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

/** What its strategy holds that the order shrinks, whole units of the amount. */
function heldAgainst({ draft: { side, strategy }, rules: { market }, view }: OrderReview): number {
  const { amount } = view.positions.position(market.id, strategy);
  return unitsUp(side === 'buy' ? amount.negated() : amount, market.amountScale);
}
