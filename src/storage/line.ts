import type {
  Balance,
  EventKind,
  Fill,
  Intent,
  Position,
  QuotesIntent,
  Stamped,
  TargetIntent,
  TradingEvent,
} from '../domain/index.ts';
import { putOrder, putRecord } from './order-text.ts';
import { packedDepth } from './packed-depth.ts';
import { nameBytes, putDecimal } from './text.ts';
import { bytesOf, TextBytes } from './text-bytes.ts';

/** Kinds that came from the market's public data: the bulk of a journal. */
export const MARKET_DATA_KINDS = [
  'ticker',
  'depth',
  'trade',
  'candle',
] as const satisfies EventKind[];

const MARKET_DATA: ReadonlySet<EventKind> = new Set(MARKET_DATA_KINDS);

export function isMarketData(event: TradingEvent): boolean {
  return MARKET_DATA.has(event.kind);
}

/** When an event came about in this process, milliseconds since the epoch. */
export function timeOf(event: TradingEvent): number {
  return 'time' in event ? event.time : event.receivedTime;
}

const scratch = new TextBytes();

/** An event as its journal line. */
export function lineOf(event: TradingEvent): string {
  scratch.clear();
  putLine(scratch, event);
  return scratch.text;
}

/**
 * Writes an event as its journal line: JSON, decimals as strings, the levels of a depth packed.
 *
 * What comes with every order is written key by key, as bytes: `JSON.stringify` takes several times
 * as long.
 */
export function putLine(to: TextBytes, event: TradingEvent): void {
  switch (event.kind) {
    case 'depth':
      to.add(JSON.stringify(packedDepth(event)));
      return;
    case 'order':
      putNumber(to, ORDER_AT, event.time);
      putName(to, MARKET, event.market);
      to.put(ORDER);
      putOrder(to, event.order);
      break;
    case 'orderPush':
      to.put(ORDER_PUSH);
      to.put(nameBytes(event.market));
      putStamps(to, event);
      to.put(ORDER);
      putRecord(to, event.order);
      break;
    case 'intent':
      putNumber(to, INTENT_AT, event.time);
      putName(to, MARKET, event.market);
      putName(to, STRATEGY, event.strategy);
      to.put(INTENT);
      putIntent(to, event.intent);
      break;
    case 'fill':
      putNumber(to, FILL_AT, event.time);
      putName(to, MARKET, event.market);
      to.put(FILL);
      putFill(to, event.fill);
      break;
    case 'balance':
      putNumber(to, BALANCE_AT, event.time);
      to.put(BALANCES);
      putBalances(to, event.balances);
      break;
    case 'balancePush':
      to.put(BALANCE_PUSH);
      putBalances(to, event.balances);
      putStamps(to, event);
      break;
    case 'position':
      putNumber(to, POSITION_AT, event.time);
      putName(to, MARKET, event.market);
      putName(to, STRATEGY, event.strategy);
      to.put(POSITION);
      putPosition(to, event.position);
      break;
    case 'request':
      putNumber(to, REQUEST_AT, event.time);
      putName(to, MARKET, event.market);
      putName(to, OPERATION, event.operation);
      putNumber(to, WAITED, event.waitedMs);
      break;
    default:
      to.add(JSON.stringify(event));
      return;
  }
  to.put(END);
}

const ORDER_AT = bytesOf('{"kind":"order","time":');
const INTENT_AT = bytesOf('{"kind":"intent","time":');
const FILL_AT = bytesOf('{"kind":"fill","time":');
const BALANCE_AT = bytesOf('{"kind":"balance","time":');
const POSITION_AT = bytesOf('{"kind":"position","time":');
const REQUEST_AT = bytesOf('{"kind":"request","time":');
const MARKET = bytesOf(',"market":');
const STRATEGY = bytesOf(',"strategy":');
const ORDER = bytesOf(',"order":');
const ORDER_PUSH = bytesOf('{"kind":"orderPush","market":');
const INTENT = bytesOf(',"intent":');
const FILL = bytesOf(',"fill":');
const BALANCES = bytesOf(',"balances":');
const BALANCE_PUSH = bytesOf('{"kind":"balancePush","balances":');
const POSITION = bytesOf(',"position":');
const OPERATION = bytesOf(',"operation":');
const WAITED = bytesOf(',"waitedMs":');
const END = bytesOf('}');

const TIME = bytesOf(',"time":');

function putName(to: TextBytes, key: Uint8Array, name: string): void {
  to.put(key);
  to.put(nameBytes(name));
}

function putNumber(to: TextBytes, key: Uint8Array, value: number): void {
  to.put(key);
  to.putNumber(value);
}

const EXCHANGE_TIME = bytesOf(',"exchangeTime":');
const RECEIVED_TIME = bytesOf(',"receivedTime":');

