import { CODES, type TradingPort } from '../../../../exchange/index.ts';
import {
  cancelAllAfterParameters,
  ordersParameters,
  placeBatchParameters,
  placeParameters,
  readAcknowledged,
  readCancelled,
  readOrder,
  readPlaced,
  readPlacedBatch,
  referenceParameters,
} from '../../wire/index.ts';
import type { LegibleRows } from '../legible.ts';
import { emptyAs } from './emptiness.ts';
import type { SignedRequests } from './signed-requests.ts';

/** What requests leave by: each way has sockets of its own. And what reads their lists. */
export interface TradingWays {
  readonly requests: SignedRequests;
  readonly cancels: SignedRequests;
  readonly heartbeats: SignedRequests;
  readonly rows: LegibleRows;
}

/** The code of a list without orders. Source: wire facts, getOrders. */
const NO_ORDERS = [CODES.orderNotFound];

/** Orders over REST. Nothing is repeated here, whatever an answer says. */
export function restTrading({ requests, cancels, heartbeats, rows }: TradingWays): TradingPort {
  return {
    /** Contract, order. */
    place: (request) =>
      requests.send('place an order', {
        parameters: () => placeParameters(request),
        read: readPlaced,
      }),
    /** Contract, orderMoreV2. */
    placeBatch: (request) =>
      requests.send('place a batch of orders', {
        parameters: () => placeBatchParameters(request),
        read: (json) => readPlacedBatch(json, request.orders.length),
      }),
    /** Contract, cancelOrder. */
    cancel: (reference) =>
      cancels.send('cancel an order', {
        parameters: () => referenceParameters('cancelOrder', reference),
        read: readCancelled,
      }),
    /** Contract, cancelAllOrdersAfter. */
    cancelAllAfter: (market) =>
      heartbeats.send('arm the timed cancel', {
        parameters: () => cancelAllAfterParameters(market),
        read: readAcknowledged,
      }),
    /** Contract, getOrder. */
    order: (reference) =>
      requests.send('read an order', {
        parameters: () => referenceParameters('getOrder', reference),
        read: (json) => readOrder(json, reference.market),
      }),
    /** Contract, getOrders. */
    orders: (query) =>
      requests
        .send('read orders', {
          parameters: () => ordersParameters(query),
          read: (json) => rows.orders(json, query.market),
        })
        .pipe(emptyAs([], NO_ORDERS)),
  };
}
