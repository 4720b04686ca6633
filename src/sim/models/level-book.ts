import type { Side } from '../../domain/index.ts';
import { LevelSide } from './level-book-side.ts';

/**
 * A recorded book of price levels, exact and dense: prices are whole ticks (units of the market's
 * price scale), amounts are kept as given. A level costs some nanoseconds to set.
 *
 * It knows nothing of orders. Its sides may cross, as those of a book do in the middle of an
 * update.
 */
export class LevelBook {
  readonly bids: LevelSide;
  readonly asks: LevelSide;

  /** `windowTicks`: see `LevelSide`. */
  constructor(options: { readonly windowTicks?: number } = {}) {
    this.bids = new LevelSide('buy', options);
    this.asks = new LevelSide('sell', options);
  }

  side(side: Side): LevelSide {
    return side === 'buy' ? this.bids : this.asks;
  }

  clear(): void {
    this.bids.clear();
    this.asks.clear();
  }
}