function putStamps(to: TextBytes, { exchangeTime, receivedTime }: Stamped): void {
  putNumber(to, EXCHANGE_TIME, exchangeTime);
  putNumber(to, RECEIVED_TIME, receivedTime);
}

function putIntent(to: TextBytes, intent: Intent): void {
  if (intent.kind === 'quotes') putQuotes(to, intent);
  else if (intent.kind === 'target') putTarget(to, intent);
  else to.add(JSON.stringify(intent));
}

const TARGET = bytesOf('{"kind":"target","market":');
const WISHED = bytesOf(',"position":');
const SLIPPAGE = bytesOf(',"slippage":');
const PRICE_LIMIT = bytesOf(',"priceLimit":');

function putTarget(to: TextBytes, { market, position, slippage, priceLimit }: TargetIntent): void {
  to.put(TARGET);
  to.put(nameBytes(market));
  putNumber(to, WISHED, position);
  putNumber(to, SLIPPAGE, slippage);
  if (priceLimit !== undefined) putNumber(to, PRICE_LIMIT, priceLimit);
  to.put(END);
}

const QUOTES = bytesOf('{"kind":"quotes","market":');
const BIDS = bytesOf(',"bids":');
const ASKS = bytesOf(',"asks":');
const POST_ONLY = bytesOf(',"postOnly":true}');
const NOT_POST_ONLY = bytesOf(',"postOnly":false}');

function putQuotes(to: TextBytes, { market, bids, asks, postOnly }: QuotesIntent): void {
  to.put(QUOTES);
  to.put(nameBytes(market));
  putLevels(to, BIDS, bids);
  putLevels(to, ASKS, asks);
  to.put(postOnly ? POST_ONLY : NOT_POST_ONLY);
}

const LIST = bytesOf('[');
const NEXT = bytesOf(',');
const LIST_END = bytesOf(']');
const LEVEL = bytesOf('{"price":');
const AMOUNT = bytesOf(',"amount":');

function putLevels(to: TextBytes, key: Uint8Array, levels: QuotesIntent['bids']): void {
  to.put(key);
  to.put(LIST);
  for (let at = 0; at < levels.length; at++) {
    if (at > 0) to.put(NEXT);
    putNumber(to, LEVEL, levels[at]!.price);
    putNumber(to, AMOUNT, levels[at]!.amount);
    to.put(END);
  }
  to.put(LIST_END);
}

const OBJECT_MARKET = bytesOf('{"market":');
const CLIENT_ORDER_ID = bytesOf(',"clientOrderId":');
const EXCHANGE_ORDER_ID = bytesOf(',"exchangeOrderId":');
const SIDE = bytesOf(',"side":');
const VALUE = bytesOf(',"value":');
const PRICE = bytesOf(',"price":');
const FEE = bytesOf(',"fee":');
const FEE_CURRENCY = bytesOf(',"feeCurrency":');

function putFill(to: TextBytes, fill: Fill): void {
  to.put(OBJECT_MARKET);
  to.put(nameBytes(fill.market));
  putName(to, STRATEGY, fill.strategy);
  to.put(CLIENT_ORDER_ID);
  to.putQuoted(fill.clientOrderId);
  to.put(EXCHANGE_ORDER_ID);
  to.putQuoted(fill.exchangeOrderId);
  putName(to, SIDE, fill.side);
  putNumber(to, AMOUNT, fill.amount);
  to.put(VALUE);
  putDecimal(to, fill.value);
  putNumber(to, PRICE, fill.price);
  to.put(FEE);
  putDecimal(to, fill.fee);
  putName(to, FEE_CURRENCY, fill.feeCurrency);
  putNumber(to, TIME, fill.time);
  to.put(END);
}

const CURRENCY = bytesOf('{"currency":');
const AVAILABLE = bytesOf(',"available":');
const FROZEN = bytesOf(',"frozen":');

function putBalances(to: TextBytes, balances: readonly Balance[]): void {
  to.put(LIST);
  for (let at = 0; at < balances.length; at++) {
    const { currency, available, frozen } = balances[at]!;
    if (at > 0) to.put(NEXT);
    putName(to, CURRENCY, currency);
    to.put(AVAILABLE);
    putDecimal(to, available);
    to.put(FROZEN);
    putDecimal(to, frozen);
    to.put(END);
  }
  to.put(LIST_END);
}

const COST = bytesOf(',"cost":');
const REALIZED_PROFIT = bytesOf(',"realizedProfit":');
const FEES = bytesOf(',"fees":');

function putPosition(
  to: TextBytes,
  { market, amount, cost, realizedProfit, fees }: Position,
): void {
  to.put(OBJECT_MARKET);
  to.put(nameBytes(market));
  to.put(AMOUNT);
  putDecimal(to, amount);
  to.put(COST);
  putDecimal(to, cost);
  to.put(REALIZED_PROFIT);
  putDecimal(to, realizedProfit);
  to.put(FEES);
  putDecimal(to, fees);
  to.put(END);
}
