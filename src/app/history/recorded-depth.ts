import type { Depth, Level, Trade } from '../../domain/index.ts';
import { DEPTH_EVENTS } from '../../history/index.ts';
import { MINUTE_MS } from '../../kernel/index.ts';
import type { RecordedRows } from './recorded-rows.ts';

/** How often a whole book is written even without a gap, so that a scan can begin there. */
const WHOLE_BOOK_MS = MINUTE_MS;
/** The reason of a gap of rows that found no room. */
export const DISK_SLOW = 'the disk was slower than the market';

type Side = 1 | -1;

/**
 * Writes the book of a market as rows: whole at the start, after each gap and at intervals, and its
 * changes in between; also trades, in the order in which they come.
 */
export class RecordedDepth {
  readonly #rows: RecordedRows;
  #update: number;
  /** The amounts by price of the last book; undefined while none is known. */
  #book: { readonly bids: Map<number, number>; readonly asks: Map<number, number> } | undefined;
  #wholeTime = 0;
  /** The exchange's time of the first book. */
  #beginTime = Number.POSITIVE_INFINITY;

  /** `last`: number of the last update in the dataset, 0 without one, and when its row came. */
  constructor(
    rows: RecordedRows,
    last: { readonly update: number; readonly received: number | undefined },
  ) {
    this.#rows = rows;
    this.#update = last.update;
    const { lastTime } = rows;
    // Files hold rows by the day on which they came: this row belongs behind the last one.
    if (lastTime !== undefined) this.#gapRow(lastTime, last.received ?? lastTime);
  }

  book({ bids, asks, exchangeTime, receivedTime }: Depth): void {
    if (this.#rows.isFull) {
      this.lose(DISK_SLOW, receivedTime);
      return;
    }
    const before = this.#book;
    const isEmpty = bids.length + asks.length === 0;
    if (before === undefined && isEmpty) return;
    const stamps = [exchangeTime, receivedTime, ++this.#update];
    const isDue = receivedTime - this.#wholeTime >= WHOLE_BOOK_MS;
    const isWhole = before === undefined || (isDue && !isEmpty);
    if (isWhole) this.#wholeTime = receivedTime;
    this.#beginTime = Math.min(this.#beginTime, exchangeTime);
    this.#book = { bids: new Map(bids), asks: new Map(asks) };
    const write = (
      side: Side,
      levels: readonly Level[],
      known = new Map<number, number>(),
    ): void => {
      for (const [price, amount] of isWhole ? levels : changesOf(levels, known)) {
        const event = isWhole ? DEPTH_EVENTS.snapshot : DEPTH_EVENTS.change;
        this.#rows.push([...stamps, event, side, price, amount]);
      }
    };
    write(1, bids, before?.bids);
    write(-1, asks, before?.asks);
  }

  /** Takes a trade; those from before the first book are left out. */
  trade({ exchangeTime, receivedTime, side, price, amount }: Trade): void {
    if (exchangeTime < this.#beginTime) return;
    if (this.#rows.isFull) {
      this.lose(DISK_SLOW, receivedTime);
      return;
    }
    const taker = side === 'buy' ? 1 : -1;
    const cells = [++this.#update, DEPTH_EVENTS.trade, taker, price, amount];
    // A trade does not end a gap: it is the book that is unknown.
    this.#rows.mark([exchangeTime, receivedTime, ...cells]);
  }

  /** The book is not known from here on. */
  lose(reason: string, receivedTime: number): void {
    if (this.#book === undefined) return;
    this.#book = undefined;
    this.#rows.lose(reason);
    this.#gapRow(this.#rows.lastTime ?? receivedTime, receivedTime);
  }

  #gapRow(time: number, receivedTime: number): void {
    this.#rows.mark([time, receivedTime, ++this.#update, DEPTH_EVENTS.gap, 1, 0, 0]);
  }
}

/** The levels that are new or have another amount, and those that are gone, with amount 0. */
function changesOf(levels: readonly Level[], known: ReadonlyMap<number, number>): Level[] {
  const changes = levels.filter(([price, amount]) => known.get(price) !== amount);
  const prices = new Set(levels.map(([price]) => price));
  const gone = [...known.keys()].filter((price) => !prices.has(price));
  return [...gone.map((price) => [price, 0] as const), ...changes];
}
