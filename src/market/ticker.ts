import type { Ticker } from '../domain/index.ts';
import { usesFeed } from './config.ts';
import { SnapshotSource } from './snapshot-source.ts';
import type { Source, SourceContext } from './source.ts';

export function tickerSource(context: SourceContext, market: string): Source {
  const { bus, data, feed, config } = context;
  return new SnapshotSource<Ticker>(context, {
    market,
    stream: 'ticker',
    request: () => data.ticker(market),
    intervalMs: config.tickerPollMs,
    feed: usesFeed(config, 'ticker') ? feed?.ticker(market) : undefined,
    staleAfterMs: config.staleAfterMs.ticker,
    publish: (ticker) => bus.publish({ kind: 'ticker', ...ticker }),
    same: sameTicker,
  });
}

function sameTicker(a: Ticker, b: Ticker): boolean {
  return (
    a.bid === b.bid &&
    a.ask === b.ask &&
    a.last === b.last &&
    a.volume === b.volume &&
    a.open === b.open &&
    a.high === b.high &&
    a.low === b.low
  );
}
