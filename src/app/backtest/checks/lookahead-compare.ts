import { type TradingEvent, timeOf } from '../../../domain/index.ts';
import { journalLine } from '../../../storage/index.ts';

/** The first event in which two runs differ, in either; undefined where that run has ended. */
export interface Parting {
  readonly whole: TradingEvent | undefined;
  readonly prefix: TradingEvent | undefined;
}

const NEVER = Number.POSITIVE_INFINITY;

/**
 * Compares a run that ended early with the whole run: its events must be the beginning of the
 * other's. `parting` is undefined where they are; `agreed` counts the wishes that both have.
 *
 * What the whole run did after that does not matter (the next row filled an order), unless it is a
 * wish made by the time at which the other ended: nothing new was known then. After the cut, such
 * events may even precede wishes on a candle that is heard late, as when an order waited for the
 * open there. From `untilMs` on nothing is compared: rows from after the cut may have arrived.
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

/** Whether an event says that the run began to stop. */
function isEnd(event: TradingEvent): boolean {
  return event.kind === 'run' && event.status === 'stopping';
}
