import { type Heartbeat, NEVER_ARMED } from './heartbeat.ts';

/** The interface of timed cancels that the executor uses. */
export type HeartbeatPort = Pick<Heartbeat, keyof Heartbeat>;

const NONE: readonly string[] = [];
const NEVER = Number.POSITIVE_INFINITY;

/**
 * No timed cancels at all: every market counts as guarded, nothing is ever due and nothing lapses.
 * For runs in which no connection can break, so that time passes without a timer.
 */
export const noHeartbeat: HeartbeatPort = {
  isKept: false,
  marketsMax: NEVER,
  nextMs: NEVER,
  nextLapseMs: NEVER,
  lastFiringMs: undefined,
  signOfLife: () => {},
  confirmed: () => true,
  ageMs: () => 0,
  state: () => NEVER_ARMED,
  admits: () => true,
  need: () => {},
  needOf: () => 'nothing',
  awaits: () => {},
  awaitsNone: () => {},
  due: () => NONE,
  calling: () => {},
  confirm: () => {},
  failed: () => {},
  takeLapsed: () => NONE,
};
