import type { OrderFilter } from '../../../../exchange/index.ts';
import { type SignedOperation, signedOperation } from '../operation.ts';
import { market, pageIndex, pageSize, required, side } from '../parameters.ts';
import { renderOrders } from '../render/orders.ts';

/** Source: wire facts, sibling list methods. */
const PAGE_SIZE_MAX = 100;

const pageOfMarket = {
  currency: required(market),
  pageIndex,
  pageSize: pageSize(1, PAGE_SIZE_MAX),
};

/** A list of orders of both sides, newest first. */
function bothSides(name: string, filter: OrderFilter): SignedOperation {
  return signedOperation({
    name,
    permission: 'orders',
    parameters: pageOfMarket,
    handle: ({ currency, pageIndex: page, pageSize: size }, { exchange }) =>
      exchange.orderLists.list({ market: currency.id, filter, page, pageSize: size }),
    render: (orders, { dialect }) => renderOrders(orders, dialect),
  });
}

/** Lists the orders of a market. */
export const getOrdersIgnoreTradeType = bothSides('getOrdersIgnoreTradeType', 'all');

/** Lists the orders of a market that still rest. */
export const getUnfinishedOrdersIgnoreTradeType = bothSides(
  'getUnfinishedOrdersIgnoreTradeType',
  'unfinished',
);

/** Lists the orders of a market that ended, and those that have filled in part. */
export const getFinishedAndPartialOrders = bothSides('getFinishedAndPartialOrders', 'finished');

/** Lists the orders of one side of a market: `getOrders` with a page size. */
export const getOrdersNew = signedOperation({
  name: 'getOrdersNew',
  permission: 'orders',
  parameters: { ...pageOfMarket, tradeType: required(side) },
  handle: ({ currency, tradeType, pageIndex: page, pageSize: size }, { exchange }) =>
    exchange.orderLists.list({
      market: currency.id,
      side: tradeType,
      filter: 'all',
      page,
      pageSize: size,
    }),
  render: (orders, { dialect }) => renderOrders(orders, dialect),
});

/**
 * Lists ten orders of one side, newest first, as a bare array; no orders are code 3001. Source:
 * wire facts, getOrders.
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
