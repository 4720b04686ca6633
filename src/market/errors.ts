import { TradewindError } from '../kernel/index.ts';

/** A stream of market data was asked for that cannot be had. */
export class MarketDataError extends TradewindError {
  override readonly name = 'MarketDataError';
}
