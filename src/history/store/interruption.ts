import { HistoryError } from '../errors.ts';

/** Work that may be told to stop before its end. */
export interface Interruptible {
  /** Tells it to stop; its reason is what asked for that, such as `SIGINT`. Default: it goes on. */
  readonly signal?: AbortSignal | undefined;
}

/** Passes on what was thrown, unless that is because work was told to stop: `left` says what it left. */
export function interruptionOr(
  thrown: unknown,
  { signal, left }: Interruptible & { readonly left: string },
): unknown {
  if (signal?.aborted !== true) return thrown;
  return new HistoryError(`Interrupted by ${signal.reason}: ${left}`, { cause: thrown });
}
