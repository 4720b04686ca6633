import type { CandleColumns, Depth, EventOf, TradingEvent } from '../../../domain/index.ts';
import { type Bus, type Clock, getOrInsert } from '../../../kernel/index.ts';
import type { MarketView } from '../../../market/index.ts';
import type { PassedPrices } from '../../../report/index.ts';
import type { PriceView } from '../../../risk/index.ts';

/** The newest price of a market, and the range it went through since the market's last fill. */
export class PriceCell {
  /** The market's present price; NaN before the first. */
  last = Number.NaN;
  /** The newest price that the bot has heard, and those on their way to it. */
  #heard = Number.NaN;
  readonly #toBeHeard: { readonly price: number; readonly heardMs: number }[] = [];
  /** Whether rows are missing here or an outage lasts, so that nobody knows the price. */
  isStale = false;
  /** The range since the last fill; infinite before the first price. */
  #low = Number.POSITIVE_INFINITY;
  #high = Number.NEGATIVE_INFINITY;
  /** When the last fill was heard, and the candle that was open then, once it has closed. */
  #filledMs = Number.NEGATIVE_INFINITY;
  #underWay: PassedPrices['underWay'];

  /** The market reaches a price, the bot hears it at once, and the range takes it in. */
  pass(price: number): void {
    this.last = price;
    this.#heard = price;
    if (price < this.#low) this.#low = price;
    if (price > this.#high) this.#high = price;
  }

  /** Sends a price to the bot and drops older prices that would arrive later, outdated. */
  send(price: number, heardMs: number): void {
    while (this.#toBeHeard.length > 0 && this.#toBeHeard.at(-1)!.heardMs > heardMs) {
      this.#toBeHeard.pop();
    }
    this.#toBeHeard.push({ price, heardMs });
  }

  /** The market reaches a price and the bot hears it at once. */
  reach(price: number): void {
    this.last = price;
    this.#heard = price;
  }

  /** The newest price that the bot has heard by then; NaN before the first. */
  heardBy(nowMs: number): number {
    while (this.#toBeHeard.length > 0 && this.#toBeHeard[0]!.heardMs <= nowMs) {
      this.#heard = this.#toBeHeard.shift()!.price;
    }
    return this.#heard;
  }

  /**
   * A candle has closed: its range counts. One that opened before the last fill is kept apart, for
   * nobody knows which part of it came after the fill.
   */
  passCandle({ time, low, high, close }: CandleColumns, at: number): void {
    this.last = close[at]!;
    if (time[at]! < this.#filledMs) {
      this.#underWay = { from: time[at]!, low: low[at]!, high: high[at]! };
      return;
    }
    if (low[at]! < this.#low) this.#low = low[at]!;
    if (high[at]! > this.#high) this.#high = high[at]!;
  }

  /** The ranges that the price went through since the last fill. */
  get passed(): PassedPrices {
    const [low, high] = [this.#low, this.#high];
    return { whole: low <= high ? { low, high } : undefined, underWay: this.#underWay };
  }

  /** A fill was heard: the range begins anew. */
  fill(timeMs: number): void {
    this.#low = Number.POSITIVE_INFINITY;
    this.#high = Number.NEGATIVE_INFINITY;
    this.#underWay = undefined;
    this.#filledMs = timeMs;
  }
}

/** Why a stream is stale: its rows are missing, or an outage keeps them from being heard. */
type Trouble = 'gap' | 'outage';

export interface RecordedPricesOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly bus: Bus<TradingEvent>;
  readonly markets: Iterable<string>;
  /** Knows the recorded books and their ages. */
  readonly view: MarketView;
  /** The markets whose books are recorded. */
  readonly withBook: ReadonlySet<string>;
  /** Whether candles of a market are missing, so that no order of it leaves. Default: never. */
  readonly isInHole?: ((market: string) => boolean) | undefined;
}

/**
 * The newest recorded prices. A market whose book is recorded is as fresh as that book, like live.
 * Any other price is fresh except in a known gap or an outage: where nobody trades, the last price
 * is still the newest there is.
 */
export class RecordedPrices implements PriceView {
  readonly showsOwn = false;
  readonly isInHole: (market: string) => boolean;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #cells: ReadonlyMap<string, PriceCell>;
  readonly #view: MarketView;
  readonly #withBook: ReadonlySet<string>;
  readonly #bus: Bus<TradingEvent>;
  /** Why each stream is stale, by market and stream. */
  readonly #troubles = new Map<string, Set<Trouble>>();

  constructor({ clock, bus, markets, view, withBook, isInHole }: RecordedPricesOptions) {
    this.#clock = clock;
    this.isInHole = isInHole ?? (() => false);
    this.#bus = bus;
    this.#cells = new Map(Array.from(markets, (market) => [market, new PriceCell()]));
    this.#view = view;
    this.#withBook = withBook;
  }

  /** The cell that holds a market's prices. */
  cell(market: string): PriceCell {
    return this.#cells.get(market)!;
  }

  /** Publishes that a stream is stale or fresh again, unless the other trouble keeps it stale. */
  tell(freshness: EventOf<'freshness'>, why: Trouble): void {
    const { market, stream, fresh } = freshness;
    const key = `${market} ${stream}`;
    const troubles = getOrInsert(this.#troubles, key, () => new Set());
    const was = troubles.size;
    if (fresh) troubles.delete(why);
    else troubles.add(why);
    if (was > 0 === troubles.size > 0) return;
    // Without a recorded book, a market's price is as stale as its made-up best prices.
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
