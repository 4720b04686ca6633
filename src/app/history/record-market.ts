import { filter, type Observable, type Subscription } from 'rxjs';
import {
  type Candle,
  type DataStream,
  type Depth,
  INTERVAL_MS,
  type Interval,
  type Trade,
  type TradingEvent,
} from '../../domain/index.ts';
import type { Connection } from '../../exchange/index.ts';
import type { Dataset, DatasetWriter } from '../../history/index.ts';
import type { Bus, Clock } from '../../kernel/index.ts';
import type { MarketStreams } from '../../market/index.ts';
import { DISK_SLOW, RecordedDepth } from './recorded-depth.ts';
import type { RecordedRows } from './recorded-rows.ts';

/** What a recording is made from. */
export interface RecordingFeeds {
  readonly streams: Pick<MarketStreams, 'candles' | 'depth' | 'trades'>;
  readonly bus: Bus<TradingEvent>;
  readonly clock: Clock;
  /** The connection under all feeds. */
  readonly connection: Observable<Connection>;
  readonly market: string;
}

export interface RecordedDataset {
  readonly rows: RecordedRows;
  readonly writer: DatasetWriter;
}

/** The gaps and changes of freshness of one stream of a market. */
function troublesOf({ bus, market }: RecordingFeeds, stream: DataStream) {
  return {
    gaps: bus.on('gap', market).pipe(filter((news) => news.stream === stream)),
    freshness: bus.on('freshness', market).pipe(filter((news) => news.stream === stream)),
  };
}

const staleFor = (ageMs: number): string => `nothing came for ${Math.round(ageMs / 1_000)} s`;

/** Begins a recording. All begin in one turn of the event loop, so that none misses data. */
export type BeginRecording = () => Subscription;

/** Records the book of a market, and the trades between its changes. */
export async function recordDepth(
  feeds: RecordingFeeds,
  { rows, writer }: RecordedDataset,
): Promise<BeginRecording> {
  const { update, received } = await writer.lastRow();
  const { streams, market, clock } = feeds;
  const depth = new RecordedDepth(rows, {
    update: Number(update ?? 0),
    received: typeof received === 'number' ? received : undefined,
  });
  const lose = (reason: string): void => depth.lose(reason, clock.now());
  return () => {
    const recording = lossesOf(feeds, lose);
    // A missing trade has changed the book.
    recording.add(troublesOf(feeds, 'trade').gaps.subscribe(({ reason }) => lose(reason)));
    recording.add(streams.depth(market).subscribe((book) => depth.book(book)));
    recording.add(streams.trades(market).subscribe((trade) => depth.trade(trade)));
    return recording;
  };
}

/** Records the best bid and ask of a market, whenever they change. */
export async function recordQuotes(
  feeds: RecordingFeeds,
  { rows }: RecordedDataset,
): Promise<BeginRecording> {
  let last: readonly number[] | undefined;
  const lose = (reason: string): void => {
    last = undefined;
    rows.lose(reason);
  };
  const take = ({ bids: [bid], asks: [ask], exchangeTime, receivedTime }: Depth): void => {
    if (bid === undefined || ask === undefined) lose('a side of the book is empty');
    else if (rows.isFull) lose(DISK_SLOW);
    else {
      const quote = [...bid, ...ask];
      if (last !== undefined && quote.every((cell, at) => cell === last?.[at])) return;
      last = quote;
      rows.push([exchangeTime, receivedTime, ...quote]);
    }
  };
  return () => {
    const recording = lossesOf(feeds, lose);
    recording.add(feeds.streams.depth(feeds.market).subscribe(take));
    return recording;
  };
}

/** Records the trades of a market, without a gap if they overlap with an earlier recording. */
export async function recordTrades(
  feeds: RecordingFeeds,
  { rows, writer }: RecordedDataset,
): Promise<BeginRecording> {
  const { id: known } = await writer.lastRow();
  const last = /^\d+$/.test(`${known}`) ? BigInt(`${known}`) : -1n;
  const { lastTime = 0 } = rows;
  const take = ({ id, exchangeTime, receivedTime, price, amount, side }: Trade): void => {
    const number = BigInt(id);
    if (number === last) rows.resume();
    // A later trade with a lower id passes: the venue has begun to count anew.
    if (number <= last && exchangeTime <= lastTime) return;
    if (rows.isFull) rows.lose(DISK_SLOW);
    else rows.push([exchangeTime, receivedTime, id, price, amount, side === 'buy' ? 1 : -1]);
  };
  return () => {
    const recording = doubtsOf(feeds, { rows, stream: 'trade' });
    recording.add(feeds.streams.trades(feeds.market).subscribe(take));
    return recording;
  };
}

/** How many of the newest candles of an earlier recording may not be final. Our choice. */
const UNSETTLED = 10;

/**
 * Records the closed candles of a market; those since an earlier recording are read first.
 *
 * A candle that comes again, revised, replaces the recorded one.
 */
export async function recordCandles(
  feeds: RecordingFeeds & { readonly interval: Interval },
  { rows, writer }: RecordedDataset,
): Promise<BeginRecording> {
  const { streams, market, interval, clock } = feeds;
  const stepMs = INTERVAL_MS[interval];
  const { dataset } = writer;
  // A new dataset begins with the candle that runs now.
  const begin = dataset === undefined ? clock.now() - stepMs + 1 : unsettledFrom(dataset, stepMs);
  const joinTime = dataset?.lastTime ?? Number.NEGATIVE_INFINITY;
  const take = ({ openTime, open, high, low, close, volume, closed }: Candle): void => {
    if (openTime <= joinTime) rows.resume();
    if (!closed || openTime < begin) return;
    const row = [openTime, open, high, low, close, volume];
    if (openTime <= (rows.lastTime ?? Number.NEGATIVE_INFINITY)) rows.mark(row);
    else if (rows.isFull) rows.lose(DISK_SLOW);
    else rows.push(row);
  };
  return () => {
    const recording = doubtsOf(feeds, { rows, stream: 'candle' });
    recording.add(streams.candles({ market, interval }).subscribe(take));
    return recording;
  };
}

/** Open time of the first recorded candle that may be revised: those before a gap stay. */
function unsettledFrom({ firstTime, lastTime, gaps }: Dataset, stepMs: number): number {
  const gapEnds = gaps.filter(({ from }) => from < lastTime).map(({ to }) => to);
  return Math.max(firstTime, lastTime - (UNSETTLED - 1) * stepMs, ...gapEnds);
}

/** Calls `lose` whenever the book is lost: its connection ends, or it falls silent. */
function lossesOf(feeds: RecordingFeeds, lose: (reason: string) => void): Subscription {
  const losses = troublesOf(feeds, 'depth').freshness.subscribe(({ fresh, ageMs }) => {
    if (!fresh) lose(staleFor(ageMs));
  });
  let wasConnected = false;
  losses.add(
    feeds.connection.subscribe(({ connected, reason }) => {
      if (wasConnected && !connected) lose(reason);
      wasConnected = connected;
    }),
  );
  return losses;
}

/** Trades and candles show whether they continue: a silence is only a doubt until they resume. */
function doubtsOf(
  feeds: RecordingFeeds,
  { rows, stream }: { readonly rows: RecordedRows; readonly stream: DataStream },
): Subscription {
  const troubles = troublesOf(feeds, stream);
  const doubts = troubles.gaps.subscribe(({ reason }) => rows.lose(reason));
  doubts.add(
    troubles.freshness.subscribe(({ fresh, ageMs }) => {
      if (fresh) rows.settle();
      else rows.lose(staleFor(ageMs), { isDoubt: true });
    }),
  );
  return doubts;
}
