import type { EventKind, TradingEvent } from './events.ts';
import type { FinalOrder, LiveOrder } from './order.ts';

/** Keeps the events of one run, in order: a full account of market data, decisions and actions. */
export interface Journal {
  /** Kinds of events that the journal drops, so that callers may skip `append`. Default: none. */
  readonly leavesOut?: ReadonlySet<EventKind>;
  /**
   * Takes an event; cheap. It reaches the disk with the next `commit`, or else with the next flush.
   *
   * @throws when the journal is closed or has failed before: trading must stop.
   */
  append(event: TradingEvent): void;
  /**
   * Writes every order appended as `pending` to disk, its terms included, before it returns; all
   * else follows with the next flush. Cheap: each order waits for it.
   *
   * @throws when it can't be written. The journal then stays failed.
   */
  commitOrders(): void;
  /**
   * Writes everything appended so far to disk before it returns.
   *
   * @throws when it can't be written. The journal then stays failed.
   */
  commit(): void;
  /** Commits, ends the run and closes the file. Does nothing when already closed. */
  close(): void;
  /** Commits and returns the hash over all lines so far: the same events give the same hash. */
  hash(): string;
}

/** What a restart takes over from earlier runs. */
export interface JournalMemory {
  /** The orders that were not final when last written. */
  readonly liveOrders: readonly LiveOrder[];
  /**
   * By our order id: when the run that left the live order was last alive, milliseconds since the
   * epoch.
   */
  readonly aliveTimes: ReadonlyMap<string, number>;
  /** The newest final orders whose fee is still a guess, oldest first. */
  readonly guessedOrders: readonly FinalOrder[];
  /** When requests left, milliseconds since the epoch, oldest first: the rate budget's window. */
  readonly requestTimes: readonly number[];
}
