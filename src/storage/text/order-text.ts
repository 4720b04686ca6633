import type { OrderRecord, OrderState } from '../../domain/index.ts';
import { bytesOf, type TextBytes } from './text-bytes.ts';
import { putDecimal, putNumber, putText } from './values.ts';

const CLIENT_ORDER_ID = bytesOf(',"clientOrderId":');
const STRATEGY = bytesOf(',"strategy":');
const TAG = bytesOf(',"tag":');
const CREATED_TIME = bytesOf(',"createdTime":');
const CHANGED_TIME = bytesOf(',"changedTime":');
const EVIDENCE = bytesOf(',"evidence":');
const STATUS = bytesOf(',"status":');
const END = bytesOf('}');

/** Writes an order's state as JSON. */
export function putOrder(to: TextBytes, order: OrderState): void {
  putTerms(to, order);
  putText(to, CLIENT_ORDER_ID, order.clientOrderId);
  putText(to, STRATEGY, order.strategy);
  putText(to, TAG, order.tag);
  putNumber(to, CREATED_TIME, order.createdTime);
  putFilled(to, order);
  putFees(to, order);
  putNumber(to, CHANGED_TIME, order.changedTime);
  putText(to, EVIDENCE, order.evidence);
  putText(to, STATUS, order.status);
  putOwn(to, order);
  to.put(END);
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
  putText(to, MARKET, order.market);
  putText(to, SIDE, order.side);
  putText(to, TYPE, order.type);
  putNumber(to, PRICE, order.price);
  putNumber(to, AMOUNT, order.amount);
}

const FILLED_AMOUNT = bytesOf(',"filledAmount":');
const FILLED_VALUE = bytesOf(',"filledValue":');

function putFilled(to: TextBytes, order: OrderState | OrderRecord): void {
  putNumber(to, FILLED_AMOUNT, order.filledAmount);
  putDecimal(to, FILLED_VALUE, order.filledValue);
}
