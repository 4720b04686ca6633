import type { LateFee } from '../../../domain/index.ts';
import { assert, Decimal } from '../../../kernel/index.ts';
import type { RecordedFill } from '../../../report/index.ts';
import { type FillColumns, fillAt, fillColumns } from './fill-columns.ts';
import type { Spool } from './spool.ts';

/** Fills in a block of the spool. */
const BLOCK_FILLS = 1_024;

/** Every fill in the order in which it became known: all but the newest as columns in a spool. */
export class FillLog implements Iterable<RecordedFill> {
  readonly #spool: Spool<FillColumns>;
  #newest: RecordedFill[] = [];
  /** Fees told late for fills in the spool, by the fill's number from 0. */
  readonly #lateFees = new Map<number, Decimal>();

  constructor(spool: Spool<FillColumns>) {
    this.#spool = spool;
  }

  get length(): number {
    return this.#spool.length * BLOCK_FILLS + this.#newest.length;
  }

  add(fill: RecordedFill): void {
    this.#newest.push(fill);
    if (this.#newest.length < BLOCK_FILLS) return;
    this.#spool.put(fillColumns(this.#newest));
    this.#newest = [];
  }

  /** Adds a fee that was told late to the fee of its order's last fill. */
  addFee({ clientOrderId, fee }: LateFee): void {
    const at = this.#newest.findLastIndex((fill) => fill.clientOrderId === clientOrderId);
    if (at >= 0) {
      this.#newest[at] = charged(this.#newest[at]!, fee);
      return;
    }
    for (let block = this.#spool.length - 1; block >= 0; block--) {
      const place = this.#spool.get(block).clientOrderId.lastIndexOf(clientOrderId);
      if (place < 0) continue;
      const number = block * BLOCK_FILLS + place;
      this.#lateFees.set(number, (this.#lateFees.get(number) ?? Decimal.ZERO).plus(fee));
      return;
    }
    assert(false, `a fee was told of order ${clientOrderId}, which has no fill`);
  }

  *[Symbol.iterator](): Generator<RecordedFill> {
    for (let block = 0; block < this.#spool.length; block++) {
      const columns = this.#spool.get(block);
      for (let at = 0; at < BLOCK_FILLS; at++) {
        const fee = this.#lateFees.get(block * BLOCK_FILLS + at);
        const fill = fillAt(columns, at);
        yield fee === undefined ? fill : charged(fill, fee);
      }
    }
    yield* this.#newest;
  }
}

function charged(fill: RecordedFill, fee: Decimal): RecordedFill {
  return { ...fill, fee: fill.fee.plus(fee) };
}
