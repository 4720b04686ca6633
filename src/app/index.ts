export type {
  Bill,
  Candle,
  Deposit,
  Depth,
  Interval,
  MarginAsset,
  MarginWorth,
  Market,
  OrderRecord,
  OrderType,
  Side,
  Ticker,
  Trade,
  Withdrawal,
} from '../domain/index.ts';
export type { OrderReference } from '../exchange/index.ts';
export type { Decimal } from '../kernel/index.ts';
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
export type { ServedExchange } from './exchange/serve-exchange.ts';
export type { ServedSettings } from './exchange/served-settings.ts';
export { EXIT_CODES, EXIT_MEANINGS } from './exit-codes.ts';
export type * from './history/index.ts';
export type * from './journal/index.ts';
export type { LogTarget } from './log/logging.ts';
export { printable, printableJson } from './log/printable.ts';
export { rooms } from './on-demand.ts';
export type { Decision, Difference, JournalEntry, ReplayReport } from './replay/index.ts';
export type { Session, StopRequest } from './session.ts';
export type { StrategyEarnings } from './status/earnings.ts';
export type { MarketStatus, Status } from './status/status.ts';
export type { Summary } from './status/summary.ts';
export { bundledStrategies } from './strategies/bundled-strategies.ts';
export { commandLine } from './terminal/command-line.ts';
export type * from './terminal/index.ts';
export type { SetPosition } from './terminal/set-position.ts';
export type { SettledOrder } from './terminal/settle-order.ts';
export { version } from './version.ts';
