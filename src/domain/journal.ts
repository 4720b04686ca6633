import type { EventKind, TradingEvent } from './events.ts';
import type { FinalOrder, LiveOrder } from './order.ts';

/** Keeps the events of one run, in their order: a full account of what was seen, decided and done. */
export interface Journal {
  /** Kinds that it takes nothing of: whoever appends may spare itself the call. Default: none. */
  readonly leavesOut?: ReadonlySet<EventKind>;
  /**
   * Takes an event; cheap. It is on disk after the next `commit`, the next flush at the latest.
   *
   * @throws when the journal is closed or failed before: trading must stop.
   */
  append(event: TradingEvent): void;
  /**
   * Every order appended as `pending` is on disk when this returns, its terms included; all else
   * follows with the next flush. Cheap: on the way of every order.
   *
   * @throws when it can't be written. The journal then stays failed.
   */
  commitOrders(): void;
  /**
   * Everything appended so far is on disk when this returns.
   *
   * @throws when it can't be written. The journal then stays failed.
   */
  commit(): void;
  /** Commits, ends the run and lets go of the file. Does nothing when closed already. */
  close(): void;
  /** Commits and tells the hash over all lines so far: the same events give the same hash. */
  hash(): string;
}

/** What a restart takes over from the runs before it. */
export interface JournalMemory {
  /** The orders whose story was not over when it was last written. */
  readonly liveOrders: readonly LiveOrder[];
  /** When the run that left a live order was last alive, milliseconds since the epoch, by our id. */
  readonly aliveTimes: ReadonlyMap<string, number>;
  /** The newest of those that were over while their fee was a guess, the oldest first. */
  readonly guessedOrders: readonly FinalOrder[];
  /** When requests left, milliseconds since the epoch, oldest first: the rate budget's window. */
  readonly requestTimes: readonly number[];
}
