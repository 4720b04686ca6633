import type { OrderRecord } from '../../../../domain/index.ts';
import { ExchangeFailure } from '../../../../exchange/index.ts';

/** Pages in a row without a new order after which the list is given up as endless. */
const FRUITLESS_PAGES_MAX = 10;

/**
 * Leaves out orders that an earlier page had: new orders push old ones down, so that the next page
 * begins with some of them again.
 */
export class UnseenOrders {
  readonly #seen = new Set<string>();
  #fruitlessPages = 0;

  /**
   * The orders of a page that no earlier page had, in their order.
   *
   * @throws {ExchangeFailure} after ten pages in a row without a new order: only an empty page ends
   * a list, and stopping here without an error could lose orders.
   */
  of(page: readonly OrderRecord[]): readonly OrderRecord[] {
    const unseen = page.filter(({ exchangeOrderId: id }) => {
      const isNew = !this.#seen.has(id);
      this.#seen.add(id);
      return isNew;
    });
    this.#fruitlessPages = unseen.length > 0 ? 0 : this.#fruitlessPages + 1;
    if (this.#fruitlessPages < FRUITLESS_PAGES_MAX) return unseen;
    throw new ExchangeFailure(
      'unknown',
      `Cannot read orders to the end: ${FRUITLESS_PAGES_MAX} pages in a row repeat what was told, ` +
        'an empty page is wanted at the end',
    );
  }
}
