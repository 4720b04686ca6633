import type { TradingEvent } from '../domain/index.ts';
import { messageOf } from '../kernel/index.ts';
import type { Disk, LogFile } from './disk.ts';
import { barrierIn, StorageError, WHOLE_JOURNAL_WANTED } from './errors.ts';
import { lineOf } from './text/line.ts';
import { type OrderEvent, reviveOrderEvent } from './text/revive.ts';

/** The file beside a journal, whatever name that is called by. */
function pathOf(journalPath: string, disk: Disk): string {
  return `${disk.placeOf(journalPath)}.departures`;
}

/**
 * Orders about to leave, on disk ahead of all that led to them: a log of their lines beside the
 * journal, emptied when the journal itself has them.
 *
 * To append a line to a file costs a tenth of what a transaction does, and it is on the way of every
 * order.
 */
export class Departures {
  readonly #log: LogFile;
  readonly #synced: boolean;
  /** What departed, oldest first, and its lines. */
  readonly #events: TradingEvent[] = [];
  readonly #lines: string[] = [];
  /** The first of them whose line was not asked for yet. */
  #next = 0;
  /** What an earlier run left in the log counts too. */
  #isEmpty = false;

  /** `synced`: what departs survives a loss of power too. */
  constructor(journalPath: string, { disk, synced }: { disk: Disk; synced: boolean }) {
    this.#log = disk.openLog(pathOf(journalPath, disk));
    this.#synced = synced;
  }

  add(events: readonly TradingEvent[]): void {
    this.#isEmpty = false;
    let text = '';
    for (const event of events) {
      const line = lineOf(event);
      this.#events.push(event);
      this.#lines.push(line);
      text += `${line}\n`;
    }
    this.#log.append(text);
    if (this.#synced) this.#log.sync();
  }

  /** The line of an event that departed, so that it is not made twice. Ask in their order. */
  lineOf(event: TradingEvent): string | undefined {
    return event === this.#events[this.#next] ? this.#lines[this.#next++] : undefined;
  }

  /** The journal has them. */
  clear(): void {
    if (this.#isEmpty) return;
    this.#events.length = 0;
    this.#lines.length = 0;
    this.#next = 0;
    this.#log.empty();
    this.#isEmpty = true;
  }

  close(): void {
    this.#log.close();
  }
}

/**
 * What the log of a journal holds, oldest first; a line that was torn never departed.
 *
 * @throws {StorageError} when it cannot be read.
 */
export function departedEvents(journalPath: string, disk: Disk): OrderEvent[] {
  // Earlier versions kept it by the name that the journal was called by. Told twice is told once.
  const paths = new Set([`${journalPath}.departures`, pathOf(journalPath, disk)]);
  return [...paths].flatMap((path) => eventsIn(path, disk));
}

function eventsIn(path: string, disk: Disk): OrderEvent[] {
  try {
    const lines = disk.readLog(path).split('\n');
    return lines.slice(0, -1).map(reviveOrderEvent);
  } catch (thrown) {
    const barrier = barrierIn(thrown, path, 'read');
    const what = barrier ?? `${messageOf(thrown)}, ${WHOLE_JOURNAL_WANTED}`;
    throw new StorageError(`Cannot read ${path}, the orders that left last: ${what}`, {
      cause: thrown,
    });
  }
}
