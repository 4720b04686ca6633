import type { Side } from '../../domain/index.ts';
import { Decimal, messageOf } from '../../kernel/index.ts';
import { read } from './answers.ts';
import type { ConnectedVenue } from './connected-venue.ts';

/** How far beyond the best opposite price an order goes without a question, a fraction. */
const THROUGH_MAX = Decimal.of('0.05');

/** Why a person is to look at a price before it is sent. */
type PriceDoubt =
  | {
      readonly kind: 'through';
      readonly price: Decimal;
      /** The best price of the other side, and how far beyond it the order goes, a fraction. */
      readonly best: Decimal;
      readonly beyond: number;
    }
  /** The other side is empty: there is no price to compare with. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'unread'; readonly reason: string };

/**
 * Compares prices with the book before orders of one side are sent: with a digit too many one
 * trades at once, at any price. Undefined if no price is far beyond the best of the other side.
 */
export async function priceDoubt(
  venue: ConnectedVenue,
  { market, side, prices }: { market: string; side: Side; prices: readonly Decimal[] },
): Promise<PriceDoubt | undefined> {
  const buys = side === 'buy';
  let best: number | undefined;
  try {
    const { bids, asks } = await read(venue, venue.exchange.market.depth({ market, size: 1 }));
    best = (buys ? asks : bids)[0]?.[0];
  } catch (thrown) {
    return { kind: 'unread', reason: messageOf(thrown) };
  }
  if (best === undefined) return { kind: 'empty' };
  const price = prices.reduce((a, b) => (a.compare(b) > 0 === buys ? a : b));
  const there = Decimal.of(best);
  const through = buys ? price.minus(there) : there.minus(price);
  if (through.compare(there.times(THROUGH_MAX)) <= 0) return undefined;
  return { kind: 'through', price, best: there, beyond: through.toNumber() / best };
}
