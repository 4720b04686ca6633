/**
 * The authors' door: a strategy imports `#strategy` and nothing else.
 *
 * All of rxjs and zod's `z` come with it.
 */
export * from 'rxjs';
export { z } from 'zod';
export {
  type Amount,
  amountOf,
  type Balance,
  type CancelIntent,
  type Candle,
  currenciesOf,
  type DataStream,
  type Depth,
  type Fill,
  INTERVAL_MS,
  INTERVALS,
  type Intent,
  type Interval,
  type Level,
  type LiveOrder,
  type Market,
  midOf,
  type OrderIntent,
  type OrderType,
  opposite,
  type Position,
  type Price,
  priceOf,
  type Quote,
  type QuotesIntent,
  type Side,
  type TargetIntent,
  type Ticker,
  type Trade,
} from '../domain/index.ts';
export {
  type Clock,
  DAY_MS,
  Decimal,
  HOUR_MS,
  MINUTE_MS,
  type Random,
  SECOND_MS,
} from '../kernel/index.ts';
export * from './config.ts';
export * from './context.ts';
export { type ContextSources, createContext } from './create-context.ts';
export * from './define.ts';
export * from './errors.ts';
export type { ExitRules } from './exit-rules.ts';
export { FreshnessBoard } from './freshness-board.ts';
export * from './indicators/index.ts';
export * from './intents.ts';
export { isHeld } from './is-held.ts';
export { type CountedContext, openAtMost } from './open-at-most.ts';
export { openWithin, type TimedContext } from './open-within.ts';
export { type ProtectedContext, protect } from './protect.ts';
export { strategyRefusals } from './refusals.ts';
export {
  type ScriptedEvent,
  scriptedCandles,
  scriptedDepth,
  scriptedFill,
  scriptedMarket,
  scriptedPosition,
  scriptedTicker,
  scriptedTrade,
} from './script.ts';
export {
  scriptedBalance,
  scriptedFreshness,
  scriptedOrder,
  scriptedRefusal,
} from './script-state.ts';
export * from './testing.ts';
