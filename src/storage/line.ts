import type { EventKind, TradingEvent } from '../domain/index.ts';
import type { Decimal } from '../kernel/index.ts';
import { packedDepth } from './packed-depth.ts';

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

/**
 * An event as its journal line: JSON, keys in the order they were made, decimals as strings, the
 * levels of a depth packed.
 */
export function lineOf(event: TradingEvent): string {
  switch (event.kind) {
    case 'depth':
      return JSON.stringify(packedDepth(event));
    case 'order':
    case 'orderPush':
      return JSON.stringify({ ...event, order: plain(event.order) });
    default:
      return JSON.stringify(event);
  }
}

/** Its decimal as a string already: an object that is asked for its JSON doubles the time. */
function plain<O extends { readonly filledValue: Decimal }>(order: O): object {
  return { ...order, filledValue: order.filledValue.toJSON() };
}
