import {
  isFinal,
  type Market,
  type OrderState,
  orderValue,
  subtractAmounts,
} from '../../../domain/index.ts';
import { Decimal } from '../../../kernel/index.ts';
import type { RunRecord } from '../../../report/index.ts';

/** Counts the orders that ended with a part unfilled, and what that was worth at their own price. */
export class MissedOrders {
  readonly #markets: ReadonlyMap<string, Market>;
  count: number;
  value: Decimal;

  constructor(
    markets: ReadonlyMap<string, Market>,
    { count, value }: RunRecord['missed'] = { count: 0, value: Decimal.ZERO },
  ) {
    this.#markets = markets;
    this.count = count;
    this.value = value;
  }

  add(order: OrderState): void {
    if (!isFinal(order) || order.status === 'filled') return;
    const market = this.#markets.get(order.market)!;
    // What filled may have filled at a better price: its value says nothing of the rest.
    const amount = subtractAmounts(market, order.amount, order.filledAmount);
    this.count++;
    this.value = this.value.plus(orderValue(market, { price: order.price, amount }));
  }
}
