import type { MarketConfig } from '../../../market/index.ts';

/** What of a market is asked for, or pushed, apart from the rest. */
const HEARD_KINDS = ['depth', 'trades', 'candles'] as const;
export type HeardKind = (typeof HEARD_KINDS)[number];

/** The kinds that a deployment asks for live, in place of having them pushed. */
export function polledKinds({
  feeds,
  candles,
}: Pick<MarketConfig, 'feeds' | 'candles'>): HeardKind[] {
  return HEARD_KINDS.filter((kind) => {
    // Candles of trades are asked for by their trades.
    if (kind === 'candles' && candles === 'trades') return false;
    return !(typeof feeds === 'boolean' ? feeds : feeds[kind]);
  });
}
