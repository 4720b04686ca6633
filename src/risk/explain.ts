import type { Refusal } from '../domain/index.ts';

/** Why risk says no: the codes of all refusals, in the order in which their checks are asked. */
const MEANINGS = {
  unknownMarket: 'The market is not among those that this deployment trades',
  strategyMarket: 'The market is not among those that its settings give to the strategy',
  tradingState: 'Trading is halted: only cancels leave until a person resets it',
  shape:
    "A price or an amount is not a positive number on the market's scale, or a target is not on it",
  clientOrderId: 'The order id is not 4 to 36 letters or digits, or was used before',
  belowMinimum: 'The order is smaller than the exchange accepts in this market',
  aboveMaximum: 'The order is larger than the configured most of one order',
  staleData: 'The market data is old or its source is not connected',
  crossedBook: 'The best bid is not below the best ask: the book cannot be trusted',
  collar: 'The price is too far from the reference price, or there is no reference',
  fillLoss: 'The order opens and would have lost too much the moment it fills',
  priceBounds: 'The price is beyond the bounds that are set: only what shrinks the position leaves',
  postOnlyCross: 'A post-only order would trade at once against the known book',
  ownSpread: 'The order opens too near to an own order on the other side',
  reducing: 'Trading is reducing: only orders that shrink the position leave',
  unpriced:
    'A position has no price yet, so losses are unknown: only what shrinks a position leaves',
  losingStreak: 'The market has closed too many orders in a row at a loss: it may only reduce now',
  markout: 'The price has run over too many fills of the market: it may only reduce now',
  blackout: 'It is a time at which nothing is opened: only what shrinks the position leaves',
  volumeShare: 'The order opens, and is large beside what the market has traded of late',
  duplicate: 'The same strategy has just placed an order with the same terms',
  openOrders: 'There are too many live orders',
  openValue: 'With all live orders of the market it would be worth too much',
  dailyValue: 'With all that rests too much would be traded today: only what reduces leaves',
  position: 'If every order filled, the position would be too large',
  exposure: 'If every order filled, all positions together would be worth too much',
  balance: 'The free balance, less what is reserved already, does not pay for the order',
  unknownOrders: 'The fate of too many orders is unknown: only exits leave',
  heartbeat: 'The timed cancel of the market is not confirmed',
  rejects: 'The exchange takes no orders of the market any more: only exits leave',
  apiErrors: 'Too many requests of late ended without a clear answer: only what reduces leaves',
  dailyOrders: 'Too many orders have left today: only what reduces leaves',
  orderToTrade: 'Too few of the orders of the market trade: only what reduces leaves',
  orderRate: 'Too many new orders in the window',
  selfCross: 'The order would trade against an own order on the other side',
} as const;
export type RefusalCode = keyof typeof MEANINGS;
export const REFUSAL_CODES = Object.keys(MEANINGS) as RefusalCode[];

/** A refusal as one line for people. A code that is not risk's own is told as it is. */
export function explain({ code, limit, observed, scope }: Refusal): string {
  const meaning = Object.hasOwn(MEANINGS, code) ? MEANINGS[code as RefusalCode] : code;
  return `${meaning} (${scope}: ${observed}; limit: ${limit}).`;
}
