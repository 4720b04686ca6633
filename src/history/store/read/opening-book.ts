import type { DepthColumns } from '../../../domain/index.ts';
import { DEPTH_EVENTS } from '../kinds.ts';
import { type DatasetOf, openScan } from './scan.ts';

/** The number of the update that opens a period. No recording has it. */
export const OPENING_UPDATE = -1;

/**
 * The book as it stands when a period begins in the middle of a recording, as one whole book of
 * that moment; undefined where none is known: before the first whole one, and in a gap.
 *
 * Rows before it are read in the order in which they were recorded, whatever their stamps say. They
 * are not played: nobody trades on them.
 */
export async function openingBook(
  dataset: DatasetOf<'depth'>,
  from: number,
): Promise<DepthColumns | undefined> {
  const parts = await partsFromWholeBook(dataset, from);
  const book = new OpeningBook();
  for await (const rows of openScan({ ...dataset, parts }, { to: from })) book.observe(rows);
  return book.columns(from);
}

/** The files from the one in which the last whole book before `before` begins. */
async function partsFromWholeBook(
  dataset: DatasetOf<'depth'>,
  before: number,
): Promise<DatasetOf<'depth'>['parts']> {
  const { parts } = dataset;
  for (let first = parts.length - 1; first >= 0; first--) {
    const time = await wholeBookTime({ ...dataset, parts: [parts[first]!] }, before);
    if (time === undefined) continue;
    // It may have begun in the file before.
    while (first > 0 && parts[first - 1]!.lastTime >= time) first--;
    return parts.slice(first);
  }
  return [];
}

/** When the last whole book in some files was recorded; undefined where there is none. */
async function wholeBookTime(
  dataset: DatasetOf<'depth'>,
  before: number,
): Promise<number | undefined> {
  let found: number | undefined;
  for await (const { time, event } of openScan(dataset, { to: before })) {
    const at = event.lastIndexOf(DEPTH_EVENTS.snapshot);
    if (at >= 0) found = time[at]!;
  }
  return found;
}

/** A simple book built from rows of depth: the amount at each price. */
class OpeningBook {
  readonly #bids = new Map<number, number>();
  readonly #asks = new Map<number, number>();
  #update = Number.NaN;
  #isKnown = false;
  /**
   * The delay of the newest row, from the exchange to the recorder, milliseconds; NaN if unknown.
   */
  #delayMs = Number.NaN;

  observe({ time, received, update, event, side, price, amount }: DepthColumns): void {
    for (let at = 0; at < time.length; at++) {
      const what = event[at]!;
      if (what === DEPTH_EVENTS.trade) continue;
      this.#delayMs = received[at]! - time[at]!;
      if (what === DEPTH_EVENTS.gap) {
        this.#isKnown = false;
        continue;
      }
      if (what === DEPTH_EVENTS.snapshot && update[at] !== this.#update) this.#clear();
      this.#update = update[at]!;
      const levels = side[at]! > 0 ? this.#bids : this.#asks;
      if (amount[at]! > 0) levels.set(price[at]!, amount[at]!);
      else levels.delete(price[at]!);
    }
  }

  /** The book as rows of a whole one, best levels first; undefined where it is not known. */
  columns(time: number): DepthColumns | undefined {
    const bids = [...this.#bids].sort(([a], [b]) => b - a);
    const asks = [...this.#asks].sort(([a], [b]) => a - b);
    const levels = [...bids, ...asks];
    if (!this.#isKnown || levels.length === 0) return undefined;
    const column = (of: (at: number) => number): Float64Array =>
      Float64Array.from(levels, (_, at) => of(at));
    return {
      time: column(() => time),
      received: column(() => time + this.#delayMs),
      update: column(() => OPENING_UPDATE),
      event: column(() => DEPTH_EVENTS.snapshot),
      side: column((at) => (at < bids.length ? 1 : -1)),
      price: column((at) => levels[at]![0]),
      amount: column((at) => levels[at]![1]),
    };
  }

  #clear(): void {
    this.#bids.clear();
    this.#asks.clear();
    this.#isKnown = true;
  }
}
