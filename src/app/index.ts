export { messageOf } from '../kernel/index.ts';
export type {
  BacktestChoices,
  BacktestDeployment,
  FinishedRun,
  LookaheadReport,
  PrefixRun,
  Progress,
  WarmedRun,
  WarmUpReport,
} from './backtest/index.ts';
export type { Attribution, Cause, RunComparison, RunSide } from './compare/index.ts';
export { generatedFiles } from './config/generated.ts';
export { EXIT_CODES, EXIT_MEANINGS, type ExitReason, exitCodeOf } from './errors.ts';
export * from './history/index.ts';
export { bundledStrategies } from './load-strategies.ts';
export type { LogTarget } from './logging.ts';
export {
  checkLookahead,
  checkWarmUp,
  compareRuns,
  loadBacktest,
  replayRun,
  runBacktest,
} from './on-demand.ts';
export type { Decision, Difference, JournalEntry, ReplayReport } from './replay/index.ts';
export { type RunOptions, runDeployment } from './run-deployment.ts';
export { type ServedExchange, serveExchange } from './serve-exchange.ts';
export type { Session, StopRequest } from './session.ts';
export type { MarketStatus, Status, StrategyStatus } from './status.ts';
export type { Summary } from './summary.ts';
export * from './terminal/index.ts';
export { version } from './version.ts';
