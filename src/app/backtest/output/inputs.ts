import type { EventKind } from '../../../domain/index.ts';

/**
 * Events that the journal leaves out, since data, simulated exchange and clock produce them again.
 * Among them timers: those of a strategy may go off a thousand times for each of its wishes.
 */
export const INPUTS: ReadonlySet<EventKind> = new Set([
  ...(['ticker', 'depth', 'trade', 'candle', 'timer'] as const),
  ...(['gap', 'freshness', 'connection', 'orderPush', 'balancePush'] as const),
]);
