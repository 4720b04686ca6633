import { BoundedMap } from '../../../../kernel/index.ts';

/** Orders that are remembered: the answer and the first push of one come soon after each other. */
const REMEMBERED = 1_000;

/**
 * Notices when an order that was placed here, out of the spot wallet, moves money: what is placed
 * by hand may be another wallet's, and a push does not say whose.
 */
export class OwnMoves {
  readonly #moved: () => void;
  readonly #placed = new BoundedMap<string, true>(REMEMBERED);
  readonly #moving = new BoundedMap<string, true>(REMEMBERED);

  /** `moved`: called when one did. */
  constructor(moved: () => void) {
    this.#moved = moved;
  }

  /** The exchange answered with that id. */
  placed(exchangeOrderId: string): void {
    this.#placed.set(exchangeOrderId, true);
    if (this.#moving.has(exchangeOrderId)) this.#moved();
  }

  /** A push tells that the order of that id froze or paid money. */
  pushed(exchangeOrderId: string): void {
    this.#moving.set(exchangeOrderId, true);
    if (this.#placed.has(exchangeOrderId)) this.#moved();
  }
}
