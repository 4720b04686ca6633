import { TradewindError } from '../kernel/index.ts';

/** Recorded data could not be read. */
export class HistoryError extends TradewindError {
  override readonly name = 'HistoryError';
}
