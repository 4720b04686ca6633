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
import type { OwnRequests } from '../push/own-requests.ts';
import { emptyAs } from './emptiness.ts';
import type { SignedRequests } from './signed-requests.ts';

/**
 * Three ways for requests, each with its own sockets; the reader of lists; the note of our changes.
 */
export interface TradingWays {
  readonly requests: SignedRequests;
  readonly cancels: SignedRequests;
  readonly heartbeats: SignedRequests;
  readonly rows: LegibleRows;
  readonly ownRequests: OwnRequests;
}

/** The code of a list without orders. Source: wire facts, getOrders. */
const NO_ORDERS = [CODES.orderNotFound];

/** Orders over REST. No request is repeated, whatever the answer. */
export function restTrading(ways: TradingWays): TradingPort {
  const { requests, cancels, heartbeats, rows, ownRequests } = ways;
  return {
    /** Contract, order. */
    place: (request) =>
      requests.send('place an order', {
        parameters: () => placeParameters(request),
        read: (json) => {
          const answer = readPlaced(json);
          ownRequests.placed(request, [answer.exchangeOrderId]);
          return answer;
        },
      }),
    /** Contract, orderMoreV2. */
    placeBatch: (request) =>
      requests.send('place a batch of orders', {
        parameters: () => placeBatchParameters(request),
        read: (json) => {
          const answer = readPlacedBatch(json, request.orders.length);
          ownRequests.placed(request, answer.exchangeOrderIds);
          return answer;
        },
      }),
    /** Contract, cancelOrder. */
    cancel: (reference) =>
      cancels.send('cancel an order', {
        parameters: () => referenceParameters('cancelOrder', reference),
        read: (json) => {
          const answer = readCancelled(json);
          ownRequests.changed(reference.market);
          return answer;
        },
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
