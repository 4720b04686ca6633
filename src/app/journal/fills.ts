import type {
  Adjustment,
  Amount,
  EventKind,
  Fill,
  LateFee,
  TradingEvent,
} from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';
import type { RecordedFill } from '../../report/index.ts';
import type { RunRecord } from '../../storage/index.ts';
import { tradedPrice } from '../backtest/record/traded-price.ts';
import { damaged, type OpenJournal } from './books.ts';

/** A fill in a journal, or a position that a person set, treated as a fill. */
export interface JournalFill extends RecordedFill {
  /** The run that learnt of it. */
  readonly run: number;
  /** What a person set, exact; undefined for a real fill. */
  readonly adjustment?: Adjustment;
}

/** Decimal places of an average price, beyond those of its market. */
const DIVIDED_SCALE = 8;

/** Events that move positions, except late fees. */
const FILLS = ['fill', 'adjustment'] as const;

/**
 * The fills of some runs in order, with their final fees: a fee booked by a guess is corrected by
 * what was told later, in whichever run. Positions that a person set in between are among them.
 *
 * Reads the fills twice and holds none: what a bot writes in between is left out.
 */
export class JournalFills implements Iterable<JournalFill> {
  readonly #journal: OpenJournal;
  readonly #runs: readonly RunRecord[];
  /** The number, from 0, of each order's last fill. */
  readonly #last = new Map<string, number>();
  /** Late fees, by the number of their fill. */
  readonly #lateFees = new Map<number, Decimal>();
  readonly #markets = new Set<string>();
  #count = 0;

  /** @throws {AppError} `journal` where a fee was told of an order that has no fill. */
  constructor(journal: OpenJournal, runs: readonly RunRecord[]) {
    this.#journal = journal;
    this.#runs = runs;
    for (const { event } of this.#events([...FILLS, 'lateFee'])) {
      if (event.kind === 'lateFee') this.#addFee(event.lateFee);
      if (event.kind !== 'fill' && event.kind !== 'adjustment') continue;
      if (event.kind === 'fill') this.#last.set(event.fill.clientOrderId, this.#count);
      this.#count++;
      this.#markets.add(event.market);
    }
  }

  get markets() {
    return Array.from(this.#markets, this.#journal.marketOf);
  }

  [Symbol.iterator](): Generator<JournalFill> {
    return this.upTo(Number.POSITIVE_INFINITY);
  }

  /** The fills of the runs up to one, with late fees that later runs were told of. */
  *upTo(last: number): Generator<JournalFill> {
    let number = 0;
    for (const { run, event } of this.#events(FILLS)) {
      if (number === this.#count || run > last) return;
      // Market data may be gone or was never kept: figures must not depend on it.
      if (event.kind === 'fill') yield { ...this.#withFee(event.fill, number), run, passed: {} };
      else if (event.kind === 'adjustment') yield { ...this.#asFill(event), run, passed: {} };
      else continue;
      number++;
    }
  }

  #withFee(fill: Fill, number: number) {
    const market = this.#journal.marketOf(fill.market);
    const late = this.#lateFees.get(number);
    return {
      ...fill,
      price: tradedPrice(fill, { market, lastPrice: undefined }),
      fee: late === undefined ? fill.fee : fill.fee.plus(late),
      completes: this.#last.get(fill.clientOrderId) === number,
    };
  }

  /** A position that a person set, as the fill of an unknown order. */
  #asFill(adjustment: Adjustment) {
    const { market, strategy, before, after, value, time } = adjustment;
    const { quote, priceScale } = this.#journal.marketOf(market);
    const amount = after.minus(before);
    const price = value.dividedBy(amount, priceScale + DIVIDED_SCALE, 'nearest').toNumber();
    const side = amount.sign > 0 ? ('buy' as const) : ('sell' as const);
    return {
      ...{ market, strategy, side, price, time, adjustment, completes: true },
      ...{ clientOrderId: '', exchangeOrderId: '', fee: Decimal.ZERO, feeCurrency: quote },
      ...{ amount: amount.abs().toNumber() as Amount, value: value.abs() },
    };
  }

  /** Adds a late fee to its order's last fill, as the records of a backtest do. */
  #addFee({ clientOrderId, fee }: LateFee): void {
    const number = this.#last.get(clientOrderId);
    if (number === undefined) {
      const what = `a fee was told of order ${clientOrderId}, which has no fill there`;
      throw damaged(this.#journal.path, what);
    }
    this.#lateFees.set(number, (this.#lateFees.get(number) ?? Decimal.ZERO).plus(fee));
  }

  *#events(
    kinds: readonly EventKind[],
  ): Generator<{ readonly run: number; readonly event: TradingEvent }> {
    for (const { id: run } of this.#runs) {
      for (const { event } of this.#journal.reader.events({ run, kinds })) yield { run, event };
    }
  }
}
