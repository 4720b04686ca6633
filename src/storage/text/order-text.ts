import type { OrderRecord, OrderState } from '../../domain/index.ts';
import { bytesOf, type TextBytes } from './text-bytes.ts';

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
  to.putText(CLIENT_ORDER_ID, order.clientOrderId);
  to.putText(STRATEGY, order.strategy);
  to.putText(TAG, order.tag);
  to.putNumber(CREATED_TIME, order.createdTime);
  putFilled(to, order);
  putFees(to, order);
  to.putNumber(CHANGED_TIME, order.changedTime);
  to.putText(EVIDENCE, order.evidence);
  to.putText(STATUS, order.status);
  putOwn(to, order);
  to.put(END);
}

const REASON = bytesOf(',"reason":');
const UNKNOWN_SINCE = bytesOf(',"unknownSince":');
const CODE = bytesOf(',"code":');

/** Writes the fields that only some states have. */
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
      to.putText(REASON, order.reason);
      to.putNumber(UNKNOWN_SINCE, order.unknownSince);
      return;
    case 'rejected':
      to.putText(REASON, order.reason);
      if (order.code !== undefined) to.putNumber(CODE, order.code);
      return;
    default:
      order satisfies never;
  }
}

const EXCHANGE_ORDER_ID = bytesOf(',"exchangeOrderId":');

function putId(to: TextBytes, exchangeOrderId: string): void {
  to.putText(EXCHANGE_ORDER_ID, exchangeOrderId);
}

const CLOSED = bytesOf(',"closed":true,"exchangeTime":');
const NOT_CLOSED = bytesOf(',"closed":false,"exchangeTime":');

/** Writes the exchange's record of an order as JSON. */
export function putRecord(to: TextBytes, order: OrderRecord): void {
  putTerms(to, order);
  putId(to, order.exchangeOrderId);
  putFilled(to, order);
  to.putNumber(order.closed ? CLOSED : NOT_CLOSED, order.exchangeTime);
  putTold(to, order);
  to.put(END);
}

const FEE = bytesOf(',"fee":');
const ACCOUNT_TYPE = bytesOf(',"accountType":');
const LAST_TRADE = bytesOf(',"lastTrade":');

/** Writes the fields that not every record has. */
function putTold(to: TextBytes, { fee, accountType, lastTrade }: OrderRecord): void {
  if (fee !== undefined) to.putDecimal(FEE, fee);
  if (accountType !== undefined) to.putNumber(ACCOUNT_TYPE, accountType);
  if (lastTrade !== undefined) {
    to.put(LAST_TRADE);
    to.add(JSON.stringify(lastTrade));
  }
}

const GUESSED_FEE = bytesOf(',"guessedFee":');

function putFees(to: TextBytes, { fee, guessedFee }: OrderState): void {
  if (fee !== undefined) to.putDecimal(FEE, fee);
  if (guessedFee !== undefined) to.putDecimal(GUESSED_FEE, guessedFee);
}

const MARKET = bytesOf('{"market":');
const SIDE = bytesOf(',"side":');
const TYPE = bytesOf(',"type":');
const PRICE = bytesOf(',"price":');
const AMOUNT = bytesOf(',"amount":');

function putTerms(to: TextBytes, order: OrderState | OrderRecord): void {
  to.putText(MARKET, order.market);
  to.putText(SIDE, order.side);
  to.putText(TYPE, order.type);
  to.putNumber(PRICE, order.price);
  to.putNumber(AMOUNT, order.amount);
}

const FILLED_AMOUNT = bytesOf(',"filledAmount":');
const FILLED_VALUE = bytesOf(',"filledValue":');

function putFilled(to: TextBytes, order: OrderState | OrderRecord): void {
  to.putNumber(FILLED_AMOUNT, order.filledAmount);
  to.putDecimal(FILLED_VALUE, order.filledValue);
}
