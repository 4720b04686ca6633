import { CODES } from '../../../../exchange/index.ts';
import { refuse } from '../answers.ts';
import { signedOperation } from '../operation.ts';
import { defaulting, integer, market, required, side } from '../parameters.ts';
import { renderOrder } from '../render/orders.ts';

/** The highest page that may be asked for. */
const PAGE_MAX = 1_000_000;

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
    pageIndex: defaulting(integer(1, PAGE_MAX), 1),
  },
  handle: (values, { exchange }) =>
    exchange.trading.orders({
      market: values.currency.id,
      side: values.tradeType,
      page: values.pageIndex,
    }),
  render: (orders, { dialect }) =>
    orders.length === 0
      ? refuse(CODES.orderNotFound, 'Order not found')
      : `[${orders.map((order) => renderOrder(order, dialect)).join(',')}]`,
});
