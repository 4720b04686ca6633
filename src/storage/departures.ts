import type { TradingEvent } from '../domain/index.ts';
import { messageOf } from '../kernel/index.ts';
import type { Disk, LogFile } from './disk.ts';
import { barrierIn, StorageError, WHOLE_JOURNAL_WANTED } from './errors.ts';
import { putLine } from './text/line.ts';
import { type OrderEvent, reviveOrderEvent } from './text/revive.ts';
import { TextBytes } from './text/text-bytes.ts';

/** The path of the log beside a journal, whichever link leads to the journal. */
function pathOf(journalPath: string, disk: Disk): string {
  return `${disk.placeOf(journalPath)}.departures`;
}

/**
 * Orders about to leave, on disk before the events that led to them: a log of their lines beside
 * the journal, emptied once the journal itself has them.
 *
 * Every order waits for this write; appending a line costs a tenth of a transaction.
 */
export class Departures {
  readonly #log: LogFile;
  readonly #synced: boolean;
  /** The logged events, oldest first. */
  readonly #events: TradingEvent[] = [];
  /** Their lines, and where each ends. */
  readonly #lines = new TextBytes();
  readonly #ends: number[] = [];
  /** The index of the first event whose line `lineOf` has not returned yet. */
  #next = 0;
  /** False at first: an earlier run may have left lines in the log. */
  #isEmpty = false;

  /** `synced`: what departs survives a loss of power too. */
  constructor(journalPath: string, { disk, synced }: { disk: Disk; synced: boolean }) {
    this.#log = disk.openLog(pathOf(journalPath, disk));
    this.#synced = synced;
  }

  add(events: readonly TradingEvent[]): void {
    this.#isEmpty = false;
    const lines = this.#lines;
    const from = lines.length;
    for (const event of events) {
      putLine(lines, event);
      this.#events.push(event);
      this.#ends.push(lines.length);
      lines.endLine();
    }
    this.#log.append(lines.bytesFrom(from));
    if (this.#synced) this.#log.sync();
  }

  /**
   * The line of a logged event, so that it is not made twice. To be called in the events' order.
   */
  lineOf(event: TradingEvent): string | undefined {
    if (event !== this.#events[this.#next]) return undefined;
    const from = this.#next === 0 ? 0 : this.#ends[this.#next - 1]! + 1;
    return this.#lines.textOf(from, this.#ends[this.#next++]!);
  }

  /** Empties the log: the journal has the events now. */
  clear(): void {
    if (this.#isEmpty) return;
    this.#events.length = 0;
    this.#lines.clear();
    this.#ends.length = 0;
    this.#next = 0;
    this.#log.empty();
    this.#isEmpty = true;
  }

  close(): void {
    this.#log.close();
  }
}

/**
 * The events in a journal's log, oldest first. The order of a torn last line never left.
 *
 * @throws {StorageError} when it cannot be read.
 */
export function departedEvents(journalPath: string, disk: Disk): OrderEvent[] {
  // Earlier versions named the log after the path as given, link or not. The set drops duplicates.
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
