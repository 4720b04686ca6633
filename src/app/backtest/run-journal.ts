import type { EventKind, Journal, TradingEvent } from '../../domain/index.ts';
import { Chains, journalLine, runHash } from '../../storage/index.ts';

/** What came from outside: the data name it, and the simulated exchange makes it again. */
const INPUTS: ReadonlySet<EventKind> = new Set([
  ...(['ticker', 'depth', 'trade', 'candle'] as const),
  ...(['gap', 'freshness', 'connection', 'orderPush', 'balancePush'] as const),
]);

/** Takes the lines of a journal as the run goes on. */
export interface LineSink {
  /** Takes a line, without its end. @throws when it cannot be kept, then and ever after. */
  add(line: string): void;
  /** All lines so far are kept when this returns. @throws as `add` does. */
  commit(): void;
}

export interface RunJournalOptions {
  /** Where the lines go. Default: nowhere, they are hashed alone. */
  readonly sink?: LineSink | undefined;
  /** Hears every event that is journalled. */
  readonly onEvent?: ((event: TradingEvent) => void) | undefined;
}

/**
 * Hashes the decisions and effects of a run in their order, none of its inputs, and hands their
 * lines on. Holds on to nothing: memory stays flat however long the run is.
 */
export class RunJournal implements Journal {
  readonly leavesOut = INPUTS;
  readonly #options: RunJournalOptions;
  readonly #chains = new Chains();
  #events = 0;

  constructor(options: RunJournalOptions = {}) {
    this.#options = options;
  }

  append(event: TradingEvent): void {
    if (INPUTS.has(event.kind)) return;
    const { sink, onEvent } = this.#options;
    const line = journalLine(event);
    sink?.add(line);
    this.#chains.add(++this.#events, { line, isMarketData: false });
    onEvent?.(event);
  }

  /** Nothing to do: no order of a backtest leaves this machine. */
  commitOrders(): void {}

  commit(): void {
    this.#options.sink?.commit();
  }

  /** Nothing to let go of. */
  close(): void {}

  hash(): string {
    return runHash(this.#chains.state);
  }
}
