import {
  type DepthColumns,
  midOf,
  type QuoteColumns,
  type TradeColumns,
} from '../../../domain/index.ts';
import { DEPTH_EVENTS } from '../../../history/index.ts';
import type { VirtualClock } from '../../../kernel/index.ts';
import { assert } from '../../../kernel/index.ts';
import type { DirectStreams } from '../../../market/index.ts';
import { DelayLine, DepthFeed, TradesFeed } from '../../../sim/index.ts';
import type { Bot } from '../../compose.ts';
import { DepthFindings } from '../data/findings/depth-findings.ts';
import { gapFindings, gapsMs } from '../data/findings/gaps.ts';
import { QuoteFindings } from '../data/findings/quote-findings.ts';
import { SilenceFindings } from '../data/findings/silence-findings.ts';
import type { Span } from '../data/findings/span.ts';
import { PrintFindings, VolumeFindings } from '../data/findings/volume-findings.ts';
import type { Period } from '../data/period.ts';
import {
  type CandleSource,
  type DepthSource,
  playedFromMs,
  type QuoteSource,
  type Source,
  type TradeSource,
} from '../data/source.ts';
import type { BacktestExchange } from '../exchange.ts';
import type { Hearings } from '../hearing/hearings.ts';
import type { BacktestLatency } from '../hearing/latency.ts';
import type { Charts } from '../record/charts.ts';
import { BestPrices } from './best-prices.ts';
import { CandleFeed } from './candle-feed.ts';
import { DepthLine } from './depth-line.ts';
import { possibleRows } from './possible-rows.ts';
import type { RecordedPrices } from './prices.ts';
import { quoteRows, quotesIn } from './quote-rows.ts';
import type { RowFeed } from './row-feed.ts';
import { type RowLine, TickFeed } from './tick-feed.ts';
import { TradeGaps } from './trade-gaps.ts';
import { wholeUpdates } from './whole-updates.ts';

const TRADE_COLUMNS = ['time', 'received', 'price', 'amount', 'side'] as const;
const DEPTH_COLUMNS = [
  ...['time', 'received', 'update', 'event'],
  ...['side', 'price', 'amount'],
] as const satisfies (keyof DepthColumns)[];

export interface FeedParts {
  readonly clock: VirtualClock;
  readonly bot: Pick<Bot, 'bus' | 'engine'>;
  readonly streams: DirectStreams;
  readonly exchange: BacktestExchange;
  readonly prices: RecordedPrices;
  readonly charts: Charts;
  readonly latency: BacktestLatency;
  /** When data are heard, with polls and outages. Undefined: after their latency alone. */
  readonly hearings: Hearings | undefined;
  readonly period: Period;
  /** Whether the last candle of each market only opens. */
  readonly holdsLast: boolean;
  /** Part of a candle's volume that own orders may trade; null: no such limit. */
  readonly volumeCap: number | null;
  /** Whether orders wait for the opens of candles. */
  readonly holdsOrders: boolean;
  /** Whether strategies hear of opens. */
  readonly hearsOpens: boolean;
  /** Whether strategies hear of prices within candles. */
  readonly walks: boolean;
}

/** Opens the feed that plays a market's rows. */
export function openFeed(source: Source, parts: FeedParts): RowFeed {
  switch (source.kind) {
    case 'candles':
      return candleFeed(source, parts);
    case 'trades':
      return tradeFeed(source, parts);
    case 'depth':
      return depthFeed(source, parts);
    case 'quotes':
      return quoteFeed(source, parts);
    default:
      return source satisfies never;
  }
}

function candleFeed(source: Extract<Source, { kind: 'candles' }>, parts: FeedParts): RowFeed {
  const { clock, bot, exchange, prices, charts, latency, period } = parts;
  const { id } = source.market;
  const entry = exchange.models.get(id)!;
  assert(entry.kind === 'candles', `the model of ${id} wants ${entry.kind}, its rows are candles`);
  return new CandleFeed({
    ...{ source, clock, engine: bot.engine, charts, held: exchange.held.of(id) },
    publish: bot.bus.channel('candle', id),
    rows: source.chunks(playedFromMs(source, period), period.toMs),
    span: spanOf(source, parts),
    model: entry.model,
    price: prices.cell(id),
    feedMs: latency.candlesMs,
    hearing: parts.hearings?.candles(source),
    holdsLast: parts.holdsLast,
    holdsOrders: parts.holdsOrders,
    walks: parts.walks,
    tellOpen: tellerOf(parts),
    best: bestPrices(source, parts),
    volumes: new VolumeFindings({ market: source.market, volumeCap: parts.volumeCap }),
  });
}

/** How opens are told. A walked market trades from open to close, so orders pass anyway. */
function tellerOf({ hearsOpens, walks, exchange }: FeedParts) {
  if (!hearsOpens) return undefined;
  return walks ? (tell: () => void) => tell() : (tell: () => void) => exchange.held.tellOpen(tell);
}

