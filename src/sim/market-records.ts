import {
  type Candle,
  type Depth,
  INTERVAL_MS,
  type Interval,
  type Level,
  type Stamped,
  type Ticker,
  type Trade,
} from '../domain/index.ts';
import type { CandleQuery, DepthQuery } from '../exchange/index.ts';
import { fromUnits, isOnScale, multipleText, toUnits, UNITS_MAX } from '../kernel/index.ts';
import { BARS_KEPT, type Bar } from './bars.ts';
import { DaySummaries } from './day-summary.ts';
import type { Ladder } from './ladder.ts';
import type { MatchingEngine } from './matching-engine.ts';
import { invalidArguments } from './refusals.ts';
import type { TapeTrade } from './tape.ts';

/** Levels of a depth. Source: contract, Limits. */
const DEPTH_LEVELS_MAX = 50;
const MERGED_LEVELS = 5;
/** Trades of one answer. Source: contract, Limits. */
const TRADES_PAGE = 50;

/** What one market publishes, in the terms of the exchange port. */
export class MarketRecords {
  readonly #engine: MatchingEngine;
  readonly #days: DaySummaries;
  /** Whether the book is known; while it is not, it is shown as empty, whatever rests in it. */
  isKnown = true;

  constructor(engine: MatchingEngine) {
    this.#engine = engine;
    this.#days = new DaySummaries(engine.bars);
  }

  ticker(stamp: Stamped): Ticker {
    const day = this.#days.at(stamp.exchangeTime);
    const { book } = this.#engine;
    const [bid, ask] = this.isKnown ? [book.bids.best, book.asks.best] : [];
    return {
      ...stamp,
      market: this.#engine.units.market.id,
      bid: this.#price(bid?.price ?? 0),
      ask: this.#price(ask?.price ?? 0),
      last: this.#price(day.last),
      open: this.#price(day.open),
      high: this.#price(day.high),
      low: this.#price(day.low),
      volume: this.#amount(day.volume),
      change: day.open === 0 ? 0 : (day.last - day.open) / day.open,
    };
  }

  /** @throws {ExchangeFailure} `rejected` for a size or a merge step that cannot be served. */
  depth(query: Omit<DepthQuery, 'market'>, stamp: Stamped): Depth {
    const size = checkedSize(query.size, DEPTH_LEVELS_MAX);
    const { bids, asks } = this.#engine.book;
    const { id: market } = this.#engine.units.market;
    if (!this.isKnown) return { ...stamp, market, bids: [], asks: [] };
    if (query.merge === undefined) {
      return { ...stamp, market, bids: this.#top(bids, size), asks: this.#top(asks, size) };
    }
    const step = this.#mergeStep(query.merge);
    return { ...stamp, market, bids: this.#merged(bids, step), asks: this.#merged(asks, step) };
  }

  /** @throws {ExchangeFailure} `rejected` when `since` is no trade id. */
  trades(since: string | undefined, receivedTime: number): Trade[] {
    if (since === undefined)
      return this.#trades(this.#engine.tape.newest(TRADES_PAGE), receivedTime);
    if (!/^\d+$/.test(since)) {
      throw invalidArguments(`Cannot read trades: since is ${since}, an id is wanted`);
    }
    return this.#trades(this.#engine.tape.after(Number(since), TRADES_PAGE), receivedTime);
  }

  /** All trades kept after an id. */
  tradesAfter(id: number, receivedTime: number): Trade[] {
    return this.#trades(this.#engine.tape.after(id, Number.POSITIVE_INFINITY), receivedTime);
  }

  /** @throws {ExchangeFailure} `rejected` for a size that cannot be served. */
  candles(query: Omit<CandleQuery, 'market'>, stamp: Stamped): Candle[] {
    const size = checkedSize(query.size, BARS_KEPT);
    const after = query.since ?? Number.NEGATIVE_INFINITY;
    return this.candlesFrom({ interval: query.interval, fromMs: after }, stamp)
      .filter((candle) => candle.openTime > after)
      .slice(-size);
  }

  /** Candles that open at a time or later. */
  candlesFrom(
    { interval, fromMs }: { interval: Interval; fromMs: number },
    stamp: Stamped,
  ): Candle[] {
    this.#engine.bars.roll(stamp.exchangeTime);
    const bars = this.#engine.bars.from(interval, fromMs);
    return bars.map((bar) => this.#candle(bar, { interval, stamp }));
  }

  #candle(bar: Bar, { interval, stamp }: { interval: Interval; stamp: Stamped }): Candle {
    return {
      ...stamp,
      market: this.#engine.units.market.id,
      interval,
      openTime: bar.openTime,
      open: this.#price(bar.open),
      high: this.#price(bar.high),
      low: this.#price(bar.low),
      close: this.#price(bar.close),
      volume: this.#amount(bar.volume),
      closed: bar.openTime + INTERVAL_MS[interval] <= stamp.exchangeTime,
    };
  }

  #trades(trades: readonly TapeTrade[], receivedTime: number): Trade[] {
    return trades.map((trade) => ({
      market: this.#engine.units.market.id,
      id: String(trade.id),
      price: this.#price(trade.price),
      amount: this.#amount(trade.amount),
      side: trade.takerSide,
      exchangeTime: trade.time,
      receivedTime,
    }));
  }

  #top(ladder: Ladder, size: number): Level[] {
    return Array.from({ length: Math.min(size, ladder.size) }, (_, depth) => {
      const level = ladder.fromBest(depth)!;
      return [this.#price(level.price), this.#amount(level.amount)];
    });
  }

  /**
   * Levels in steps: bids rounded down, asks rounded up, so that merging never narrows the spread.
   * Bids below the first step get no level, nor do asks above the highest price there can be.
   */
  #merged(ladder: Ladder, step: number): Level[] {
    const round = ladder.side === 'buy' ? Math.floor : Math.ceil;
    const sums = new Map<number, number>();
    for (let depth = 0; depth < ladder.size; depth++) {
      const level = ladder.fromBest(depth)!;
      const price = round(level.price / step) * step;
      if (price === 0 || price >= UNITS_MAX) break;
      if (sums.size === MERGED_LEVELS && !sums.has(price)) break;
      sums.set(price, (sums.get(price) ?? 0) + level.amount);
    }
    return Array.from(sums, ([price, amount]) => [this.#price(price), this.#amount(amount)]);
  }

  #mergeStep(merge: number): number {
    const { priceScale } = this.#engine.units.market;
    if (merge > 0 && isOnScale(merge, priceScale)) return toUnits(merge, priceScale);
    const step = `a positive ${multipleText(merge, priceScale)} is wanted`;
    throw invalidArguments(`Cannot merge depth: the step is ${merge}, ${step}`);
  }

  #price(units: number): number {
    return fromUnits(units, this.#engine.units.market.priceScale);
  }

  /** A sum may leave the exact range: it is then the nearest double. */
  #amount(units: number): number {
    if (units >= UNITS_MAX) return units / this.#engine.units.amountFactor;
    return fromUnits(units, this.#engine.units.market.amountScale);
  }
}

/** A size as asked for, capped as the contract caps it. */
function checkedSize(size: number | undefined, most: number): number {
  if (size === undefined) return most;
  if (Number.isInteger(size) && size >= 1) return Math.min(size, most);
  throw invalidArguments(
    `Cannot read: the size is ${size}, a whole number of at least 1 is wanted`,
  );
}
