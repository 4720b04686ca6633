import { type TradingEvent, timeOf } from '../../../domain/index.ts';
import { journalLine } from '../../../storage/index.ts';

/** The first event in which two runs differ, of each; undefined where a run has no more. */
export interface Parting {
  readonly whole: TradingEvent | undefined;
  readonly prefix: TradingEvent | undefined;
}

const NEVER = Number.POSITIVE_INFINITY;

/**
 * Holds a run that ended early against the whole one: its record must be the beginning of the
 * other's. Undefined where it is. `agreed` counts the wishes that both have.
 *
 * What the whole run did next is its own affair (the next row filled an order), unless it is a
 * wish that was made by the time at which the other ended: nothing new was known then. Behind the cut
 * that may come ahead of the wishes on a candle that is heard late: an order that waited for the open
 * there. From `untilMs` on nothing is compared: rows behind the cut may have arrived by then.
 */
export function partingOf(
  whole: readonly TradingEvent[],
  prefix: readonly TradingEvent[],
  { cutMs = NEVER, untilMs = NEVER }: { readonly cutMs?: number; readonly untilMs?: number } = {},
): { readonly agreed: number; readonly parting: Parting | undefined } {
  let agreed = 0;
  for (const [at, event] of prefix.entries()) {
    const other = whole[at];
    const time = timeOf(event);
    if (isEnd(event) || time >= untilMs) {
      const isLate = other?.kind === 'intent' && other.time <= time && other.time < untilMs;
      return { agreed, parting: isLate ? { whole: other, prefix: undefined } : undefined };
    }
    if (other === undefined || journalLine(other) !== journalLine(event)) {
      const isBehind = time > cutMs && other !== undefined && timeOf(other) > cutMs;
      if (isBehind && other.kind !== 'intent') return { agreed, parting: undefined };
      return { agreed, parting: { whole: other, prefix: event } };
    }
    if (event.kind === 'intent') agreed++;
  }
  return { agreed, parting: undefined };
}

/** Where a run began to stop. */
function isEnd(event: TradingEvent): boolean {
  return event.kind === 'run' && event.status === 'stopping';
}
