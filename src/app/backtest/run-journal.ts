import type { EventKind, Journal, TradingEvent } from '../../domain/index.ts';
import { Chains, journalLine, runHash } from '../../storage/index.ts';

/** What came from outside: the data name it, and the simulated exchange makes it again. */
const INPUTS: ReadonlySet<EventKind> = new Set([
  ...(['ticker', 'depth', 'trade', 'candle'] as const),
  ...(['gap', 'freshness', 'connection', 'orderPush', 'balancePush'] as const),
]);

/** Keeps the decisions and effects of a run, in their order, and none of its inputs. */
export class RunJournal implements Journal {
  readonly events: TradingEvent[] = [];
  readonly #lines: string[] = [];
  readonly #chains = new Chains();

  append(event: TradingEvent): void {
    if (!INPUTS.has(event.kind)) this.events.push(event);
  }

  /** The events so far, a line each. */
  get lines(): readonly string[] {
    this.#write();
    return this.#lines;
  }

  /** The hash over all lines so far. */
  hash(): string {
    this.#write();
    return runHash(this.#chains.state);
  }

  /** Nothing to do: it is written when the run is over. */
  commitOrders(): void {}

  /** Nothing to do likewise. */
  commit(): void {}

  /** Nothing to let go of. */
  close(): void {}

  #write(): void {
    for (let at = this.#lines.length; at < this.events.length; at++) {
      const line = journalLine(this.events[at]!);
      this.#lines.push(line);
      this.#chains.add(at + 1, { line, isMarketData: false });
    }
  }
}
