import type { Market, Trade, TradeColumns } from '../../domain/index.ts';
import type { Clock } from '../../kernel/index.ts';

type TradeEvent = Trade & { readonly kind: 'trade' };

/** Turns rows of trades, as they are heard, into events with ids that count from 1. */
export class TradesFeed {
  readonly #clock: Clock;
  readonly #market: string;
  readonly #publish: (event: TradeEvent) => void;
  #count = 0;

  constructor(options: {
    readonly clock: Clock;
    readonly market: Market;
    readonly publish: (event: TradeEvent) => void;
  }) {
    this.#clock = options.clock;
    this.#market = options.market.id;
    this.#publish = options.publish;
  }

  /** Row `at` is heard now. */
  hear(rows: TradeColumns, at: number): void {
    this.#publish({
      kind: 'trade',
      market: this.#market,
      id: String(++this.#count),
      price: rows.price[at]!,
      amount: rows.amount[at]!,
      side: rows.side[at]! > 0 ? 'buy' : 'sell',
      exchangeTime: rows.time[at]!,
      receivedTime: this.#clock.now(),
    });
  }
}
