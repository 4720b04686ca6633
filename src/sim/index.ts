export {
  marketOf,
  type SimulationConfig,
  type SyntheticParameters,
  simulationSchema,
  syntheticSchema,
} from './config.ts';
export { finestAmountScale, isRoomy, requireScales, type Worth } from './currencies.ts';
export { eachOnce, refuseTwice } from './each-once.ts';
export { SimulationError } from './errors.ts';
export {
  type FiredTimedCancel,
  SimulatedExchange,
  type SimulatedExchangeOptions,
} from './exchange.ts';
export type {
  CurrencySettings,
  FundsSettings,
  IncomingDeposit,
  WithdrawalStep,
} from './funds/index.ts';
export type { Liquidity } from './liquidity.ts';
export * from './models/index.ts';
export { POST_ONLY_REJECTION } from './refusals.ts';
export {
  type Replay,
  type ReplayOptions,
  type ReplaySummary,
  startReplay,
} from './replay-market.ts';
export type { AccountInspection, AccountOptions } from './simulated-account.ts';
export type { MinuteBar } from './simulated-market.ts';
export { type SyntheticMarketOptions, startSyntheticMarket } from './synthetic.ts';
export { type SyntheticCandlesOptions, syntheticCandles } from './synthetic-candles.ts';
