import {
  type DataQualityEvent,
  DEPTH_EVENTS,
  type Depth,
  type DepthColumns,
  type Level,
  type Market,
  type MarketEvent,
} from '../../domain/index.ts';
import { type Clock, fromUnits } from '../../kernel/index.ts';
import { LevelBook } from './level-book.ts';
import type { LevelSide } from './level-book-side.ts';
import type { Run } from './model.ts';
import { TradesFeed } from './trades-feed.ts';

const { snapshot: SNAPSHOT, change: CHANGE, trade: TRADE } = DEPTH_EVENTS;
/** Levels on each side of a published depth by default. */
const LEVELS = 20;

export interface DepthFeedOptions {
  readonly clock: Clock;
  readonly market: Market;
  readonly publish: (event: MarketEvent | DataQualityEvent) => void;
  /** Levels on each side. Default: 20. */
  readonly levels?: number;
  /** Whether updates heard at one moment are published as one. Default: false. */
  readonly conflates?: boolean;
}

/**
 * Turns rows of depth, as they are heard, into what a venue would have pushed: the top of the book
 * once an update is complete, the trades, and a gap as stale data until the next whole book.
 *
 * An update is complete when a row of another one is heard or when `complete` is called, which must
 * happen before time moves on. Levels and sides that did not change are the same objects as before.
 */
export class DepthFeed {
  readonly #options: Required<DepthFeedOptions>;
  readonly #book = new LevelBook();
  readonly #bids: TopLevels;
  readonly #asks: TopLevels;
  readonly #priceFactor: number;
  readonly #trades: TradesFeed;
  #update = Number.NaN;
  #isPending = false;
  /** The time of the newest row of the book, and when it was heard. */
  #time = 0;
  #heardMs = 0;
  #isKnown = false;
  /** The time of the last row before a gap; NaN outside of gaps. */
  #gapTime = Number.NaN;

  constructor(options: DepthFeedOptions) {
    const { market, levels = LEVELS } = options;
    this.#options = { conflates: false, ...options, levels };
    this.#priceFactor = 10 ** market.priceScale;
    this.#trades = new TradesFeed(options);
    this.#bids = new TopLevels(this.#book.bids, { market, levels });
    this.#asks = new TopLevels(this.#book.asks, { market, levels });
  }

