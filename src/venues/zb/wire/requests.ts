import {
  BATCH_ORDERS_MAX,
  type OrderReference,
  type OrdersQuery,
  type PlaceBatchRequest,
  type PlaceRequest,
} from '../../../exchange/index.ts';
import { WireError } from './errors.ts';
import { ORDER_TYPE_PARAMETERS, tradeTypeOf } from './fields.ts';
import type { Method } from './methods.ts';
import { plainNumber } from './numbers.ts';
import type { Parameters } from './signing.ts';

/** The parameters of a signed operation, its name among them. */
export type MethodParameters = Parameters & { readonly method: Method };

/** Source: contract, Limits, customerOrderId. */
const CLIENT_ORDER_ID = /^[a-zA-Z0-9]{4,36}$/;

/** Whether a text may be a customerOrderId. */
export function isClientOrderId(text: string): boolean {
  return CLIENT_ORDER_ID.test(text);
}

/** `order`. @throws {WireError} when a number or the id cannot be put on the wire. */
export function placeParameters(request: PlaceRequest): MethodParameters {
  const { clientOrderId, accountType = 0 } = request;
  const orderType = ORDER_TYPE_PARAMETERS[request.type];
  return {
    ...(accountType === 0 ? {} : { acctType: String(accountType) }),
    amount: positive(request.amount, 'amount'),
    currency: request.market,
    ...(clientOrderId === undefined ? {} : { customerOrderId: checked(clientOrderId) }),
    ...(request.borrow === true ? { enableExpress: 'true' } : {}),
    ...(request.repay === true ? { enableRepay: 'true' } : {}),
    method: 'order',
    ...(orderType === '' ? {} : { orderType }),
    price: positive(request.price, 'price'),
    tradeType: tradeTypeOf(request.side),
  };
}

/** `orderMoreV2`. @throws {WireError} when it holds no order, too many, or a number that is none. */
export function placeBatchParameters(request: PlaceBatchRequest): MethodParameters {
  const { orders, accountType = 0 } = request;
  if (orders.length === 0 || orders.length > BATCH_ORDERS_MAX) {
    throw new WireError(
      `Cannot place a batch: it holds ${orders.length} orders, 1 to ${BATCH_ORDERS_MAX} are wanted`,
    );
  }
  const pairs = orders.map(
    ({ price, amount }) => `[${positive(price, 'price')},${positive(amount, 'amount')}]`,
  );
  return {
    ...(accountType === 0 ? {} : { acctType: String(accountType) }),
    market: request.market,
    method: 'orderMoreV2',
    tradeParams: `[${pairs.join(',')}]`,
    tradeType: tradeTypeOf(request.side),
  };
}

/** `cancelOrder` and `getOrder`. @throws {WireError} when the id cannot be one. */
export function referenceParameters(
  method: 'cancelOrder' | 'getOrder',
  reference: OrderReference,
): MethodParameters {
  const id =
    'exchangeOrderId' in reference
      ? { id: reference.exchangeOrderId }
      : { customerOrderId: checked(reference.clientOrderId) };
  return { currency: reference.market, ...id, method };
}

/** `cancelAllOrdersAfter`. */
export function cancelAllAfterParameters(market: string): MethodParameters {
  return { currency: market, method: 'cancelAllOrdersAfter' };
}

/** `getOrders`. */
export function ordersParameters({ market, page, side }: OrdersQuery): MethodParameters {
  return {
    currency: market,
    method: 'getOrders',
    pageIndex: String(page),
    tradeType: tradeTypeOf(side),
  };
}

/** A path with its parameters, encoded. Undefined values are left out. */
export function targetOf(
  path: string,
  parameters: Readonly<Record<string, string | number | undefined>>,
): string {
  let query = '';
  for (const name in parameters) {
    const value = parameters[name];
    if (value === undefined) continue;
    query += `${query === '' ? '?' : '&'}${name}=${encoded(String(value))}`;
  }
  return path + query;
}

const UNRESERVED = /^[\w.~-]*$/;

/** Nearly no value needs it, and the test is cheaper than the encoding. */
function encoded(value: string): string {
  return UNRESERVED.test(value) ? value : encodeURIComponent(value);
}

function positive(value: number, what: string): string {
  if (value > 0 && value < Number.POSITIVE_INFINITY) return plainNumber(value);
  throw new WireError(`Cannot place an order: its ${what} is ${value}, a positive one is wanted`);
}

function checked(clientOrderId: string): string {
  if (isClientOrderId(clientOrderId)) return clientOrderId;
  const is = JSON.stringify(clientOrderId);
  throw new WireError(
    `Cannot name an order: its client id is ${is}, 4 to 36 letters or digits are wanted`,
  );
}
