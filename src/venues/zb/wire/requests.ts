import { isClientOrderId } from '../../../domain/index.ts';
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
import { isSigned, type Parameters, type SignedParameters, signedText } from './signing.ts';

/** The parameters of a known signed operation. */
export type MethodParameters = SignedParameters & { readonly method: Method };

/**
 * `order`: its parameters in the order in which they are signed, so that they need no sorting.
 *
 * @throws {WireError} when a number or the id cannot be put on the wire.
 */
export function placeParameters(request: PlaceRequest): MethodParameters {
  const { clientOrderId, accountType = 0 } = request;
  const orderType = ORDER_TYPE_PARAMETERS[request.type];
  const parameters: { -readonly [Name in keyof Parameters]: string } = {};
  if (accountType !== 0) parameters.acctType = String(accountType);
  parameters.amount = positive(request.amount, 'amount');
  parameters.currency = request.market;
  if (clientOrderId !== undefined) parameters.customerOrderId = checked(clientOrderId);
  if (request.borrow === true) parameters.enableExpress = 'true';
  if (request.repay === true) parameters.enableRepay = 'true';
  parameters.method = 'order';
  if (orderType !== '') parameters.orderType = orderType;
  parameters.price = positive(request.price, 'price');
  parameters.tradeType = tradeTypeOf(request.side);
  return parameters as MethodParameters;
}

/** `orderMoreV2`. @throws {WireError} when it has no order, too many, or a number that is none. */
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

/** Default number of orders on a page. Source: `OrderListQuery`. */
export const LIST_PAGE_SIZE = 10;

/**
 * The list that contains the orders asked for. Only the list of all orders exists for one side; the
 * others contain both. Source: wire facts, sibling list methods.
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
 * taken to be `state`, after their names, with the values of `enableExpress` in `order`.
 */
export function stateParameters(
  method: 'setExpressState' | 'setRepayState',
  enabled: boolean,
): MethodParameters {
  return { method, state: String(enabled) };
}

/**
 * The text that a request's `sign` covers, and the query without `sign` and `reqTime`. The two
 * differ only in values that need encoding and in an empty `customerOrderId`.
 */
export function signedQuery(
  accessKey: string,
  parameters: Parameters,
): { readonly text: string; readonly query: string } {
  const names = Object.keys(parameters);
  if (!isSorted(names)) names.sort();
  let text = `${ACCESS_KEY}=${accessKey}`;
  let isWhole = names.length === 0 || names[0]! > ACCESS_KEY;
  for (const name of names) {
    const value = parameters[name]!;
    if (isSigned(name, value)) text += `&${name}=${value}`;
    else isWhole = false;
  }
  // Nearly always so: checking the whole text once costs less than checking each value.
  if (isWhole && isPlain(text, names.length + 1)) return { text, query: text };
  return encodedQuery({ [ACCESS_KEY]: accessKey, ...parameters });
}

/** By its name before all parameters, except perhaps some of a `call`. */
const ACCESS_KEY = 'accesskey';

function isSorted(names: readonly string[]): boolean {
  for (let at = 1; at < names.length; at++) if (names[at - 1]! > names[at]!) return false;
  return true;
}

/** Whether no name or value in a text of so many pairs needs encoding. */
function isPlain(text: string, pairs: number): boolean {
  let joints = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === AMPERSAND || code === EQUALS) joints++;
    else if (!isUnreserved(code)) return false;
  }
  return joints === 2 * pairs - 1;
}

const AMPERSAND = 0x26;
const EQUALS = 0x3d;

/** Digits, letters and `-._~`. Source: RFC 3986, 2.3. */
function isUnreserved(code: number): boolean {
  if (code >= 0x61 && code <= 0x7a) return true;
  if (code >= 0x30 && code <= 0x39) return true;
  if (code >= 0x41 && code <= 0x5a) return true;
  return code === 0x5f || code === 0x2e || code === 0x2d || code === 0x7e;
}

/** The same if values need encoding, or are not signed. */
function encodedQuery(parameters: Parameters): ReturnType<typeof signedQuery> {
  const names = Object.keys(parameters).sort();
  const query = names.map((name) => `${name}=${encoded(parameters[name]!)}`).join('&');
  return { text: signedText(parameters), query };
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

/** A value encoded for a query. Hardly any needs it, and the test costs less than encoding. */
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
