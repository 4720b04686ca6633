import { catchError, EMPTY, Subscription } from 'rxjs';
import {
  amountOf,
  compareIds,
  type Level,
  type Market,
  priceOf,
  type Trade,
  type TradingEvent,
} from '../../domain/index.ts';
import type { MarketDataPort, MarketFeedPort } from '../../exchange/index.ts';
import {
  Bus,
  type Clock,
  DecimalError,
  formatDuration,
  type Logger,
  MINUTE_MS,
  messageOf,
  seldomWarning,
} from '../../kernel/index.ts';
import { type MarketConfig, MarketStreams } from '../../market/index.ts';
import type { SimulatedExchange } from '../../sim/index.ts';
import { followNews } from './follow-news.ts';

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

interface MirrorParts extends MirrorOptions {
  readonly bus: Bus<TradingEvent>;
  readonly streams: MarketStreams;
  readonly market: Market;
  /** For warnings that may come with every push. */
  readonly seldom: Logger;
}

/**
 * Keeps books and trades of markets like the venue's. A book is empty while it is unknown: once the
 * connection is lost, or the venue has been silent for as long as makes data stale in a live run.
 *
 * The book is read as a live bot reads it, so that a quiet venue is asked before it counts as
 * silent. Amounts and trade prices finer than the market's scales are rounded to the nearest; a
 * book with such prices counts as unknown.
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
  const seldom = seldomWarning(logger, clock);
  for (const market of options.markets) {
    const parts = { ...options, bus, streams, market, seldom };
    mirrored.add(mirrorBook(host, parts));
    mirrored.add(mirrorTrades(host, parts));
  }
  return mirrored;
}

function mirrorBook(
  host: SimulatedExchange,
  { venue, bus, streams, logger, market, seldom }: MirrorParts,
): Subscription {
  const { id } = market;
  const onScale = ([price, amount]: Level): Level => [price, amountOf(market, amount, 'nearest')];
  const news = followNews(id, logger);
  const lose = (reason: string): void => {
    host.loseBook(id);
    news.lost(reason);
  };
  const mirrored = bus.on('freshness', id).subscribe(({ fresh, ageMs }) => {
    if (!fresh) lose(`silent for ${formatDuration(ageMs)}`);
  });
  mirrored.add(
    streams.depth(id).subscribe((book) => {
      const tell = () =>
        host.tellBook(id, { bids: book.bids.map(onScale), asks: book.asks.map(onScale) });
      const reason = whyNotHeld(tell);
      if (reason === undefined) {
        news.heard(book);
        return;
      }
      lose(reason);
      seldom.warn({ market: id, reason }, `a book of ${id} was left out`);
    }),
  );
  mirrored.add(
    venue.marketFeed.connection().subscribe(({ connected, reason }) => {
      if (!connected) lose(reason);
    }),
  );
  return mirrored;
}

/**
 * Prints trades as they are pushed. A feed begins with known trades, and comes back with some of
 * those that were missed. Trades of the first push from before the current minute are in the past
 * candles. Later pushes count whatever their stamps: the venue's clock may be behind.
 */
function mirrorTrades(
  host: SimulatedExchange,
  { venue, clock, logger, market, seldom }: MirrorParts,
): Subscription {
  const { id } = market;
  const liquidity = host.anonymous(id);
  const begunMs = clock.now();
  const fromMs = begunMs - (begunMs % MINUTE_MS);
  const print = (trade: Trade): void => {
    const price = priceOf(market, trade.price);
    const amount = amountOf(market, trade.amount, 'nearest');
    if (price > 0 && amount > 0) liquidity.print({ takerSide: trade.side, price, amount });
  };
  const trades = venue.marketFeed.trades(id).pipe(
    catchError((thrown: unknown) => {
      logger.error({ reason: messageOf(thrown) }, 'the venue that is followed failed');
      return EMPTY;
    }),
  );
  let knownId: string | undefined;
  return trades.subscribe((batch) => {
    knownId ??= batch.at(-1)?.id;
    for (const trade of batch) {
      const isKnown = knownId !== undefined && compareIds(trade.id, knownId) <= 0;
      if (isKnown && trade.exchangeTime < fromMs) continue;
      const reason = whyNotHeld(() => print(trade));
      if (reason !== undefined)
        seldom.warn({ market: id, reason }, `a trade of ${id} was left out`);
    }
  });
}

/** Tells the market something. Returns why it can't hold that; undefined if it can. */
function whyNotHeld(tell: () => void): string | undefined {
  try {
    tell();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof DecimalError) return messageOf(thrown);
    throw thrown;
  }
}
