import { type Depth, type Market, priceOf, type TradingEvent } from '../../../domain/index.ts';
import type { Bus, Clock } from '../../../kernel/index.ts';
import type { DirectStreams } from '../../../market/index.ts';

export interface BestPricesOptions {
  readonly market: Market;
  readonly bus: Bus<TradingEvent>;
  readonly clock: Clock;
  readonly streams: DirectStreams;
}

/** When a price came about, milliseconds since the epoch, and the amount that traded there. */
interface Happened {
  readonly timeMs: number;
  readonly amount: number;
}

type Traded = Happened & { readonly buys: boolean };

/**
 * Makes up a book of one level a side where none was recorded, for strategies that read best
 * prices. Nothing is published while no strategy does, and no order is matched by it.
 */
export class BestPrices {
  readonly #options: BestPricesOptions;
  readonly #stepOf: number;
  readonly #tell: (depth: Depth & { readonly kind: 'depth' }) => void;
  #bid = Number.NaN;
  #ask = Number.NaN;
  /** The newest trade that was noted and not told yet. */
  #noted: Traded | undefined;

  constructor(options: BestPricesOptions) {
    this.#options = options;
    this.#tell = options.bus.channel('depth', options.market.id);
    this.#stepOf = 10 ** -options.market.priceScale;
  }

  /** A candle came to a price: puts the best prices a step below and a step above it. */
  around(price: number, happened: Happened): void {
    const { market, streams } = this.#options;
    if (!streams.hasDepthReaders(market.id)) return;
    // The least price there is is a single step.
    this.#bid = Math.max(this.#stepOf, priceOf(market, price - this.#stepOf));
    this.#ask = priceOf(market, Math.max(this.#bid, price) + this.#stepOf);
    this.#publish(happened);
  }

  /** A trade: its taker bought at the best ask or sold at the best bid, which is known by that. */
  traded(price: number, happened: Traded): void {
    const { market, streams } = this.#options;
    if (happened.buys) this.#ask = price;
    else this.#bid = price;
    if (!streams.hasDepthReaders(market.id)) return;
    // The side that did not trade moves out of the way if the price has crossed it.
    if (happened.buys && !(this.#bid < price)) this.#bid = priceOf(market, price - this.#stepOf);
    if (!happened.buys && !(this.#ask > price)) this.#ask = priceOf(market, price + this.#stepOf);
    this.#publish(happened);
  }

  /** Like `traded`, for trades that are told together: `tellNoted` publishes them. */
  note(price: number, happened: Traded): void {
    if (happened.buys) this.#ask = price;
    else this.#bid = price;
    this.#noted = happened;
  }

  /** Publishes the best prices after the noted trades, if there are any. */
  tellNoted(): void {
    const noted = this.#noted;
    if (noted === undefined) return;
    this.#noted = undefined;
    this.traded(noted.buys ? this.#ask : this.#bid, noted);
  }

  #publish({ timeMs, amount }: Happened): void {
    const { market, clock } = this.#options;
    if (!(this.#bid > 0)) return;
    this.#tell({
      kind: 'depth',
      market: market.id,
      bids: [[this.#bid, amount]],
      asks: [[this.#ask, amount]],
      exchangeTime: timeMs,
      receivedTime: clock.now(),
    });
  }
}
