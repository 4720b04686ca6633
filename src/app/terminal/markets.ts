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
 * The market of that id; undefined if the venue does not tell its markets, or not its rules. For
 * commands that can do without: listing and cancelling orders must work then, too.
 *
 * @throws {AppError} `refused` when the venue has none.
 */
export async function marketIfTold(venue: ConnectedVenue, id: string): Promise<Market | undefined> {
  try {
    return await marketNamed(venue, id);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.reason === 'exchange') return undefined;
    throw thrown;
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
