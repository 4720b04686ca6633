import type { Market, Trade, TradeColumns } from '../../domain/index.ts';
import type { Clock } from '../../kernel/index.ts';

/** The last three digits of numbers. */
const ENDINGS = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));

/** Numbers from 1 on as text: the digits that stay are made once for a thousand of them. */
class Ids {
  #count = 0;
  #beginning = '';

  next(): string {
    const ending = ++this.#count % 1_000;
    if (ending === 0) this.#beginning = String(this.#count / 1_000);
    return this.#count < 1_000 ? String(this.#count) : this.#beginning + ENDINGS[ending]!;
  }
}

type TradeEvent = Trade & { readonly kind: 'trade' };

/** Turns rows of trades, as they are heard, into events; their ids count from 1. */
export class TradesFeed {
  readonly #clock: Clock;
  readonly #market: string;
  readonly #publish: (event: TradeEvent) => void;
  readonly #ids = new Ids();

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
      id: this.#ids.next(),
      price: rows.price[at]!,
      amount: rows.amount[at]!,
      side: rows.side[at]! > 0 ? 'buy' : 'sell',
      exchangeTime: rows.time[at]!,
      receivedTime: this.#clock.now(),
    });
  }
}
