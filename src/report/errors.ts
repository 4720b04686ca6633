import { TradewindError } from '../kernel/index.ts';

/** A run's record or its measured figures do not hold together. */
export class ReportError extends TradewindError {
  override readonly name = 'ReportError';
}
