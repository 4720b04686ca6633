import type { OrderRecord, OrderState } from '../../src/domain/index.ts';
import type { ExchangeBooks } from './books.ts';

/** Whose each order is, as the bot has said of it in any of its lives. */
export class Owners {
  readonly #byClientOrderId = new Map<string, string>();
  readonly #byExchangeOrderId = new Map<string, string>();

  /** Hears of an order's state. */
  hear(order: OrderState): void {
    this.#byClientOrderId.set(order.clientOrderId, order.strategy);
    const { exchangeOrderId } = order;
    if (exchangeOrderId !== undefined) this.#byExchangeOrderId.set(exchangeOrderId, order.strategy);
  }

  /** The strategy of an order of the bot; undefined where it has never said. */
  of(record: OrderRecord, books: ExchangeBooks): string | undefined {
    const clientOrderId = books.clientOrderIdOf(record) ?? '';
    const named = this.#byClientOrderId.get(clientOrderId);
    return named ?? this.#byExchangeOrderId.get(record.exchangeOrderId);
  }
}
