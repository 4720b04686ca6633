import type { Side } from '../domain/index.ts';
import type { PriceLevel } from './price-level.ts';

/** The owner of anonymous orders: row 0 of the balances, the rest of the world. */
export const ANONYMOUS = 0;

/**
 * An order as the book sees it, in whole units of its market.
 *
 * It is a link in the queue of its price level, so that taking it out of the book costs the same
 * wherever it stands.
 */
export class Order {
  /** The row of balances that it trades for, or `ANONYMOUS`. */
  readonly owner: number;
  readonly side: Side;
  readonly price: number;
  remaining: number;
  /** The level where it rests, undefined when it does not rest. */
  level: PriceLevel | undefined = undefined;
  previous: Order | undefined = undefined;
  next: Order | undefined = undefined;

  constructor(terms: { owner: number; side: Side; price: number; amount: number }) {
    this.owner = terms.owner;
    this.side = terms.side;
    this.price = terms.price;
    this.remaining = terms.amount;
  }
}
