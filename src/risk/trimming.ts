import type { Quote, QuotesIntent, Refusal } from '../domain/index.ts';

/** The quotes that pass, and why the rest does not. */
export interface TrimmedQuotes {
  readonly quotes: QuotesIntent;
  /** Each code once. */
  readonly refusals: readonly Refusal[];
}

/**
 * Adds level after level, both sides in turn and the nearest to the market first, and keeps each
 * level that passes together with those kept before. Levels that shrink the position are tried
 * before all.
 *
 * @param held the strategy's position. Default: zero.
 */
export function trimQuotes(
  wish: QuotesIntent,
  refusalOf: (quotes: QuotesIntent) => Refusal | undefined,
  { held = 0 } = {},
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
  for (const quote of takeWithin(asks, held)) tryLevel('asks', quote);
  for (const quote of takeWithin(bids, -held)) tryLevel('bids', quote);
  for (let level = 0; level < Math.max(bids.length, asks.length); level++) {
    tryLevel('bids', bids[level]);
    tryLevel('asks', asks[level]);
  }
  return { quotes, refusals: [...refusals.values()] };
}

/** Removes the first quotes, as many as trade an amount: the last may go beyond it. */
function takeWithin(quotes: Quote[], amount: number): readonly Quote[] {
  let left = amount;
  let count = 0;
  for (; count < quotes.length && left > 0; count++) left -= quotes[count]!.amount;
  return quotes.splice(0, count);
}

/** Quotes without any quote: they replace whatever wish stands in the market. */
export function nothingIn(market: string): QuotesIntent {
  return { kind: 'quotes', market, bids: [], asks: [], postOnly: true };
}
