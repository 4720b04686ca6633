import type { CandleColumns, Depth, EventOf, TradingEvent } from '../../../domain/index.ts';
import { type Bus, type Clock, getOrInsert } from '../../../kernel/index.ts';
import type { MarketView } from '../../../market/index.ts';
import type { PassedPrices } from '../../../report/index.ts';
import type { PriceView } from '../../../risk/index.ts';

/** The newest price of a market, and how far the price went since its last fill. */
export class PriceCell {
  /** What the market is at; NaN before the first. */
  last = Number.NaN;
  /** The newest that the bot has heard of, and what is under way to it. */
  #heard = Number.NaN;
  readonly #toBeHeard: { readonly price: number; readonly heardMs: number }[] = [];
  /** Rows are missing here, or an outage lasts: what it is now nobody knows. */
  isStale = false;
  /** Infinite where no price was passed. */
  #low = Number.POSITIVE_INFINITY;
  #high = Number.NEGATIVE_INFINITY;
  /** When the last fill was heard of, and the candle that was under way then, once that is over. */
  #filledMs = Number.NEGATIVE_INFINITY;
  #underWay: PassedPrices['underWay'];

  /** A price is heard. */
  pass(price: number): void {
    this.last = price;
    this.#heard = price;
    if (price < this.#low) this.#low = price;
    if (price > this.#high) this.#high = price;
  }

  /** A price is on its way to the bot. Those before it that would come behind it are no news then. */
  send(price: number, heardMs: number): void {
    while (this.#toBeHeard.length > 0 && this.#toBeHeard.at(-1)!.heardMs > heardMs) {
      this.#toBeHeard.pop();
    }
    this.#toBeHeard.push({ price, heardMs });
  }

  /** The market comes to a price, and everybody knows at once. */
  reach(price: number): void {
    this.last = price;
    this.#heard = price;
  }

  /** What the bot has heard last by that time; NaN before the first. */
  heardBy(nowMs: number): number {
    while (this.#toBeHeard.length > 0 && this.#toBeHeard[0]!.heardMs <= nowMs) {
      this.#heard = this.#toBeHeard.shift()!.price;
    }
    return this.#heard;
  }

  /** A candle is over, and so is what filled in it. */
  passCandle({ time, low, high, close }: CandleColumns, at: number): void {
    this.last = close[at]!;
    if (time[at]! < this.#filledMs) {
      this.#underWay = { from: time[at]!, low: low[at]!, high: high[at]! };
      return;
    }
    if (low[at]! < this.#low) this.#low = low[at]!;
    if (high[at]! > this.#high) this.#high = high[at]!;
  }

  /** How far the price went since the last fill. */
  get passed(): PassedPrices {
    const [low, high] = [this.#low, this.#high];
    return { whole: low <= high ? { low, high } : undefined, underWay: this.#underWay };
  }

  /** A fill was heard of: what is passed from now on is counted anew. */
  fill(timeMs: number): void {
    this.#low = Number.POSITIVE_INFINITY;
    this.#high = Number.NEGATIVE_INFINITY;
    this.#underWay = undefined;
    this.#filledMs = timeMs;
  }
}

/** Why a stream is stale: rows of it are missing, or nothing is heard. */
type Trouble = 'gap' | 'outage';

export interface RecordedPricesOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly bus: Bus<TradingEvent>;
  readonly markets: Iterable<string>;
  /** What knows of books, and how old they are. */
  readonly view: MarketView;
  /** Markets whose books are recorded. */
  readonly withBook: ReadonlySet<string>;
  /** Whether candles of a market are missing, so that no order of it leaves. Default: never. */
  readonly isInHole?: ((market: string) => boolean) | undefined;
}

/**
 * The newest recorded prices. A market whose book is recorded is as fresh as that book, like live;
 * of all others any price is fresh but in a known gap: where nobody traded it is still the newest
 * there is.
 */
export class RecordedPrices implements PriceView {
  readonly showsOwn = false;
  readonly isInHole: (market: string) => boolean;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #cells: ReadonlyMap<string, PriceCell>;
  readonly #view: MarketView;
  readonly #withBook: ReadonlySet<string>;
  readonly #bus: Bus<TradingEvent>;
  /** What the streams of markets suffer from. */
  readonly #troubles = new Map<string, Set<Trouble>>();

  constructor({ clock, bus, markets, view, withBook, isInHole }: RecordedPricesOptions) {
    this.#clock = clock;
    this.isInHole = isInHole ?? (() => false);
    this.#bus = bus;
    this.#cells = new Map(Array.from(markets, (market) => [market, new PriceCell()]));
    this.#view = view;
    this.#withBook = withBook;
  }

  /** Where the newest price of a market is put. */
  cell(market: string): PriceCell {
    return this.#cells.get(market)!;
  }

  /** Tells that a stream is stale, or fresh again, unless the other trouble keeps it as it is. */
  tell(freshness: EventOf<'freshness'>, why: Trouble): void {
    const { market, stream, fresh } = freshness;
    const key = `${market} ${stream}`;
    const troubles = getOrInsert(this.#troubles, key, () => new Set());
    const was = troubles.size;
    if (fresh) troubles.delete(why);
    else troubles.add(why);
    if (was > 0 === troubles.size > 0) return;
    // What is known of a market whose book is not recorded is as old as its made-up best prices.
    if (stream === 'depth') this.cell(market).isStale = !fresh;
    this.#bus.publish(freshness);
  }

  depth(market: string): Depth | undefined {
    return this.#withBook.has(market) ? this.#view.depth(market) : undefined;
  }

  last(market: string): number | undefined {
    const heard = this.#cells.get(market)?.heardBy(this.#clock.now());
    return heard === undefined || Number.isNaN(heard) ? undefined : heard;
  }

  isFresh(market: string): boolean {
    if (this.#withBook.has(market)) return this.#view.isFresh(market);
    const cell = this.#cells.get(market);
    return cell !== undefined && !cell.isStale && this.last(market) !== undefined;
  }

  freshUntilMs(market: string): number {
    return this.#withBook.has(market) ? this.#view.freshUntilMs(market) : Number.POSITIVE_INFINITY;
  }
}
