import type { OrderRecord } from '../../domain/index.ts';
import type { OrderReference } from '../../exchange/index.ts';
import { change, read } from './answers.ts';
import type { ConnectedVenue } from './connected-venue.ts';

/** One order, as the exchange tells it now. */
export function orderNamed(venue: ConnectedVenue, reference: OrderReference): Promise<OrderRecord> {
  return read(venue, venue.exchange.trading.order(reference));
}

/** Has the exchange cancel every order of a market in a minute; asking again moves the minute. */
export async function cancelAllInAMinute(venue: ConnectedVenue, market: string): Promise<void> {
  const lookUp =
    'The orders may or may not be cancelled in a minute. To ask once more does no harm.';
  await change(venue, { lookUp, answer: venue.exchange.trading.cancelAllAfter(market) });
}
