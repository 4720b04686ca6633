import type { TradingEvent } from '../domain/index.ts';
import { messageOf } from '../kernel/index.ts';
import type { Disk, LogFile } from './disk.ts';
import { barrierIn, StorageError, WHOLE_JOURNAL_WANTED } from './errors.ts';
import { putLine } from './text/line.ts';
import { type OrderEvent, reviveOrderEvent } from './text/revive.ts';
import { TextBytes } from './text/text-bytes.ts';

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
  /** What departed, oldest first. */
  readonly #events: TradingEvent[] = [];
  /** Its lines, and where each ends. */
  readonly #lines = new TextBytes();
  readonly #ends: number[] = [];
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

  /** The line of an event that departed, so that it is not made twice. Ask in their order. */
  lineOf(event: TradingEvent): string | undefined {
    if (event !== this.#events[this.#next]) return undefined;
    const from = this.#next === 0 ? 0 : this.#ends[this.#next - 1]! + 1;
    return this.#lines.textOf(from, this.#ends[this.#next++]!);
  }

  /** The journal has them. */
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
