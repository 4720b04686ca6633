import {
  BATCH_ORDERS_MAX,
  type OrderListQuery,
  type OrderReference,
  type OrdersQuery,
  type PlaceBatchRequest,
  type PlaceRequest,
} from '../../../exchange/index.ts';
import { WireError } from './errors.ts';
import { ORDER_TYPE_PARAMETERS, tradeTypeOf } from './fields.ts';
import type { Method } from './methods.ts';
import { plainNumber } from './numbers.ts';
import { isSigned, type Parameters, type SignedParameters } from './signing.ts';

/** The parameters of a signed operation that is known. */
export type MethodParameters = SignedParameters & { readonly method: Method };

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
  const parameters: { -readonly [Name in keyof MethodParameters]: MethodParameters[Name] } = {
    amount: positive(request.amount, 'amount'),
    currency: request.market,
    method: 'order',
    price: positive(request.price, 'price'),
    tradeType: tradeTypeOf(request.side),
  };
  if (accountType !== 0) parameters.acctType = String(accountType);
  if (clientOrderId !== undefined) parameters.customerOrderId = checked(clientOrderId);
  if (request.borrow === true) parameters.enableExpress = 'true';
  if (request.repay === true) parameters.enableRepay = 'true';
  if (orderType !== '') parameters.orderType = orderType;
  return parameters;
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

/** Orders of a page where the caller says nothing. Source: `OrderListQuery`. */
const LIST_PAGE_SIZE = 10;

/**
 * The list that holds what is asked for. Of one side there is only that of all its orders: the
 * others hold both. Source: wire facts, sibling list methods.
 */
export function orderListParameters(query: OrderListQuery): MethodParameters {
  const { market, side, filter, page = 1, pageSize = LIST_PAGE_SIZE } = query;
  const wanted = { currency: market, pageIndex: String(page), pageSize: String(pageSize) };
  if (filter === 'all' && side !== undefined) {
    return { ...wanted, method: 'getOrdersNew', tradeType: tradeTypeOf(side) };
  }
  return { ...wanted, method: LISTS[filter] };
}

const LISTS = {
  all: 'getOrdersIgnoreTradeType',
  unfinished: 'getUnfinishedOrdersIgnoreTradeType',
  finished: 'getFinishedAndPartialOrders',
} as const satisfies Record<OrderListQuery['filter'], Method>;

/**
 * `setExpressState` and `setRepayState`.
 *
 * ASSUMED: the contract names them and shows no parameters (Endpoints, note 3). The parameter is
 * taken to be `state`, after their names, and its values those of `enableExpress` of `order`.
 */
export function stateParameters(
  method: 'setExpressState' | 'setRepayState',
  enabled: boolean,
): MethodParameters {
  return { method, state: String(enabled) };
}

/**
 * The text that a request's `sign` covers, and its query as far as that text: as the text, but for
 * values that need an encoding and an empty `customerOrderId`.
 */
export function signedQuery(parameters: Parameters): {
  readonly text: string;
  readonly query: string;
} {
  let text = '';
  let query = '';
  for (const name of Object.keys(parameters).sort()) {
    const value = parameters[name]!;
    if (isSigned(name, value)) text += `${text === '' ? '' : '&'}${name}=${value}`;
    query += `${query === '' ? '' : '&'}${name}=${encoded(value)}`;
  }
  return { text, query };
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