function tradeFeed(source: TradeSource, parts: FeedParts): RowFeed {
  const { clock, bot, exchange, prices } = parts;
  const { market } = source;
  const entry = exchange.models.get(market.id)!;
  assert(entry.kind === 'trades', `the model of ${market.id} wants ${entry.kind}`);
  const cell = prices.cell(market.id);
  const best = bestPrices(source, parts);
  const told = new TradesFeed({ clock, market, publish: bot.bus.channel('trade', market.id) });
  const { gaps = [] } = source;
  const silences = new SilenceFindings(gaps, spanOf(source, parts));
  const prints = new PrintFindings();
  const missing = new TradeGaps({ market: market.id, bus: bot.bus, clock, prices, gaps });
  const areTogether = parts.hearings !== undefined;
  // Made once, as each trade would otherwise leave an object to collect.
  const traded = { buys: false, timeMs: 0, amount: 0 };
  const shared = tickParts(source, parts);
  return new TickFeed<TradeColumns>({
    ...shared,
    rows: possibleRows(shared.rows, prints),
    line: tradeLine(source, parts),
    onPlayed: (rows, end) => parts.charts.addTrades(market.id, rows, end),
    onChunk: (rows) => silences.observe(rows),
    onEnd: () => silences.end(),
    firstPrice: ({ price }) => price[0],
    findings: () => [...prints.list(), ...foundIn(source, parts), ...silences.list()],
    missingMs: () => gapsMs(gaps, spanOf(source, parts)) + silences.missingMs,
    model: entry.model,
    teller: {
      hear: (rows, { at }) => {
        const timeMs = rows.time[at]!;
        const price = rows.price[at]!;
        missing.before(timeMs);
        cell.pass(price);
        told.hear(rows, at);
        traded.buys = rows.side[at]! > 0;
        traded.timeMs = timeMs;
        traded.amount = rows.amount[at]!;
        if (areTogether) best.note(price, traded);
        else best.traded(price, traded);
        missing.behind(timeMs);
      },
      complete: areTogether ? () => best.tellNoted() : () => {},
    },
  });
}

function depthFeed(source: DepthSource, parts: FeedParts): RowFeed {
  const findings = new DepthFindings(spanOf(source, parts));
  const prints = new PrintFindings();
  const silences = new SilenceFindings(source.gaps ?? [], spanOf(source, parts));
  const shared = bookParts(source, parts);
  const { rows, market, line } = shared;
  return new TickFeed<DepthColumns>({
    ...shared,
    rows: wholeUpdates(possibleRows(rows, prints)),
    onPlayed: (played, end) => parts.charts.addTrades(market, played, end),
    onChunk: (rows) => {
      findings.observe(rows);
      silences.observe(rows);
    },
    onEnd: () => {
      endLine(line);
      if (findings.isKnown) silences.end();
      findings.end();
    },
    firstPrice: firstPriceOf,
    // The gaps of the source are left out: rows of depth carry their own gaps.
    findings: () => [
      ...[...(source.findings ?? []), ...findings.list()],
      ...[...prints.list(), ...silences.list()],
    ],
    missingMs: () => findings.missingMs + silences.missingMs,
  });
}

function quoteFeed(source: QuoteSource, parts: FeedParts): RowFeed {
  const { charts, period } = parts;
  const { gaps = [] } = source;
  const span = spanOf(source, parts);
  const findings = new QuoteFindings();
  const silences = new SilenceFindings(gaps, span);
  const [time, price] = [new Float64Array(1), new Float64Array(1)];
  const shared = bookParts(source, parts, (timeMs, middle) => {
    time[0] = timeMs;
    price[0] = middle;
    charts.addTrades(source.market.id, { time, price });
  });
  return new TickFeed<DepthColumns>({
    ...shared,
    rows: openQuotes(source, { period, findings }),
    onPlayed: () => {},
    countOf: quotesIn,
    onChunk: (rows) => silences.observe(rows),
    onEnd: () => {
      endLine(shared.line);
      silences.end();
    },
    firstPrice: firstPriceOf,
    findings: () => [...foundIn(source, parts), ...silences.list(), ...findings.list()],
    missingMs: () => gapsMs(gaps, span) + silences.missingMs,
  });
}

/** The rows of a period, beginning with the quote that stands when the period begins. */
async function* openQuotes(
  { firstMs, gaps = [], ...source }: QuoteSource,
  { period, findings }: Pick<FeedParts, 'period'> & { readonly findings: QuoteFindings },
): AsyncGenerator<DepthColumns> {
  const { warmFromMs, toMs } = period;
  const standing = warmFromMs > firstMs ? await source.standing(warmFromMs) : undefined;
  const observed = async function* (): AsyncGenerator<QuoteColumns> {
    for await (const chunk of source.chunks(warmFromMs, toMs)) {
      findings.observe(chunk);
      yield chunk;
    }
  };
  yield* quoteRows(observed(), { standing, gaps });
}

