import type { Market } from '../../domain/index.ts';
import { didYouMean } from '../config/suggest.ts';
import { AppError } from '../errors.ts';
import { read } from './answers.ts';
import type { ConnectedVenue } from './connected-venue.ts';

/** The venue's markets by id. @throws {AppError} when it does not answer. */
export async function marketsOf(venue: ConnectedVenue): Promise<ReadonlyMap<string, Market>> {
  const markets = await read(venue, venue.exchange.market.markets());
  return new Map(markets.map((market) => [market.id, market]));
}

/** The market of that id. @throws {AppError} `refused` when the venue has none. */
export async function marketNamed(venue: ConnectedVenue, id: string): Promise<Market> {
  return pick(await marketsOf(venue), { venue, id });
}

/** The market of that id among those read before. @throws {AppError} `refused` when it is not there. */
export function pick(
  markets: ReadonlyMap<string, Market>,
  { venue, id }: { readonly venue: { readonly host: string }; readonly id: string },
): Market {
  const market = markets.get(id);
  if (market !== undefined) return market;
  const known = [...markets.keys()];
  const hint = didYouMean(id, known) || `, one of ${known.join(', ')} is wanted`;
  throw new AppError('refused', `${venue.host}: Cannot use market "${id}": it is unknown${hint}`);
}
