import type { DepthColumns, QuoteColumns } from '../../../domain/index.ts';
import { DEPTH_EVENTS, type Gap } from '../../../history/index.ts';
import { eachColumn } from './each-column.ts';

/** Most rows of one quote: its time is that of another, both sides move and a gap begins. */
const ROWS_MAX = 7;

export interface QuoteRowsOptions {
  /** The quote that stands when the rows begin. Undefined: none is known. */
  readonly standing: QuoteColumns | undefined;
  /** Where rows are known to be missing, in order of time. */
  readonly gaps: readonly Gap[];
}

/**
 * Turns quotes into rows of a book with one level a side: a whole book at the beginning and after
 * each gap, changes otherwise. The arrays of a chunk are reused, so they are valid only until the
 * next chunk is requested.
 */
export async function* quoteRows(
  chunks: AsyncIterable<QuoteColumns>,
  { standing, gaps }: QuoteRowsOptions,
): AsyncGenerator<DepthColumns> {
  const rows = new QuoteRows(gaps);
  if (standing !== undefined) yield rows.of(standing);
  for await (const chunk of chunks) yield rows.of(chunk);
}

/** How many quotes the rows before `end` come from, by the numbers that `quoteRows` gave them. */
export function quotesIn({ update }: DepthColumns, end: number): number {
  return end === 0 ? 0 : Math.floor(update[end - 1]!) - Math.floor(update[0]!) + 1;
}

class QuoteRows {
  readonly #gaps: readonly Gap[];
  #nextGap = 0;
  #isInGap = false;
  /** Whether a quote with a price on either side came since the beginning or the last gap. */
  #isKnown = false;
  /** The number of the newest quote; a gap is numbered halfway to the next one. */
  #update = 0;
  /** The newest quote; 0 where a side is empty. */
  #time = Number.NaN;
  #received = Number.NaN;
  #bid = 0;
  #bidAmount = 0;
  #ask = 0;
  #askAmount = 0;
  #columns = columnsOf(0);
  #length = 0;

  constructor(gaps: readonly Gap[]) {
    this.#gaps = gaps;
  }

  of(quotes: QuoteColumns): DepthColumns {
    const room = quotes.time.length * ROWS_MAX;
    if (this.#columns.time.length < room) this.#columns = columnsOf(room);
    this.#length = 0;
    for (let at = 0; at < quotes.time.length; at++) this.#add(quotes, at);
    return eachColumn(this.#columns, (column) => column.subarray(0, this.#length));
  }

  #add(quotes: QuoteColumns, at: number): void {
    const time = quotes.time[at]!;
    this.#endGap(time);
    if (this.#isInGap) return;
    const isSameTime = time === this.#time;
    this.#update = Math.floor(this.#update) + 1;
    this.#time = time;
    this.#received = quotes.received[at]!;
    const before = this.#length;
    if (!this.#isKnown) this.#begin(quotes, at);
    else {
      // Of two quotes at one time the first is told when the first row of the second comes. Orders
      // that this sets off have to meet the first quote whole, so that row changes nothing.
      if (isSameTime) this.#repeat();
      this.#change(quotes, at);
      if (this.#length === before) this.#repeat();
    }
    this.#bid = quotes.bid[at]!;
    this.#bidAmount = quotes.bidAmount[at]!;
    this.#ask = quotes.ask[at]!;
    this.#askAmount = quotes.askAmount[at]!;
    this.#beginGap(time);
  }

  /** A whole book. */
  #begin({ bid, bidAmount, ask, askAmount }: QuoteColumns, at: number): void {
    const { snapshot } = DEPTH_EVENTS;
    if (bid[at]! > 0) this.#row(snapshot, 1, bid[at]!, bidAmount[at]!);
    if (ask[at]! > 0) this.#row(snapshot, -1, ask[at]!, askAmount[at]!);
    this.#isKnown = bid[at]! > 0 || ask[at]! > 0;
  }

  /** Adds new levels before removing old ones, so that the book always has both sides. */
  #change({ bid, bidAmount, ask, askAmount }: QuoteColumns, at: number): void {
    const { change } = DEPTH_EVENTS;
    const isBidMoved = bid[at] !== this.#bid;
    const isAskMoved = ask[at] !== this.#ask;
    if (bid[at]! > 0 && (isBidMoved || bidAmount[at] !== this.#bidAmount)) {
      this.#row(change, 1, bid[at]!, bidAmount[at]!);
    }
    if (ask[at]! > 0 && (isAskMoved || askAmount[at] !== this.#askAmount)) {
      this.#row(change, -1, ask[at]!, askAmount[at]!);
    }
    if (isBidMoved && this.#bid > 0) this.#row(change, 1, this.#bid, 0);
    if (isAskMoved && this.#ask > 0) this.#row(change, -1, this.#ask, 0);
  }

  /** A row that is heard and changes nothing. */
  #repeat(): void {
    this.#row(DEPTH_EVENTS.change, 1, 0, 0);
  }

  #endGap(time: number): void {
    for (let gap = this.#gaps[this.#nextGap]; gap !== undefined && time >= gap.to; ) {
      if (this.#isInGap) this.#isKnown = false;
      this.#isInGap = false;
      gap = this.#gaps[++this.#nextGap];
    }
  }

  #beginGap(time: number): void {
    if (time < (this.#gaps[this.#nextGap]?.from ?? Number.POSITIVE_INFINITY)) return;
    this.#isInGap = true;
    this.#update += 0.5;
    // The quote before a gap is heard before anybody knows of the gap.
    this.#repeat();
    this.#row(DEPTH_EVENTS.gap, 1, 0, 0);
  }

  #row(event: number, side: number, price: number, amount: number): void {
    const columns = this.#columns;
    const at = this.#length++;
    columns.time[at] = this.#time;
    columns.received[at] = this.#received;
    columns.update[at] = this.#update;
    columns.event[at] = event;
    columns.side[at] = side;
    columns.price[at] = price;
    columns.amount[at] = amount;
  }
}

function columnsOf(length: number): DepthColumns {
  const column = (): Float64Array => new Float64Array(length);
  return {
    ...{ time: column(), received: column(), update: column(), event: column() },
    ...{ side: column(), price: column(), amount: column() },
  };
}
