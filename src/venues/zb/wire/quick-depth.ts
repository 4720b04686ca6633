import type { Depth, Side } from '../../../domain/index.ts';
import { asksOf, bidsOf } from './levels.ts';
import { type Fields, fractionOf, sizeOf, timeOf } from './read.ts';

/** Levels a side that `quick_depth` can be asked for. Source: wire facts, WebSocket. */
export type QuickDepthLength = 5 | 10 | 20;

/**
 * The top of the book with the last price and the day's high and low, as one channel pushes them.
 */
export interface QuickDepth extends Depth {
  /** The last price traded. */
  readonly last: number;
  /** The taker's side of the last trade; undefined if it is not given. */
  readonly lastSide: Side | undefined;
  readonly high: number;
  readonly low: number;
  /** Change over 24 hours as a fraction: 0.01 is one percent. */
  readonly change: number;
}

/**
 * A quick depth frame. Source: wire facts, WebSocket. Its two volumes are not read: what they count
 * is not known.
 *
 * @throws {WireError}
 */
export function readQuickDepth(
  frame: Fields,
  { market, receivedTime }: { readonly market: string; readonly receivedTime: number },
): QuickDepth {
  const { currentIsBuy } = frame;
  return {
    market,
    bids: bidsOf(frame.listDown),
    asks: asksOf(frame.listUp),
    exchangeTime: timeOf(frame.lastTime, "quick depth's lastTime"),
    receivedTime,
    last: sizeOf(frame.currentPrice, "quick depth's currentPrice"),
    lastSide: typeof currentIsBuy === 'boolean' ? (currentIsBuy ? 'buy' : 'sell') : undefined,
    high: sizeOf(frame.high, "quick depth's high"),
    low: sizeOf(frame.low, "quick depth's low"),
    change: fractionOf(frame.rate, "quick depth's rate"),
  };
}
