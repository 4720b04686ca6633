import type { LateFee, TradingEvent } from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';
import type { RecordedFill } from '../../report/index.ts';
import type { RunRecord } from '../../storage/index.ts';
import { tradedPrice } from '../backtest/record/traded-price.ts';
import { damaged, type OpenJournal } from './books.ts';

/** A fill of a journal. */
export interface JournalFill extends RecordedFill {
  /** The run that learnt of it. */
  readonly run: number;
}

/**
 * The fills of some runs in their order, each with its fee as the exchange told it in the end: what a
 * run booked by a guess counts as it was told later, in whichever run that was.
 *
 * Two passes over the fills, none of which is held: what a bot writes between them is left out.
 */
export class JournalFills implements Iterable<JournalFill> {
  readonly #journal: OpenJournal;
  readonly #runs: readonly RunRecord[];
  /** Of the last fill of each order, the number from 0. */
  readonly #last = new Map<string, number>();
  /** What was told later, by the number of the fill. */
  readonly #lateFees = new Map<number, Decimal>();
  readonly #markets = new Set<string>();
  #count = 0;

  /** @throws {AppError} `journal` where a fee was told of an order that has no fill. */
  constructor(journal: OpenJournal, runs: readonly RunRecord[]) {
    this.#journal = journal;
    this.#runs = runs;
    for (const { event } of this.#bookings(['fill', 'lateFee'])) {
      if (event.kind === 'lateFee') this.#addFee(event.lateFee);
      if (event.kind !== 'fill') continue;
      this.#last.set(event.fill.clientOrderId, this.#count++);
      this.#markets.add(event.market);
    }
  }

  /** The markets of the fills. */
  get markets() {
    return Array.from(this.#markets, this.#journal.marketOf);
  }

  [Symbol.iterator](): Generator<JournalFill> {
    return this.upTo(Number.POSITIVE_INFINITY);
  }

  /** Those of the runs up to one, with what later ones were told of their fees. */
  *upTo(last: number): Generator<JournalFill> {
    let number = 0;
    for (const { run, event } of this.#bookings(['fill'])) {
      if (event.kind !== 'fill') continue;
      if (number === this.#count || run > last) return;
      const { fill } = event;
      const market = this.#journal.marketOf(fill.market);
      const late = this.#lateFees.get(number);
      yield {
        ...fill,
        run,
        price: tradedPrice(fill, { market, lastPrice: undefined }),
        fee: late === undefined ? fill.fee : fill.fee.plus(late),
        completes: this.#last.get(fill.clientOrderId) === number,
        // Market data may be gone, or was never kept: figures must not hang on that.
        passed: {},
      };
      number++;
    }
  }

  /** To that of the last fill of its order, as the records of a backtest have it. */
  #addFee({ clientOrderId, fee }: LateFee): void {
    const number = this.#last.get(clientOrderId);
    if (number === undefined) {
      const what = `a fee was told of order ${clientOrderId}, which has no fill there`;
      throw damaged(this.#journal.path, what);
    }
    this.#lateFees.set(number, (this.#lateFees.get(number) ?? Decimal.ZERO).plus(fee));
  }

  *#bookings(
    kinds: readonly ('fill' | 'lateFee')[],
  ): Generator<{ readonly run: number; readonly event: TradingEvent }> {
    for (const { id: run } of this.#runs) {
      for (const { event } of this.#journal.reader.events({ run, kinds })) yield { run, event };
    }
  }
}
