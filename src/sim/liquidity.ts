import type { Level, Market, OrderType, Side } from '../domain/index.ts';

/**
 * The inlet of anonymous liquidity into one simulated market: what the rest of the world does.
 *
 * No account and no balance stands behind it. The seeded market and replayed recordings drive it.
 * Prices and amounts must lie on the market's scales; amounts are in the base currency.
 */
export interface Liquidity {
  readonly market: Market;
  /**
   * Makes the anonymous amount resting at that price equal to `amount`; 0 removes it.
   *
   * What is added queues behind everything resting there; what is taken comes from the back of the
   * queue first. Account orders that the added amount crosses are filled out of it, at their own
   * prices, and what is left of it rests: the book never stands crossed against an account order.
   * Anonymous liquidity never trades against anonymous liquidity here, so a recorded book may be
   * crossed in itself. What an account took comes back with the next call that names the level.
   *
   * @throws {DecimalError} when the price or the amount is not on scale.
   */
  setLevel(level: { side: Side; price: number; amount: number }): void;
  /** Several levels in their order, as one change: what is pushed shows all of them or none. */
  setLevels(levels: readonly { side: Side; price: number; amount: number }[]): void;
  /** All anonymous levels of a side at once: anonymous liquidity at prices not named is removed. */
  replace(book: { bids: readonly Level[]; asks: readonly Level[] }): void;
  /**
   * A trade that really happened. It meets account orders at better prices first, at their own
   * prices: anonymous levels that still show there must have been gone when it passed them, and are
   * left to the next call that names them. What remains meets the orders that rest opposite at
   * `price`, first come first served. It is published as one public trade of the full amount,
   * whatever it met.
   */
  print(trade: { takerSide: Side; price: number; amount: number }): void;
  /**
   * An order of an unnamed trader, matched like any other. The id of what rests; undefined when
   * nothing of it rests (filled, an IOC, or a PostOnly that would take).
   */
  addOrder(order: {
    side: Side;
    type: OrderType;
    price: number;
    amount: number;
  }): string | undefined;
  /** Takes an order of `addOrder` back; false when it no longer rests. */
  cancelOrder(id: string): boolean;
}
