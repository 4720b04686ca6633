import type { Depth, Level } from '../domain/index.ts';
import { usesFeed } from './config.ts';
import { SnapshotSource } from './snapshot-source.ts';
import type { Source, SourceContext } from './source.ts';

/** The top of a market's book as the venue gives it, even if it is crossed or empty. */
export function depthSource(context: SourceContext, market: string): Source {
  const { bus, data, feed, config } = context;
  return new SnapshotSource<Depth>(context, {
    market,
    stream: 'depth',
    request: () => data.depth({ market, size: config.depthLevels }),
    intervalMs: config.depthPollMs,
    feed: usesFeed(config, 'depth') ? feed?.depth(market) : undefined,
    staleAfterMs: config.staleAfterMs.depth,
    exchangeAgeMaxMs: config.exchangeAgeMaxMs,
    publish: (depth) => bus.publish({ kind: 'depth', ...depth }),
    // An empty book is no sign of life: nobody can trade on it.
    isSign: ({ bids, asks }) => bids.length > 0 || asks.length > 0,
    same: (a, b) => sameLevels(a.bids, b.bids) && sameLevels(a.asks, b.asks),
  });
}

/** Whether two lists agree as far as both reach: a feed and a request may differ in length. */
function sameLevels(a: readonly Level[], b: readonly Level[]): boolean {
  const shared = Math.min(a.length, b.length);
  if (shared === 0) return a.length === b.length;
  for (let at = 0; at < shared; at++) {
    if (a[at]![0] !== b[at]![0] || a[at]![1] !== b[at]![1]) return false;
  }
  return true;
}
