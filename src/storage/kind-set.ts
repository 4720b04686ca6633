import type { EventKind } from '../domain/index.ts';
import { MARKET_DATA_KINDS } from './text/line.ts';

/** Every kind of event, at its place in a set. That stands in files: a new kind goes to the end. */
export const EVENT_KINDS = [
  ...['ticker', 'depth', 'trade', 'candle', 'freshness', 'gap', 'connection'],
  ...['orderPush', 'balancePush', 'intent', 'refusal', 'strategy', 'tradingState'],
  ...['order', 'fill', 'balance', 'position', 'request', 'heartbeat', 'lapse'],
  ...['reconciliation', 'run', 'timer', 'lateFee', 'requestFailure', 'adjustment'],
] as const satisfies readonly EventKind[];

const BITS = Object.fromEntries(EVENT_KINDS.map((kind, place) => [kind, 2 ** place])) as {
  readonly [K in (typeof EVENT_KINDS)[number]]: number;
};

/** A set of kinds as one number, a bit a kind: a chunk of lines says by it what is in it. */
export function kindSetOf(kinds: Iterable<EventKind>): number {
  let set = 0;
  for (const kind of kinds) set |= BITS[kind];
  return set;
}

/** What is dropped in time, if anything is. */
export const MARKET_DATA: number = kindSetOf(MARKET_DATA_KINDS);

/** What a restart reads of all runs: few lines among very many. */
export const RECALLED_KINDS = ['fill', 'lateFee', 'adjustment', 'tradingState'] as const;
export const RECALLED: number = kindSetOf(RECALLED_KINDS);
