import { createHash, type Hash, hash } from 'node:crypto';
import type { TradingEvent } from '../domain/index.ts';
import { isMarketData, putLine } from './text/line.ts';
import { bytesOf, TextBytes } from './text/text-bytes.ts';

/** Lines hashed per call: a call by itself costs as much as hashing some hundred bytes. */
const BLOCK_LINES = 64;

/** BLAKE2b: twice as fast as SHA-256 on a processor without instructions for SHA-256. */
const ALGORITHM = 'blake2b512';

const NO_KEY = bytesOf('');
const BLANK = bytesOf(' ');

/** The hash before the first line; it names the version of the chain's form. */
const START: string = hash(ALGORITHM, 'tradewind journal 3');

/**
 * A hash over numbered lines that grows with them: BLAKE2b over the hash so far (hex) and the next
 * 64 lines, each behind its number.
 */
class Chain {
  /** The hash as of the last block's end, or as of the last time it was read. */
  #value = START;
  /** The lines added since then, after that hash if they begin a block. */
  readonly #block = new TextBytes();
  #lines = 0;
  /** The unfinished hashing of the present block, if the hash was read within it. */
  #open: Hash | undefined;

  add(sequence: number, line: string): void {
    this.#begin(sequence);
    this.#block.addLine(line);
    this.#end();
  }

  addEvent(sequence: number, event: TradingEvent, copy: TextBytes | undefined): void {
    this.#begin(sequence);
    const from = this.#block.length;
    putLine(this.#block, event);
    this.#block.endLine();
    copy?.putFrom(this.#block, from);
    this.#end();
  }

  get value(): string {
    if (this.#block.length === 0) return this.#value;
    this.#open = (this.#open ?? createHash(ALGORITHM)).update(this.#block.bytes);
    this.#value = this.#open.copy().digest('hex');
    this.#block.clear();
    return this.#value;
  }

  #begin(sequence: number): void {
    if (this.#block.length === 0 && this.#open === undefined) this.#block.add(this.#value);
    this.#block.putNumber(NO_KEY, sequence);
    this.#block.put(BLANK);
  }

  #end(): void {
    if (++this.#lines % BLOCK_LINES === 0) this.#endBlock();
  }

  /** Hashes a full block; in one call, unless the hash was read within it. */
  #endBlock(): void {
    const { bytes } = this.#block;
    this.#value = this.#open?.update(bytes).digest('hex') ?? hash(ALGORITHM, bytes);
    this.#block.clear();
    this.#open = undefined;
  }
}

/** The hashes of a run's two chains after some line. */
export interface ChainState {
  readonly marketData: string;
  /** Over all lines except market data, which may be pruned. */
  readonly others: string;
}

/** The hashes over the lines of a run, market data apart from all others. */
export class Chains {
  readonly #marketData = new Chain();
  readonly #others = new Chain();

  add(sequence: number, { line, isMarketData }: { line: string; isMarketData: boolean }): void {
    (isMarketData ? this.#marketData : this.#others).add(sequence, line);
  }

  /** Adds the line of an event, and appends it to `copy` too. */
  addEvent(sequence: number, event: TradingEvent, copy?: TextBytes): void {
    (isMarketData(event) ? this.#marketData : this.#others).addEvent(sequence, event, copy);
  }

  get state(): ChainState {
    return { marketData: this.#marketData.value, others: this.#others.value };
  }
}

/** The one hash that stands for a whole run. */
export function runHash({ marketData, others }: ChainState): string {
  return hash('sha256', marketData + others);
}
