import type { Market } from '../../domain/index.ts';
import { didYouMean } from '../config/suggest.ts';
import { AppError } from '../errors.ts';
import { read } from './answers.ts';
import type { ConnectedVenue } from './connected-venue.ts';

/** A venue's markets by id. */
export interface VenueMarkets extends ReadonlyMap<string, Market> {
  /** Markets whose rules cannot be read. */
  readonly illegible: readonly string[];
}

/** The venue's markets by id. @throws {AppError} when it does not answer. */
export async function marketsOf(venue: ConnectedVenue): Promise<VenueMarkets> {
  const markets = await read(venue, venue.exchange.market.markets());
  const byId = new Map(markets.map((market) => [market.id, market]));
  return Object.assign(byId, { illegible: markets.illegible ?? [] });
}

/** The market of that id. @throws {AppError} when the venue has none, or none that can be read. */
export async function marketNamed(venue: ConnectedVenue, id: string): Promise<Market> {
  return pick(await marketsOf(venue), { venue, id });
}

/**
 * Refuses a market that the venue does not have, for who needs no rules of it. Where these cannot be
 * read, or no market is told, it may have that one: orders are to be cancelled then, too.
 *
 * @throws {AppError} `refused`.
 */
export async function refuseUnknown(venue: ConnectedVenue, id: string): Promise<void> {
  try {
    await marketNamed(venue, id);
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.reason !== 'exchange') throw thrown;
  }
}

/**
 * The market of that id among those read before.
 *
 * @throws {AppError} `refused` when it is not there, `exchange` when its rules cannot be read.
 */
export function pick(
  markets: VenueMarkets,
  { venue, id }: { readonly venue: { readonly host: string }; readonly id: string },
): Market {
  const market = markets.get(id);
  if (market !== undefined) return market;
  const what = `${venue.host}: Cannot use market "${id}"`;
  if (markets.illegible.includes(id)) {
    const is = 'its rules cannot be read, scales and least amounts are wanted';
    throw new AppError('exchange', `${what}: ${is}`);
  }
  const known = [...markets.keys()];
  const hint = didYouMean(id, known) || `, one of ${known.join(', ')} is wanted`;
  throw new AppError('refused', `${what}: it is unknown${hint}`);
}
