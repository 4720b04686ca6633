import { BoundedMap } from '../../../../kernel/index.ts';

/** How many orders are remembered: the answer and the first push of one come close together. */
const REMEMBERED = 1_000;

/**
 * Notices when an order that was placed here, from the spot wallet, moves money. An order placed by
 * hand may use another wallet, and a push does not say which.
 */
export class OwnMoves {
  readonly #moved: () => void;
  readonly #placed = new BoundedMap<string, true>(REMEMBERED);
  readonly #moving = new BoundedMap<string, true>(REMEMBERED);

  /** `moved`: called when such an order moved money. */
  constructor(moved: () => void) {
    this.#moved = moved;
  }

  /** The exchange answered with that id. */
  placed(exchangeOrderId: string): void {
    this.#placed.set(exchangeOrderId, true);
    if (this.#moving.has(exchangeOrderId)) this.#moved();
  }

  /** A push shows that the order with that id froze or paid money. */
  pushed(exchangeOrderId: string): void {
    this.#moving.set(exchangeOrderId, true);
    if (this.#placed.has(exchangeOrderId)) this.#moved();
  }
}
