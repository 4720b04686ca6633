import { TradewindError } from '../kernel/index.ts';

/** A stream of market data was asked for that is not available. */
export class MarketDataError extends TradewindError {
  override readonly name = 'MarketDataError';
}

/** The entry of a market. @throws {MarketDataError} when there is none. */
export function knownOf<T>(markets: ReadonlyMap<string, T>, id: string): T {
  const known = markets.get(id);
  if (known !== undefined) return known;
  const all = [...markets.keys()].join(', ');
  throw new MarketDataError(`Cannot stream ${id}: it is no market here, one of ${all} is wanted`);
}
