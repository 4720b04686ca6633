export { formatDuration } from '../../kernel/index.ts';
export type { LineSink } from '../../storage/index.ts';
export { uncaughtOf } from '../uncaught.ts';
export {
  checkLookahead,
  type LookaheadOptions,
  type LookaheadReport,
  type PrefixRun,
} from './checks/lookahead.ts';
export {
  checkWarmUp,
  partingRuns,
  type WarmedRun,
  type WarmUpOptions,
  type WarmUpReport,
} from './checks/warm-up.ts';
export { type GenerateChoice, generateData } from './data/generate-data.ts';
export type { Period } from './data/period.ts';
export type { CandleSource, DepthSource, Source, TradeSource } from './data/source.ts';
export { type BacktestChoices, type BacktestDeployment, loadBacktest } from './deployment.ts';
export { type FinishedRun, type FinishedRunOptions, finishRun } from './output/finished-run.ts';
export {
  type BacktestOptions,
  type BacktestResult,
  type Progress,
  runBacktest,
} from './run-backtest.ts';
