import type { Side } from '../domain/index.ts';

/** Trades that a market remembers. A power of two. */
const TRADES_KEPT = 4_096;
const MASK = TRADES_KEPT - 1;

/** One public trade in whole units. */
export interface TapeTrade {
  readonly id: number;
  readonly price: number;
  readonly amount: number;
  readonly takerSide: Side;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** The newest public trades of one market, in a ring. Ids are consecutive. */
export class Tape {
  readonly #prices = new Float64Array(TRADES_KEPT);
  readonly #amounts = new Float64Array(TRADES_KEPT);
  readonly #times = new Float64Array(TRADES_KEPT);
  readonly #buys = new Uint8Array(TRADES_KEPT);
  /** The id of the first trade ever. */
  readonly firstId: number;
  #nextId: number;

  constructor(firstId: number) {
    this.firstId = firstId;
    this.#nextId = firstId;
  }

  /** The id of the newest trade, one below the first id while there is none. */
  get lastId(): number {
    return this.#nextId - 1;
  }

  record(trade: Omit<TapeTrade, 'id'>): void {
    const at = this.#nextId++ & MASK;
    this.#prices[at] = trade.price;
    this.#amounts[at] = trade.amount;
    this.#times[at] = trade.time;
    this.#buys[at] = trade.takerSide === 'buy' ? 1 : 0;
  }

  /** At most `count` trades right after `id`, oldest first; from the oldest kept if that is later. */
  after(id: number, count: number): TapeTrade[] {
    const oldest = Math.max(this.firstId, this.#nextId - TRADES_KEPT);
    const from = Math.max(oldest, id + 1);
    const to = Math.min(this.#nextId, from + count);
    return Array.from({ length: Math.max(0, to - from) }, (_, i) => this.#at(from + i));
  }

  /** The newest `count` trades, oldest first. */
  newest(count: number): TapeTrade[] {
    return this.after(this.lastId - count, count);
  }

  #at(id: number): TapeTrade {
    const at = id & MASK;
    return {
      id,
      price: this.#prices[at]!,
      amount: this.#amounts[at]!,
      takerSide: this.#buys[at] === 1 ? 'buy' : 'sell',
      time: this.#times[at]!,
    };
  }
}
