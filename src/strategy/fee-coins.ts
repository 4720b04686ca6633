import type { Fill, Market, Position } from '../domain/index.ts';

/** Coins that the fees of the newest order took: bought back, a short position still owes them. */
export class FeeCoins {
  readonly #market: Market;
  #orderId = '';
  #coins = 0;

  constructor(market: Market) {
    this.#market = market;
  }

  note({ clientOrderId, fee, feeCurrency }: Fill): void {
    if (clientOrderId !== this.#orderId) this.#coins = 0;
    this.#orderId = clientOrderId;
    if (feeCurrency === this.#market.base) this.#coins += fee.toNumber();
  }

  /** The size of a position without what the fee of buying it back left. */
  sizeOf({ amount }: Position): number {
    return Math.abs(amount.toNumber()) - (amount.sign < 0 ? this.#coins : 0);
  }
}