  /**
   * To be called before a row happens: it publishes a complete update first, so that orders made on
   * that book meet it. A trade does not force that, as it may be listed after its effect on the
   * book.
   */
  before({ update, event }: DepthColumns, at: number): void {
    if (!this.#isPending || this.#options.conflates || event[at] === TRADE) return;
    if (update[at] !== this.#update) this.complete();
  }

  /** A run of rows is heard now, all of one update. */
  hear(rows: DepthColumns, { at, end }: Run): void {
    const update = rows.update[at]!;
    if (this.#isPending && update !== this.#update && !this.#options.conflates) this.complete();
    for (let row = at; row < end; ) {
      const event = rows.event[row]!;
      if (event !== TRADE && update !== this.#update) this.#begin(rows, { at: row, event });
      if (event === SNAPSHOT || event === CHANGE) row = this.#setAll(rows, { at: row, end });
      else this.#tell(rows, row++);
    }
  }

  /** Publishes the update that was heard, if one is waiting. */
  complete(): void {
    if (!this.#isPending) return;
    this.#isPending = false;
    if (!this.#isKnown) return;
    const { clock, market, publish } = this.#options;
    this.#heardMs = clock.now();
    const depth: Depth & { readonly kind: 'depth' } = {
      kind: 'depth',
      market: market.id,
      bids: this.#bids.levels(),
      asks: this.#asks.levels(),
      exchangeTime: this.#time,
      receivedTime: this.#heardMs,
    };
    publish(depth);
    if (!Number.isNaN(this.#gapTime)) this.#recover();
  }

  /** The first row of an update. */
  #begin({ update, time }: DepthColumns, { at, event }: { at: number; event: number }): void {
    this.#update = update[at]!;
    if (event === SNAPSHOT) {
      this.#bids.clear();
      this.#asks.clear();
      this.#isKnown = true;
    }
    if (event === SNAPSHOT || event === CHANGE) this.#time = time[at]!;
  }

  /** Sets the levels of consecutive rows of one kind. Returns the first row after them. */
  #setAll(rows: DepthColumns, { at, end }: Run): number {
    const { event, side, price, amount } = rows;
    const kind = event[at];
    const factor = this.#priceFactor;
    const bids = this.#bids;
    const asks = this.#asks;
    this.#isPending = true;
    let row = at;
    for (; row < end && event[row] === kind; row++) {
      (side[row]! > 0 ? bids : asks).set(Math.round(price[row]! * factor), amount[row]!);
    }
    return row;
  }

  /** Hears a row that is no change of the book: a trade or a gap. */
  #tell(rows: DepthColumns, at: number): void {
    if (rows.event[at] === TRADE) this.#trades.hear(rows, at);
    else this.#lose();
  }

  #lose(): void {
    this.#isKnown = false;
    this.#isPending = false;
    if (!Number.isNaN(this.#gapTime)) return;
    this.#gapTime = this.#time;
    const time = this.#options.clock.now();
    this.#tellFreshness({ time, fresh: false, ageMs: time - this.#heardMs });
  }

  /** The first whole book after a gap: both ends of the gap are known now. */
  #recover(): void {
    const { market, publish } = this.#options;
    publish({
      ...{ kind: 'gap', time: this.#heardMs, market: market.id, stream: 'depth' },
      ...{ after: String(this.#gapTime), before: String(this.#time) },
      reason: 'the recording has no depth between',
    });
    this.#gapTime = Number.NaN;
    this.#tellFreshness({ time: this.#heardMs, fresh: true, ageMs: 0 });
  }

  #tellFreshness(told: { time: number; fresh: boolean; ageMs: number }): void {
    const { market, publish } = this.#options;
    publish({ kind: 'freshness', market: market.id, stream: 'depth', ...told });
  }
}

/** The best levels of a side as they are published. */
class TopLevels {
  readonly #side: LevelSide;
  readonly #scale: number;
  /** The prices of `#levels`, whole units, and a spare array for the next ones. */
  #prices: Float64Array;
  #spare: Float64Array;
  readonly #amounts: Float64Array;
  readonly #sign: 1 | -1;
  #levels: Level[] = [];
  /** The rank of the last level published; -Infinity while there are fewer levels than wanted. */
  #lastRank = Number.NEGATIVE_INFINITY;
  #changed = true;

  constructor(side: LevelSide, { market, levels }: { market: Market; levels: number }) {
    this.#side = side;
    this.#scale = market.priceScale;
    this.#prices = new Float64Array(levels);
    this.#spare = new Float64Array(levels);
    this.#amounts = new Float64Array(levels);
    this.#sign = side.side === 'buy' ? 1 : -1;
  }

  set(price: number, amount: number): void {
    this.#side.set(price, amount);
    if (price * this.#sign >= this.#lastRank) this.#changed = true;
  }

  clear(): void {
    this.#side.clear();
    this.#changed = true;
  }

  levels(): readonly Level[] {
    if (this.#changed) this.#read();
    return this.#levels;
  }

  /** Reads the best levels anew; an unchanged level stays the same object, whatever its place. */
  #read(): void {
    const before = this.#levels;
    const beforePrices = this.#prices;
    const prices = this.#spare;
    const amounts = this.#amounts;
    const count = this.#side.top(prices, amounts);
    const levels: Level[] = new Array(count);
    let known = 0;
    for (let at = 0; at < count; at++) {
      const price = prices[at]!;
      const rank = price * this.#sign;
      while (known < before.length && beforePrices[known]! * this.#sign > rank) known++;
      const level = known < before.length && beforePrices[known] === price && before[known];
      const amount = amounts[at]!;
      levels[at] = level && level[1] === amount ? level : [fromUnits(price, this.#scale), amount];
    }
    this.#levels = levels;
    this.#prices = prices;
    this.#spare = beforePrices;
    this.#changed = false;
    const isFull = count === prices.length;
    this.#lastRank = isFull ? prices[count - 1]! * this.#sign : Number.NEGATIVE_INFINITY;
  }
}
