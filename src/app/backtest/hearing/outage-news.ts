import { type DataStream, INTERVAL_MS } from '../../../domain/index.ts';
import type { Clock } from '../../../kernel/index.ts';
import type { MarketConfig } from '../../../market/index.ts';
import type { Span } from '../data/findings/span.ts';
import type { Source } from '../data/source.ts';
import type { RecordedPrices } from '../feeds/prices.ts';
import type { Hearings } from './hearings.ts';
import type { HeardKind } from './polled-kinds.ts';

export interface OutageNewsOptions {
  readonly clock: Clock;
  readonly sources: readonly Source[];
  readonly outages: readonly Span[];
  readonly hearings: Hearings;
  readonly staleAfterMs: MarketConfig['staleAfterMs'];
  readonly prices: RecordedPrices;
}

/** A stream that falls silent in an outage. */
interface Watched {
  readonly source: Source;
  readonly stream: DataStream;
  readonly kind: HeardKind;
  /** The silence after which the stream is stale, milliseconds. */
  readonly limitMs: number;
}

/** A recorded book is told fresh this much later, once the book itself has been heard again. */
const BEHIND_BOOK_MS = 1;

/** Tells that streams are stale, and fresh again, where an outage silences them for long enough. */
export function tellOutages(options: OutageNewsOptions): void {
  const { outages, sources } = options;
  const watched = sources.flatMap((source) => watchedOf(source, options));
  const follow = (at: number): void => {
    const outage = outages[at];
    if (outage === undefined) return;
    const { clock } = options;
    const begin = (): void => {
      for (const stream of watched) silence(stream, { ...options, outage });
      follow(at + 1);
    };
    clock.schedule(begin, outage.fromMs - clock.now());
  };
  follow(0);
}

function watchedOf(source: Source, { staleAfterMs }: OutageNewsOptions): Watched[] {
  const book: Watched = { source, stream: 'depth', kind: 'depth', limitMs: staleAfterMs.depth };
  if (source.kind === 'candles') {
    const limitMs = INTERVAL_MS[source.interval] + staleAfterMs.candles;
    return [book, { source, stream: 'candle', kind: 'candles', limitMs }];
  }
  if (source.kind === 'quotes') return [book];
  return [book, { source, stream: 'trade', kind: 'trades', limitMs: staleAfterMs.trades }];
}

function silence(
  { source, stream, kind, limitMs }: Watched,
  { clock, hearings, prices, outage }: OutageNewsOptions & { readonly outage: Span },
): void {
  const backMs = hearings.backMs(source, { kind, outage });
  if (backMs - outage.fromMs <= limitMs) return;
  const market = source.market.id;
  const tell = (fresh: boolean, ageMs: number): void =>
    prices.tell({ kind: 'freshness', time: clock.now(), market, stream, fresh, ageMs }, 'outage');
  clock.schedule(() => tell(false, limitMs), outage.fromMs + limitMs - clock.now());
  const hasBook = source.kind === 'depth' || source.kind === 'quotes';
  const behindMs = hasBook ? BEHIND_BOOK_MS : 0;
  clock.schedule(() => tell(true, 0), backMs + behindMs - clock.now());
}
