import type { Balance, Fill, Position } from '../../domain/index.ts';
import { bytesOf, type TextBytes } from './text-bytes.ts';

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
  to.putText(MARKET, fill.market);
  to.putText(STRATEGY, fill.strategy);
  to.putText(CLIENT_ORDER_ID, fill.clientOrderId);
  to.putText(EXCHANGE_ORDER_ID, fill.exchangeOrderId);
  to.putText(SIDE, fill.side);
  to.putNumber(AMOUNT, fill.amount);
  to.putDecimal(VALUE, fill.value);
  to.putNumber(PRICE, fill.price);
  to.putDecimal(FEE, fill.fee);
  to.putText(FEE_CURRENCY, fill.feeCurrency);
  to.putNumber(TIME, fill.time);
  if (fill.tag !== undefined) to.putText(TAG, fill.tag);
  to.put(END);
}

const COST = bytesOf(',"cost":');
const REALIZED_PROFIT = bytesOf(',"realizedProfit":');
const FEES = bytesOf(',"fees":');

/** Writes a position as JSON. */
export function putPosition(to: TextBytes, position: Position): void {
  to.putText(MARKET, position.market);
  to.putDecimal(AMOUNT, position.amount);
  to.putDecimal(COST, position.cost);
  to.putDecimal(REALIZED_PROFIT, position.realizedProfit);
  to.putDecimal(FEES, position.fees);
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
    to.putText(at === 0 ? FIRST_CURRENCY : NEXT_CURRENCY, currency);
    to.putDecimal(AVAILABLE, available);
    to.putDecimal(FROZEN, frozen);
    to.put(END);
  }
  to.put(LIST_END);
}
