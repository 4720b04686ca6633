import type { EventKind } from '../domain/index.ts';
import { MARKET_DATA_KINDS } from './text/line.ts';

/**
 * Every kind of event, in the order of its bit. Files hold these bits: add new kinds at the end.
 */
export const EVENT_KINDS = [
  ...['ticker', 'depth', 'trade', 'candle', 'freshness', 'gap', 'connection'],
  ...['orderPush', 'balancePush', 'intent', 'refusal', 'strategy', 'tradingState'],
  ...['order', 'fill', 'balance', 'position', 'request', 'heartbeat', 'lapse'],
  ...['reconciliation', 'run', 'timer', 'lateFee', 'requestFailure', 'adjustment'],
] as const satisfies readonly EventKind[];

const BITS = Object.fromEntries(EVENT_KINDS.map((kind, place) => [kind, 2 ** place])) as {
  readonly [K in (typeof EVENT_KINDS)[number]]: number;
};

/** A set of kinds as one number, one bit per kind: the `kinds` of a chunk. */
export function kindSetOf(kinds: Iterable<EventKind>): number {
  let set = 0;
  for (const kind of kinds) set |= BITS[kind];
  return set;
}

/** The kinds that are dropped after `keepDays`. */
export const MARKET_DATA: number = kindSetOf(MARKET_DATA_KINDS);

/** The kinds that a restart reads from all runs: few lines among very many. */
export const RECALLED_KINDS = ['fill', 'lateFee', 'adjustment', 'tradingState'] as const;
export const RECALLED: number = kindSetOf(RECALLED_KINDS);
