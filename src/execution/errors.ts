import { TradewindError } from '../kernel/index.ts';

/** The executor was used against its own rules. */
export class ExecutionError extends TradewindError {
  override readonly name = 'ExecutionError';
}
