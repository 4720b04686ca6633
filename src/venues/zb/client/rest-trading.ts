import { catchError, type Observable, of, throwError } from 'rxjs';
import type { OrderRecord } from '../../../domain/index.ts';
import { CODES, ExchangeFailure, type TradingPort } from '../../../exchange/index.ts';
import {
  cancelAllAfterParameters,
  ordersParameters,
  placeBatchParameters,
  placeParameters,
  readAcknowledged,
  readCancelled,
  readOrder,
  readOrders,
  readPlaced,
  readPlacedBatch,
  referenceParameters,
} from '../wire/index.ts';
import type { SignedRequests } from './signed-requests.ts';

/** What requests leave by: each way has sockets of its own. */
export interface TradingWays {
  readonly requests: SignedRequests;
  readonly cancels: SignedRequests;
  readonly heartbeats: SignedRequests;
}

/** Orders over REST. Nothing is repeated here, whatever an answer says. */
export function restTrading({ requests, cancels, heartbeats }: TradingWays): TradingPort {
  return {
    place: (request) =>
      requests.send('place an order', {
        parameters: () => placeParameters(request),
        read: readPlaced,
      }),
    placeBatch: (request) =>
      requests.send('place a batch of orders', {
        parameters: () => placeBatchParameters(request),
        read: readPlacedBatch,
      }),
    cancel: (reference) =>
      cancels.send('cancel an order', {
        parameters: () => referenceParameters('cancelOrder', reference),
        read: readCancelled,
      }),
    cancelAllAfter: (market) =>
      heartbeats.send('arm the timed cancel', {
        parameters: () => cancelAllAfterParameters(market),
        read: readAcknowledged,
      }),
    order: (reference) =>
      requests.send('read an order', {
        parameters: () => referenceParameters('getOrder', reference),
        read: (json) => readOrder(json, reference.market),
      }),
    orders: (query) =>
      requests
        .send('read orders', {
          parameters: () => ordersParameters(query),
          read: (json) => readOrders(json, query.market),
        })
        .pipe(catchError(emptyListOr)),
  };
}

/** A list without orders is told as code 3001. Source: wire facts, getOrders. */
function emptyListOr(error: unknown): Observable<readonly OrderRecord[]> {
  const empty = error instanceof ExchangeFailure && error.code === CODES.orderNotFound;
  return empty ? of([]) : throwError(() => error);
}
