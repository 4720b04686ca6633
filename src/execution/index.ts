export { executionConfigSchema } from './config.ts';
export { Executor } from './executor.ts';
export { Heartbeat, type HeartbeatState } from './heartbeat.ts';
export { type HeartbeatPort, noHeartbeat } from './no-heartbeat.ts';
export type { OnRepeated } from './ports.ts';
export { type Priority, RateBudget } from './rate-budget.ts';
export type { Unreadable } from './read-failures.ts';
export type { ReconciliationReport } from './reconciler.ts';
export { type StopReport, stopText } from './shutdown.ts';
