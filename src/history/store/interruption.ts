import { HistoryError } from '../errors.ts';

/** Work that may be told to stop before its end. */
export interface Interruptible {
  /** Tells it to stop; its reason is what asked for that, such as `SIGINT`. Default: it goes on. */
  readonly signal?: AbortSignal | undefined;
}

/** What was thrown; if work was told to stop, an error that says so. `left`: what the work left. */
export function interruptionOr(
  thrown: unknown,
  { signal, left }: Interruptible & { readonly left: string },
): unknown {
  if (signal?.aborted !== true) return thrown;
  return new HistoryError(`Interrupted by ${signal.reason}: ${left}`, { cause: thrown });
}
