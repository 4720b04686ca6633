import type { OrderRecord, OrderState } from '../../domain/index.ts';
import { bytesOf, TextBytes } from './text-bytes.ts';
import { putDecimal, putName, putNumber, putText } from './values.ts';

/** The newest order that was told of, and how its text begins. */
let newest: OrderState | undefined;
const newestText = new TextBytes();
let newestHead = newestText.bytes;

const NOTHING_FILLED = bytesOf(',"filledAmount":0,"filledValue":"0"');
const CHANGED_TIME = bytesOf(',"changedTime":');
const END = bytesOf('}');

/** Writes an order's state as JSON. */
export function putOrder(to: TextBytes, order: OrderState): void {
  if (newest === undefined || !isSame(newest, order)) rememberHead(order);
  to.put(newestHead);
  if (order.filledAmount === 0 && order.filledValue.whole === 0) to.put(NOTHING_FILLED);
  else putFilled(to, order);
  putFees(to, order);
  putNumber(to, CHANGED_TIME, order.changedTime);
  to.put(standingBytes(order));
  putOwn(to, order);
  to.put(END);
}

const CLIENT_ORDER_ID = bytesOf(',"clientOrderId":');
const STRATEGY = bytesOf(',"strategy":');
const TAG = bytesOf(',"tag":');
const CREATED_TIME = bytesOf(',"createdTime":');

/** Remembers what stays as it is in all states of an order, which are mostly told in a row. */
function rememberHead(order: OrderState): void {
  newest = order;
  newestText.clear();
  putTerms(newestText, order);
  putText(newestText, CLIENT_ORDER_ID, order.clientOrderId);
  putName(newestText, STRATEGY, order.strategy);
  putName(newestText, TAG, order.tag);
  putNumber(newestText, CREATED_TIME, order.createdTime);
  newestHead = newestText.bytes;
}

function isSame(a: OrderState, b: OrderState): boolean {
  const isNamed = a.clientOrderId === b.clientOrderId && a.createdTime === b.createdTime;
  const isOfSame = a.strategy === b.strategy && a.tag === b.tag && a.market === b.market;
  const isAlike = a.side === b.side && a.type === b.type;
  return isNamed && isOfSame && isAlike && a.price === b.price && a.amount === b.amount;
}

/** How orders stand and on whose word, as JSON: there are few of both. */
const standings = new Map<string, Map<string, Uint8Array>>();

function standingBytes({ status, evidence }: Pick<OrderState, 'status' | 'evidence'>): Uint8Array {
  const known = standings.get(evidence)?.get(status);
  if (known !== undefined) return known;
  const bytes = bytesOf(`,"evidence":"${evidence}","status":"${status}"`);
  standings.set(evidence, new Map(standings.get(evidence)).set(status, bytes));
  return bytes;
}

const REASON = bytesOf(',"reason":');
const UNKNOWN_SINCE = bytesOf(',"unknownSince":');
const CODE = bytesOf(',"code":');

/** What the state alone has. */
function putOwn(to: TextBytes, order: OrderState): void {
  switch (order.status) {
    case 'pending':
      return;
    case 'open':
    case 'cancelling':
    case 'filled':
    case 'cancelled':
      putId(to, order.exchangeOrderId);
      return;
    case 'unknown':
      if (order.exchangeOrderId !== undefined) putId(to, order.exchangeOrderId);
      putText(to, REASON, order.reason);
      putNumber(to, UNKNOWN_SINCE, order.unknownSince);
      return;
    case 'rejected':
      putText(to, REASON, order.reason);
      if (order.code !== undefined) putNumber(to, CODE, order.code);
      return;
    default:
      order satisfies never;
  }
}

const EXCHANGE_ORDER_ID = bytesOf(',"exchangeOrderId":');

function putId(to: TextBytes, exchangeOrderId: string): void {
  putText(to, EXCHANGE_ORDER_ID, exchangeOrderId);
}

const CLOSED = bytesOf(',"closed":true,"exchangeTime":');
const NOT_CLOSED = bytesOf(',"closed":false,"exchangeTime":');

/** Writes the exchange's record of an order as JSON. */
export function putRecord(to: TextBytes, order: OrderRecord): void {
  putTerms(to, order);
  putId(to, order.exchangeOrderId);
  putFilled(to, order);
  to.put(order.closed ? CLOSED : NOT_CLOSED);
  to.putNumber(order.exchangeTime);
  putTold(to, order);
  to.put(END);
}

const FEE = bytesOf(',"fee":');
const ACCOUNT_TYPE = bytesOf(',"accountType":');
const LAST_TRADE = bytesOf(',"lastTrade":');

/** What not every record tells. */
function putTold(to: TextBytes, { fee, accountType, lastTrade }: OrderRecord): void {
  if (fee !== undefined) putDecimal(to, FEE, fee);
  if (accountType !== undefined) putNumber(to, ACCOUNT_TYPE, accountType);
  if (lastTrade !== undefined) {
    to.put(LAST_TRADE);
    to.add(JSON.stringify(lastTrade));
  }
}

const GUESSED_FEE = bytesOf(',"guessedFee":');

function putFees(to: TextBytes, { fee, guessedFee }: OrderState): void {
  if (fee !== undefined) putDecimal(to, FEE, fee);
  if (guessedFee !== undefined) putDecimal(to, GUESSED_FEE, guessedFee);
}

const MARKET = bytesOf('{"market":');
const SIDE = bytesOf(',"side":');
const TYPE = bytesOf(',"type":');
const PRICE = bytesOf(',"price":');
const AMOUNT = bytesOf(',"amount":');

function putTerms(to: TextBytes, order: OrderState | OrderRecord): void {
  putName(to, MARKET, order.market);
  putName(to, SIDE, order.side);
  putName(to, TYPE, order.type);
  putNumber(to, PRICE, order.price);
  putNumber(to, AMOUNT, order.amount);
}

const FILLED_AMOUNT = bytesOf(',"filledAmount":');
const FILLED_VALUE = bytesOf(',"filledValue":');

function putFilled(to: TextBytes, order: OrderState | OrderRecord): void {
  putNumber(to, FILLED_AMOUNT, order.filledAmount);
  putDecimal(to, FILLED_VALUE, order.filledValue);
}
