import { catchError, EMPTY, Subscription } from 'rxjs';
import type { Market, TradingEvent } from '../../domain/index.ts';
import type { MarketDataPort, MarketFeedPort } from '../../exchange/index.ts';
import { Bus, type Clock, formatDuration, type Logger, messageOf } from '../../kernel/index.ts';
import { type MarketConfig, MarketStreams } from '../../market/index.ts';
import type { SimulatedExchange } from '../../sim/index.ts';
import { FollowNews } from './follow-news.ts';

export interface MirrorOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** The venue that is followed. */
  readonly venue: { readonly market: MarketDataPort; readonly marketFeed: MarketFeedPort };
  /** The markets that it fills. */
  readonly markets: readonly Market[];
  /** How its market data is read, and how long it may be silent. */
  readonly data: MarketConfig;
}

type MirrorParts = MirrorOptions & {
  readonly bus: Bus<TradingEvent>;
  readonly streams: MarketStreams;
};

/**
 * Keeps books and trades of markets like the venue's. A book is empty while nobody knows it: from the
 * loss of the connection on, and where the venue is silent as long as makes data stale live.
 *
 * The book is read as a live bot reads it, so that a quiet venue is asked before it counts as silent.
 */
export function mirror(host: SimulatedExchange, options: MirrorOptions): Subscription {
  const { clock, logger, venue, data } = options;
  const bus = new Bus<TradingEvent>();
  const streams = new MarketStreams({
    ...{ clock, logger, bus, config: data },
    data: venue.market,
    feed: venue.marketFeed,
    markets: new Map(options.markets.map((market) => [market.id, market])),
  });
  const mirrored = new Subscription();
  for (const { id } of options.markets) {
    mirrored.add(mirrorBook(host, { ...options, bus, streams, id }));
    mirrored.add(mirrorTrades(host, { ...options, id }));
  }
  return mirrored;
}

function mirrorBook(
  host: SimulatedExchange,
  { venue, bus, streams, logger, id }: MirrorParts & { readonly id: string },
): Subscription {
  const news = new FollowNews(id, logger);
  const lose = (reason: string): void => {
    host.loseBook(id);
    news.lost(reason);
  };
  const mirrored = bus.on('freshness', id).subscribe(({ fresh, ageMs }) => {
    if (!fresh) lose(`silent for ${formatDuration(ageMs)}`);
  });
  mirrored.add(
    streams.depth(id).subscribe((book) => {
      host.tellBook(id, book);
      news.heard(book);
    }),
  );
  mirrored.add(
    venue.marketFeed.connection().subscribe(({ connected, reason }) => {
      if (!connected) lose(reason);
    }),
  );
  return mirrored;
}

/** Trades as they are pushed: those that were missed meanwhile are over. */
function mirrorTrades(
  host: SimulatedExchange,
  { venue, logger, id }: MirrorOptions & { readonly id: string },
): Subscription {
  const liquidity = host.anonymous(id);
  const trades = venue.marketFeed.trades(id).pipe(
    catchError((thrown: unknown) => {
      logger.error({ reason: messageOf(thrown) }, 'the venue that is followed failed');
      return EMPTY;
    }),
  );
  return trades.subscribe((batch) => {
    for (const { side, price, amount } of batch) {
      liquidity.print({ takerSide: side, price, amount });
    }
  });
}
