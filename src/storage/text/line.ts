import type { EventKind, Stamped, TradingEvent } from '../../domain/index.ts';
import { putBalances, putFill, putPosition } from './effect-text.ts';
import { putIntent } from './intent-text.ts';
import { putOrder, putRecord } from './order-text.ts';
import { packedDepth } from './packed-depth.ts';
import { bytesOf, TextBytes } from './text-bytes.ts';

/** Kinds of public market data: the bulk of a journal. */
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

/** Whether a journal line is market data; a damaged one is not. */
export function isMarketLine(line: string): boolean {
  try {
    return MARKET_DATA.has((JSON.parse(line) as { kind: EventKind }).kind);
  } catch {
    return false;
  }
}

const scratch = new TextBytes();

/** An event as its journal line. */
export function lineOf(event: TradingEvent): string {
  scratch.clear();
  putLine(scratch, event);
  return scratch.text;
}

const ORDER_AT = bytesOf('{"kind":"order","time":');
const ORDER_PUSH = bytesOf('{"kind":"orderPush","market":');
const INTENT_AT = bytesOf('{"kind":"intent","time":');
const FILL_AT = bytesOf('{"kind":"fill","time":');
const BALANCE_AT = bytesOf('{"kind":"balance","time":');
const BALANCE_PUSH = bytesOf('{"kind":"balancePush","balances":');
const POSITION_AT = bytesOf('{"kind":"position","time":');
const REQUEST_AT = bytesOf('{"kind":"request","time":');
const MARKET = bytesOf(',"market":');
const STRATEGY = bytesOf(',"strategy":');
const ORDER = bytesOf(',"order":');
const INTENT = bytesOf(',"intent":');
const FILL = bytesOf(',"fill":');
const BALANCES = bytesOf(',"balances":');
const POSITION = bytesOf(',"position":');
const OPERATION = bytesOf(',"operation":');
const WAITED = bytesOf(',"waitedMs":');
const END = bytesOf('}');

/**
 * Writes an event as its journal line: JSON, decimals as strings, the levels of a depth packed.
 *
 * The kinds that come with every order are written key by key, as bytes: `JSON.stringify` takes
 * several times as long.
 */
export function putLine(to: TextBytes, event: TradingEvent): void {
  switch (event.kind) {
    case 'depth':
      to.add(JSON.stringify(packedDepth(event)));
      return;
    case 'order':
      to.putNumber(ORDER_AT, event.time);
      to.putText(MARKET, event.market);
      to.put(ORDER);
      putOrder(to, event.order);
      break;
    case 'orderPush':
      to.putText(ORDER_PUSH, event.market);
      putStamps(to, event);
      to.put(ORDER);
      putRecord(to, event.order);
      break;
    case 'intent':
      to.putNumber(INTENT_AT, event.time);
      to.putText(MARKET, event.market);
      to.putText(STRATEGY, event.strategy);
      to.put(INTENT);
      putIntent(to, event.intent);
      break;
    case 'fill':
      to.putNumber(FILL_AT, event.time);
      to.putText(MARKET, event.market);
      to.put(FILL);
      putFill(to, event.fill);
      break;
    case 'balance':
      to.putNumber(BALANCE_AT, event.time);
      to.put(BALANCES);
      putBalances(to, event.balances);
      break;
    case 'balancePush':
      to.put(BALANCE_PUSH);
      putBalances(to, event.balances);
      putStamps(to, event);
      break;
    case 'position':
      to.putNumber(POSITION_AT, event.time);
      to.putText(MARKET, event.market);
      to.putText(STRATEGY, event.strategy);
      to.put(POSITION);
      putPosition(to, event.position);
      break;
    case 'request':
      to.putNumber(REQUEST_AT, event.time);
      to.putText(MARKET, event.market);
      to.putText(OPERATION, event.operation);
      to.putNumber(WAITED, event.waitedMs);
      break;
    default:
      to.add(JSON.stringify(event));
      return;
  }
  to.put(END);
}

const EXCHANGE_TIME = bytesOf(',"exchangeTime":');
const RECEIVED_TIME = bytesOf(',"receivedTime":');

function putStamps(to: TextBytes, { exchangeTime, receivedTime }: Stamped): void {
  to.putNumber(EXCHANGE_TIME, exchangeTime);
  to.putNumber(RECEIVED_TIME, receivedTime);
}
