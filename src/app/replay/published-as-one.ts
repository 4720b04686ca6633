import type { TradingEvent } from '../../domain/index.ts';
import type { JournalEntry } from '../../storage/index.ts';

/**
 * Groups consecutive entries that a ledger had booked before the first of them was delivered: an
 * order, its fill and late fee, and orders that were booked meanwhile.
 *
 * When a booking is delivered, the position after it is published. So orders that follow a booking
 * without a position in between were in the books before the booking was heard of.
 */
export function* publishedAsOne(
  entries: Iterable<JournalEntry>,
): Generator<readonly JournalEntry[], void> {
  let run: JournalEntry[] = [];
  let isBooked = false;
  for (const entry of entries) {
    const { event } = entry;
    const before = run.at(-1)?.event;
    const isNext = before !== undefined && follows(event, { before, isBooked });
    if (!isNext && run.length > 0) {
      yield run;
      run = [];
      isBooked = false;
    }
    run.push(entry);
    isBooked ||= isBooking(event);
  }
  if (run.length > 0) yield run;
}

function follows(
  event: TradingEvent,
  { before, isBooked }: { readonly before: TradingEvent; readonly isBooked: boolean },
): boolean {
  if (before.kind !== 'order' && !isBooking(before)) return false;
  if (isBooking(event)) return true;
  return event.kind === 'order' && (isBooked || isSameNews(before, event));
}

/** Whether two states of an order came together: it was pushed before the answer with its id. */
function isSameNews(before: TradingEvent, event: TradingEvent): boolean {
  if (before.kind !== 'order' || event.kind !== 'order') return false;
  const { clientOrderId, status } = before.order;
  const isSameOrder = clientOrderId === event.order.clientOrderId;
  return isSameOrder && status === 'open' && before.time === event.time;
}

function isBooking({ kind }: TradingEvent): boolean {
  return kind === 'fill' || kind === 'lateFee';
}
