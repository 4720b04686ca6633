import { Decimal } from '../../kernel/index.ts';
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

  *[Symbol.iterator](): Generator<RecordedFill> {
    for (let block = 0; block < this.#spool.length; block++) {
      for (const fill of this.#spool.get(block)) yield restored(fill);
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
