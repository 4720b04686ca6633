import { signedOperation } from '../operation.ts';
import { market, pageIndex, required, side } from '../parameters.ts';
import { renderOrders } from '../render/orders.ts';

/**
 * Lists ten orders of one side, newest first, as a bare array; no orders are code 3001. Source: wire
 * facts, getOrders.
 */
export const getOrders = signedOperation({
  name: 'getOrders',
  permission: 'orders',
  parameters: {
    currency: required(market),
    tradeType: required(side),
    pageIndex,
  },
  handle: (values, { exchange }) =>
    exchange.trading.orders({
      market: values.currency.id,
      side: values.tradeType,
      page: values.pageIndex,
    }),
  render: (orders, { dialect }) => renderOrders(orders, dialect),
});
