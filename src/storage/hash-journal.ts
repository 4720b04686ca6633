import type { EventKind, Journal, TradingEvent } from '../domain/index.ts';
import { Chains, runHash } from './chain.ts';
import { StorageError } from './errors.ts';
import type { TextBytes } from './text/text-bytes.ts';

/** Takes the lines of a journal while the run goes on. */
export interface LineSink {
  /** The journal appends its lines here. */
  readonly text: TextBytes;
  /** Called when lines were added. @throws from the first that cannot be kept, and ever after. */
  added(): void;
  /** All lines so far are kept when this returns. @throws as `added` does. */
  commit(): void;
}

export interface HashJournalOptions {
  /** Kinds of events that are ignored. Default: none. */
  readonly leavesOut?: ReadonlySet<EventKind>;
  /** Where the lines go. Default: nowhere, they are only hashed. */
  readonly sink?: LineSink | undefined;
  /** Called with every event that is not ignored. */
  readonly onEvent?: ((event: TradingEvent) => void) | undefined;
}

/** Events written in one go: that costs less than one by one between other work. */
const WAITING_MAX = 64;

/**
 * A journal that keeps only its hash, for runs on virtual time; its lines go to a sink, some events
 * at a time. The same events give the same hash as on disk. It holds only the events not yet
 * written, so that memory stays flat however long the run is.
 */
export class HashJournal implements Journal {
  readonly leavesOut: ReadonlySet<EventKind>;
  readonly #options: HashJournalOptions;
  readonly #chains = new Chains();
  #events = 0;
  /** The first `#waits` events are to be written; the others are old ones, not cleared. */
  readonly #waiting: TradingEvent[] = [];
  #waits = 0;
  #closed = false;

  constructor(options: HashJournalOptions = {}) {
    this.#options = options;
    this.leavesOut = options.leavesOut ?? new Set();
  }

  append(event: TradingEvent): void {
    if (this.#closed) {
      throw new StorageError('Cannot append to the journal: it is closed, an open one is wanted');
    }
    if (this.leavesOut.has(event.kind)) return;
    this.#waiting[this.#waits++] = event;
    if (this.#waits === WAITING_MAX) this.#write();
    this.#options.onEvent?.(event);
  }

  /** Nothing to do: no order of such a run leaves this machine. */
  commitOrders(): void {}

  commit(): void {
    this.#write();
    this.#options.sink?.commit();
  }

  close(): void {
    this.#closed = true;
  }

  hash(): string {
    this.#write();
    return runHash(this.#chains.state);
  }

  #write(): void {
    const { sink } = this.#options;
    const count = this.#waits;
    this.#waits = 0;
    for (let at = 0; at < count; at++) {
      this.#chains.addEvent(++this.#events, this.#waiting[at]!, sink?.text);
    }
    sink?.added();
  }
}
