export { uncaughtOf } from '../uncaught.ts';
export type { Period } from './data.ts';
export { type BacktestChoices, type BacktestDeployment, loadBacktest } from './deployment.ts';
export { type FinishedRun, type FinishedRunOptions, finishRun } from './finished-run.ts';
export {
  checkLookahead,
  type LookaheadOptions,
  type LookaheadReport,
  type PrefixRun,
} from './lookahead.ts';
export {
  type BacktestOptions,
  type BacktestResult,
  type Progress,
  runBacktest,
} from './run-backtest.ts';
export type { LineSink } from './run-journal.ts';
export type { CandleSource, DepthSource, Source, TradeSource } from './source.ts';
export { checkWarmUp, type WarmedRun, type WarmUpOptions, type WarmUpReport } from './warm-up.ts';
