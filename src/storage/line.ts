import { hash } from 'node:crypto';
import type { EventKind, TradingEvent } from '../domain/index.ts';
import { packedDepth } from './packed-depth.ts';

/** Kinds that came from the market's public data: the bulk of a journal. */
export const MARKET_DATA_KINDS = [
  'ticker',
  'depth',
  'trade',
  'candle',
] as const satisfies EventKind[];

const MARKET_DATA: ReadonlySet<string> = new Set(MARKET_DATA_KINDS);

export function isMarketData({ kind }: { readonly kind: EventKind }): boolean {
  return MARKET_DATA.has(kind);
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
  return JSON.stringify(event.kind === 'depth' ? packedDepth(event) : event);
}

/** The hash of a journal without lines; names the form of the chain. */
export const EMPTY_HASH: string = hash('sha256', 'tradewind journal 2');

/** The hash after one more line: SHA-256 over the hash before it (hex) and the line. */
export function chainHash(before: string, line: string): string {
  return hash('sha256', before + line);
}
