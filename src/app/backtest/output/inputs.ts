import type { EventKind } from '../../../domain/index.ts';

/**
 * What came from outside: the data name it, and the simulated exchange and its clock make it again.
 * Timers of a strategy may go off a thousand times for each of its wishes.
 */
export const INPUTS: ReadonlySet<EventKind> = new Set([
  ...(['ticker', 'depth', 'trade', 'candle', 'timer'] as const),
  ...(['gap', 'freshness', 'connection', 'orderPush', 'balancePush'] as const),
]);
