import { isFinal, type Market, orderValue, subtractAmounts } from '../../../domain/index.ts';
import { Decimal } from '../../../kernel/index.ts';
import type { RunRecord } from '../../../report/index.ts';
import type { FollowedOrder } from './order-log.ts';

/** Decimal places of values that are converted to the currency of the account. */
const SCALE = 8;

/** Counts the orders that ended partly or wholly unfilled, and sums the unfilled value. */
export class MissedOrders {
  readonly #markets: ReadonlyMap<string, Market>;
  count: number;
  /** At the orders' own prices, in the account's currency; undefined where a rate is not known. */
  value: Decimal | undefined;

  constructor(
    markets: ReadonlyMap<string, Market>,
    { count, value }: RunRecord['missed'] = { count: 0, value: Decimal.ZERO },
  ) {
    this.#markets = markets;
    this.count = count;
    this.value = value;
  }

  add({ order, rate }: Pick<FollowedOrder, 'order' | 'rate'>): void {
    if (!isFinal(order) || order.status === 'filled') return;
    const market = this.#markets.get(order.market)!;
    // Fills may have had a better price than the order's, so the rest is valued by its own amount.
    const amount = subtractAmounts(market, order.amount, order.filledAmount);
    this.count++;
    this.#addValue(orderValue(market, { price: order.price, amount }), rate);
  }

  #addValue(value: Decimal, rate: FollowedOrder['rate']): void {
    if (rate === undefined) this.value = this.value?.plus(value);
    else if (Number.isNaN(rate)) this.value = undefined;
    else this.value = this.value?.plus(value.times(Decimal.of(rate)).round(SCALE, 'nearest'));
  }
}
