import { timeOfDay } from '../../kernel/index.ts';
import type { HeartbeatState } from './heartbeat.ts';

/** The orders of a market whose timed cancel is not confirmed. */
export interface OutOfReach {
  readonly market: string;
  readonly orders: number;
  readonly state: HeartbeatState;
  readonly nowMs: number;
}

/** Tells how many orders rest where the timed cancel is not confirmed, and when it cancels them. */
export function outOfReachText({ market, orders, state, nowMs }: OutOfReach): string {
  const { firesMs, isUnanswered } = state;
  const what = `${orders} ${orders === 1 ? 'order rests' : 'orders rest'} in ${market}`;
  const reach = isUnanswered ? ', neither seen nor changed while the exchange does not answer' : '';
  return `${what}${reach}; ${whenCancelled(firesMs, nowMs)}`;
}

/** Tells when the exchange cancels a market's orders by itself. */
export function whenCancelled(firesMs: number | undefined, nowMs: number): string {
  if (firesMs === undefined) return 'when the exchange cancels them is not known';
  const when = timeOfDay(firesMs);
  return nowMs < firesMs
    ? `the exchange cancels them at ${when} if it hears nothing`
    : `the exchange should have cancelled them at ${when}`;
}
