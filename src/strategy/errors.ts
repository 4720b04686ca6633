import { TradewindError } from '../kernel/index.ts';

/** A strategy asked for something impossible, or its definition, module or entry is wrong. */
export class StrategyError extends TradewindError {
  override readonly name = 'StrategyError';
}