/** The options that all feeds of books share. `onMiddle` takes each mid price that is heard. */
function bookParts<S extends DepthSource | QuoteSource>(
  source: S,
  parts: FeedParts,
  onMiddle: (timeMs: number, middle: number) => void = () => {},
) {
  const { clock, bot, exchange, prices, hearings } = parts;
  const { market } = source;
  const entry = exchange.models.get(market.id)!;
  const isOfBook = entry.kind === 'depth' || entry.kind === 'quotes';
  assert(isOfBook, `the model of ${market.id} wants ${entry.kind}`);
  const cell = prices.cell(market.id);
  const tellDepth = bot.bus.channel('depth', market.id);
  const teller = new DepthFeed({
    ...{ clock, market },
    conflates: hearings !== undefined,
    ...(source.kind === 'quotes' && { levels: 1 }),
    publish: (event) => {
      if (event.kind === 'depth') {
        const middle = midOf(event);
        if (middle !== undefined) {
          cell.pass(middle);
          onMiddle(event.exchangeTime, middle);
        }
        const wasOld = clock.now() >= prices.freshUntilMs(market.id);
        tellDepth(event);
        // Live, a freshness event says that the book is fresh again and paused orders are retried.
        if (wasOld && prices.isFresh(market.id)) bot.engine.endPauses(market.id);
      } else if (event.kind === 'freshness') prices.tell(event, 'gap');
      else bot.bus.publish(event);
    },
  });
  return { ...tickParts(source, parts), line: bookLine(source, parts), model: entry.model, teller };
}

/** Ends the repetition of a quiet book, after the last row. */
function endLine(line: RowLine<DepthColumns> | undefined): void {
  if (line instanceof DepthLine) line.end();
}

function bestPrices({ market }: Source, { clock, bot, streams }: FeedParts): BestPrices {
  return new BestPrices({ market, clock, streams, bus: bot.bus });
}

function foundIn(source: Source, parts: FeedParts): string[] {
  const { findings = [], gaps = [] } = source;
  return [...findings, ...gapFindings(gaps, spanOf(source, parts))];
}

/** The part of the period that a source covers: candles from the first open to the last close. */
function spanOf(
  { kind, firstMs, endMs, stepMs }: Source,
  { period }: Pick<FeedParts, 'period'>,
): Span {
  const fromMs = Math.max(firstMs, period.warmFromMs);
  const toMs = Math.min(endMs, period.toMs);
  // Ticks end at the first moment after the last of them: take that step back.
  if (kind !== 'candles') return { fromMs, toMs: Math.min(endMs - stepMs, toMs) };
  const steps = (ms: number): number => (ms - firstMs) / stepMs;
  return {
    fromMs: firstMs + Math.floor(steps(fromMs)) * stepMs,
    toMs: firstMs + Math.ceil(steps(toMs)) * stepMs,
  };
}

/** The price of the first trade or the mid price of the first whole book, whichever comes first. */
function firstPriceOf({ event, update, side, price }: DepthColumns): number | undefined {
  let bid = Number.NaN;
  let ask = Number.NaN;
  const first = event.findIndex(
    (one) => one === DEPTH_EVENTS.snapshot || one === DEPTH_EVENTS.trade,
  );
  if (first < 0) return undefined;
  if (event[first] === DEPTH_EVENTS.trade) return price[first];
  for (let at = first; at < price.length && update[at] === update[first]; at++) {
    if (event[at] !== DEPTH_EVENTS.snapshot) continue;
    if (side[at]! > 0) bid = Number.isNaN(bid) ? price[at]! : Math.max(bid, price[at]!);
    else ask = Number.isNaN(ask) ? price[at]! : Math.min(ask, price[at]!);
  }
  const middle = (bid + ask) / 2;
  return Number.isNaN(middle) ? undefined : middle;
}

/** The line that delays trades; undefined where they are heard at once. */
function tradeLine(
  source: TradeSource,
  { hearings, latency }: FeedParts,
): RowLine<TradeColumns> | undefined {
  const latencyMs =
    hearings?.rowsMs(source, hearings.of(source, 'trades')) ?? latency.rows.get(source.market.id);
  return latencyMs && new DelayLine({ columns: TRADE_COLUMNS, latencyMs });
}

/** The line that delays rows of a book; undefined where they are heard at once. */
function bookLine(
  source: DepthSource | QuoteSource,
  { hearings, latency }: FeedParts,
): RowLine<DepthColumns> | undefined {
  const columns = DEPTH_COLUMNS;
  if (hearings === undefined) {
    const latencyMs = latency.rows.get(source.market.id);
    return latencyMs && new DelayLine<DepthColumns>({ columns, latencyMs });
  }
  const book = hearings.of(source, 'depth');
  const bookMs = hearings.rowsMs(source, book);
  const tradesMs = hearings.rowsMs(source, hearings.of(source, 'trades'));
  return new DepthLine({ columns, book, bookMs, tradesMs });
}

/** The options that all feeds of ticks share. */
function tickParts<S extends Exclude<Source, CandleSource>>(
  source: S,
  { clock, period }: FeedParts,
) {
  const { id } = source.market;
  return {
    market: id,
    clock,
    rows: source.chunks(period.warmFromMs, period.toMs) as ReturnType<S['chunks']>,
  };
}
