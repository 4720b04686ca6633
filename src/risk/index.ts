export { type Approved, isRefusal, type OrderDraft } from './approved.ts';
export { blackoutEndMs, nextBlackoutMs } from './blackouts.ts';
export { marketLimitsOf, type RiskConfig, riskConfigSchema } from './config.ts';
export { RiskGate } from './gate.ts';
export type {
  Dismissal,
  HeartbeatView,
  PriceView,
  Verdict,
} from './ports.ts';
export type { RefusalCode } from './refusal-code.ts';
export type { Check, DayStart, RiskOptions } from './review.ts';
export { TradingStateControl, type TradingStateOptions } from './trading-state.ts';
