import type { LateFee } from '../../domain/index.ts';
import { assert, Decimal } from '../../kernel/index.ts';
import type { RecordedFill } from '../../report/index.ts';
import type { Spool } from './spool.ts';

/** Fills that are put away at once. */
const BLOCK_FILLS = 1_024;

/** A fill as a spool holds it: its exact amounts as text. */
export interface SpooledFill extends Omit<RecordedFill, 'value' | 'fee'> {
  readonly value: string;
  readonly fee: string;
}

/** Every fill in the order in which they were learnt: the newest as objects, the others put away. */
export class FillLog implements Iterable<RecordedFill> {
  readonly #spool: Spool<readonly SpooledFill[]>;
  #newest: RecordedFill[] = [];
  /** What was told later of fills that are put away: their fees, by their numbers from 0. */
  readonly #lateFees = new Map<number, Decimal>();

  constructor(spool: Spool<readonly SpooledFill[]>) {
    this.#spool = spool;
  }

  get length(): number {
    return this.#spool.length * BLOCK_FILLS + this.#newest.length;
  }

  add(fill: RecordedFill): void {
    this.#newest.push(fill);
    if (this.#newest.length < BLOCK_FILLS) return;
    this.#spool.put(this.#newest.map(spooled));
    this.#newest = [];
  }

  /** Adds a fee that was told later to that of the last fill of its order. */
  addFee({ clientOrderId, fee }: LateFee): void {
    const isIts = (fill: { readonly clientOrderId: string }) =>
      fill.clientOrderId === clientOrderId;
    const at = this.#newest.findLastIndex(isIts);
    const fill = this.#newest[at];
    if (fill !== undefined) {
      this.#newest[at] = { ...fill, fee: fill.fee.plus(fee) };
      return;
    }
    for (let block = this.#spool.length - 1; block >= 0; block--) {
      const place = this.#spool.get(block).findLastIndex(isIts);
      if (place < 0) continue;
      const number = block * BLOCK_FILLS + place;
      this.#lateFees.set(number, (this.#lateFees.get(number) ?? Decimal.ZERO).plus(fee));
      return;
    }
    assert(false, `a fee was told of order ${clientOrderId}, which has no fill`);
  }

  *[Symbol.iterator](): Generator<RecordedFill> {
    let number = 0;
    for (let block = 0; block < this.#spool.length; block++) {
      for (const spooledFill of this.#spool.get(block)) {
        const fill = restored(spooledFill);
        const fee = this.#lateFees.get(number++);
        yield fee === undefined ? fill : { ...fill, fee: fill.fee.plus(fee) };
      }
    }
    yield* this.#newest;
  }
}

function spooled({ value, fee, ...fill }: RecordedFill): SpooledFill {
  return { ...fill, value: value.toString(), fee: fee.toString() };
}

function restored({ value, fee, ...fill }: SpooledFill): RecordedFill {
  return { ...fill, value: Decimal.of(value), fee: Decimal.of(fee) };
}
