import { messageOf, TradewindError } from '../kernel/index.ts';

/** Recorded data could not be read. */
export class HistoryError extends TradewindError {
  override readonly name = 'HistoryError';
}

/** A recording, and the line of it where something is wrong. */
export interface Place {
  readonly name: string;
  /** From 1; left out where the trouble is not in one line. */
  readonly line?: number;
}

/** "Cannot read recording: file:line: what is, what is wanted". */
export function unreadable(place: Place, thrown: unknown): HistoryError {
  if (thrown instanceof HistoryError) return thrown;
  const where = place.line === undefined ? place.name : `${place.name}:${place.line}`;
  return new HistoryError(`Cannot read recording: ${where}: ${messageOf(thrown)}`, {
    cause: thrown,
  });
}
