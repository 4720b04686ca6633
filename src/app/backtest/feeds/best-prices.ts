import { type Depth, type Market, priceOf, type TradingEvent } from '../../../domain/index.ts';
import type { Bus, Clock } from '../../../kernel/index.ts';
import type { DirectStreams } from '../../../market/index.ts';

export interface BestPricesOptions {
  readonly market: Market;
  readonly bus: Bus<TradingEvent>;
  readonly clock: Clock;
  readonly streams: DirectStreams;
}

/** When something happened, and how long ago that was, milliseconds. */
interface Happened {
  readonly timeMs: number;
  readonly amount: number;
}

type Traded = Happened & { readonly buys: boolean };

/**
 * A book of one level a side, made up where none was recorded: for strategies that look at best
 * prices. Nothing is made while none does, and no order is matched by it.
 */
export class BestPrices {
  readonly #options: BestPricesOptions;
  readonly #stepOf: number;
  readonly #tell: (depth: Depth & { readonly kind: 'depth' }) => void;
  #bid = Number.NaN;
  #ask = Number.NaN;
  /** The newest trade that nobody was told of. */
  #noted: Traded | undefined;

  constructor(options: BestPricesOptions) {
    this.#options = options;
    this.#tell = options.bus.channel('depth', options.market.id);
    this.#stepOf = 10 ** -options.market.priceScale;
  }

  /** A candle opened or closed: a step of the price below and above that. */
  around(price: number, happened: Happened): void {
    const { market, streams } = this.#options;
    if (!streams.hasDepthReaders(market.id)) return;
    // Nothing lies below a single step.
    this.#bid = Math.max(this.#stepOf, priceOf(market, price - this.#stepOf));
    this.#ask = priceOf(market, Math.max(this.#bid, price) + this.#stepOf);
    this.#publish(happened);
  }

  /** Somebody traded: takers sold at the best bid and bought at the best ask. */
  traded(price: number, happened: Traded): void {
    const { market, streams } = this.#options;
    if (happened.buys) this.#ask = price;
    else this.#bid = price;
    if (!streams.hasDepthReaders(market.id)) return;
    // The side that did not trade has moved out of the way.
    if (happened.buys && !(this.#bid < price)) this.#bid = priceOf(market, price - this.#stepOf);
    if (!happened.buys && !(this.#ask > price)) this.#ask = priceOf(market, price + this.#stepOf);
    this.#publish(happened);
  }

  /** The same, for whoever tells of several trades at once: see `tellNoted`. */
  note(price: number, happened: Traded): void {
    if (happened.buys) this.#ask = price;
    else this.#bid = price;
    this.#noted = happened;
  }

  /** Publishes the best prices that the noted trades come to, if any are. */
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
