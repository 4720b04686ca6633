import type { Balance, Fill, Position } from '../../domain/index.ts';
import { bytesOf, type TextBytes } from './text-bytes.ts';
import { putDecimal, putNumber, putText } from './values.ts';

const MARKET = bytesOf('{"market":');
const AMOUNT = bytesOf(',"amount":');
const END = bytesOf('}');

const STRATEGY = bytesOf(',"strategy":');
const CLIENT_ORDER_ID = bytesOf(',"clientOrderId":');
const EXCHANGE_ORDER_ID = bytesOf(',"exchangeOrderId":');
const SIDE = bytesOf(',"side":');
const VALUE = bytesOf(',"value":');
const PRICE = bytesOf(',"price":');
const FEE = bytesOf(',"fee":');
const FEE_CURRENCY = bytesOf(',"feeCurrency":');
const TIME = bytesOf(',"time":');
const TAG = bytesOf(',"tag":');

/** Writes a fill as JSON. */
export function putFill(to: TextBytes, fill: Fill): void {
  putText(to, MARKET, fill.market);
  putText(to, STRATEGY, fill.strategy);
  putText(to, CLIENT_ORDER_ID, fill.clientOrderId);
  putText(to, EXCHANGE_ORDER_ID, fill.exchangeOrderId);
  putText(to, SIDE, fill.side);
  putNumber(to, AMOUNT, fill.amount);
  putDecimal(to, VALUE, fill.value);
  putNumber(to, PRICE, fill.price);
  putDecimal(to, FEE, fill.fee);
  putText(to, FEE_CURRENCY, fill.feeCurrency);
  putNumber(to, TIME, fill.time);
  if (fill.tag !== undefined) putText(to, TAG, fill.tag);
  to.put(END);
}

const COST = bytesOf(',"cost":');
const REALIZED_PROFIT = bytesOf(',"realizedProfit":');
const FEES = bytesOf(',"fees":');

/** Writes a position as JSON. */
export function putPosition(to: TextBytes, position: Position): void {
  putText(to, MARKET, position.market);
  putDecimal(to, AMOUNT, position.amount);
  putDecimal(to, COST, position.cost);
  putDecimal(to, REALIZED_PROFIT, position.realizedProfit);
  putDecimal(to, FEES, position.fees);
  to.put(END);
}

const LIST = bytesOf('[');
const FIRST_CURRENCY = bytesOf('{"currency":');
const NEXT_CURRENCY = bytesOf(',{"currency":');
const AVAILABLE = bytesOf(',"available":');
const FROZEN = bytesOf(',"frozen":');
const LIST_END = bytesOf(']');

/** Writes balances as a list in JSON. */
export function putBalances(to: TextBytes, balances: readonly Balance[]): void {
  to.put(LIST);
  for (let at = 0; at < balances.length; at++) {
    const { currency, available, frozen } = balances[at]!;
    putText(to, at === 0 ? FIRST_CURRENCY : NEXT_CURRENCY, currency);
    putDecimal(to, AVAILABLE, available);
    putDecimal(to, FROZEN, frozen);
    to.put(END);
  }
  to.put(LIST_END);
}
