import type { EventKind, Journal, TradingEvent } from '../../../domain/index.ts';
import { Chains, runHash, type TextBytes } from '../../../storage/index.ts';

/**
 * What came from outside: the data name it, and the simulated exchange and its clock make it again.
 * Timers of a strategy may go off a thousand times for each of its wishes.
 */
const INPUTS: ReadonlySet<EventKind> = new Set([
  ...(['ticker', 'depth', 'trade', 'candle', 'timer'] as const),
  ...(['gap', 'freshness', 'connection', 'orderPush', 'balancePush'] as const),
]);

/** Takes the lines of a journal as the run goes on. */
export interface LineSink {
  /** Lines are added to its end. */
  readonly text: TextBytes;
  /** Some were added. @throws when they cannot be kept, then and ever after. */
  added(): void;
  /** All lines so far are kept when this returns. @throws as `added` does. */
  commit(): void;
}

/** Events that are written at once: in a row they cost less than one by one, between other work. */
const WAITING_MAX = 64;

export interface RunJournalOptions {
  /** Where the lines go. Default: nowhere, they are hashed alone. */
  readonly sink?: LineSink | undefined;
  /** Hears every event that is journalled. */
  readonly onEvent?: ((event: TradingEvent) => void) | undefined;
}

/**
 * Hashes the decisions and effects of a run in their order, none of its inputs, and hands their
 * lines on, some events at a time. Holds on to no more than these: memory stays flat however long the
 * run is.
 */
export class RunJournal implements Journal {
  readonly leavesOut = INPUTS;
  readonly #options: RunJournalOptions;
  readonly #chains = new Chains();
  #events = 0;
  /** The events that wait to be written, then those of before: see `#waits`. */
  readonly #waiting: TradingEvent[] = [];
  #waits = 0;

  constructor(options: RunJournalOptions = {}) {
    this.#options = options;
  }

  append(event: TradingEvent): void {
    if (INPUTS.has(event.kind)) return;
    this.#waiting[this.#waits++] = event;
    if (this.#waits === WAITING_MAX) this.#write();
    this.#options.onEvent?.(event);
  }

  /** Nothing to do: no order of a backtest leaves this machine. */
  commitOrders(): void {}

  commit(): void {
    this.#write();
    this.#options.sink?.commit();
  }

  /** Nothing to let go of. */
  close(): void {}

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
