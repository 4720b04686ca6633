import type { MarketConfig } from '../../../market/index.ts';

/** The kinds of market data that are polled or pushed independently of each other. */
const HEARD_KINDS = ['depth', 'trades', 'candles'] as const;
export type HeardKind = (typeof HEARD_KINDS)[number];

/** The kinds that a deployment polls live instead of having them pushed. */
export function polledKinds({
  feeds,
  candles,
}: Pick<MarketConfig, 'feeds' | 'candles'>): HeardKind[] {
  return HEARD_KINDS.filter((kind) => {
    // Candles built of trades need no request of their own.
    if (kind === 'candles' && candles === 'trades') return false;
    return !(typeof feeds === 'boolean' ? feeds : feeds[kind]);
  });
}
