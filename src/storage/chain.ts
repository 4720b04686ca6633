import { createHash, type Hash, hash } from 'node:crypto';
import type { TradingEvent } from '../domain/index.ts';
import { isMarketData, putLine } from './text/line.ts';
import { bytesOf, TextBytes } from './text/text-bytes.ts';

/** Lines that are hashed at once: a call costs as much as the hashing of some hundred bytes. */
const BLOCK_LINES = 64;

/** BLAKE2b: twice as fast as SHA-256 where the processor has no instructions for that. */
const ALGORITHM = 'blake2b512';

const NO_KEY = bytesOf('');
const BLANK = bytesOf(' ');

/** The hash before the first line; names the form of the chain. */
const START: string = hash(ALGORITHM, 'tradewind journal 3');

/**
 * A hash over numbered lines that grows with them: BLAKE2b over the hash so far (hex) and the next
 * 64 lines, each behind its number.
 */
class Chain {
  /** The hash when it was last asked for, or a block ended. */
  #value = START;
  /** The lines since then, behind the hash that they go on from where nothing is open. */
  readonly #block = new TextBytes();
  #lines = 0;
  /** What that hash came of, where it was asked for within a block. */
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

  /** Where nobody asked within the block one call does it. */
  #endBlock(): void {
    const { bytes } = this.#block;
    this.#value = this.#open?.update(bytes).digest('hex') ?? hash(ALGORITHM, bytes);
    this.#block.clear();
    this.#open = undefined;
  }
}

/** How the chains of a run stand after some line. */
export interface ChainState {
  readonly marketData: string;
  /** Over all lines but those of market data, which may be pruned. */
  readonly others: string;
}

/** The hashes over the lines of a run, market data apart from all others. */
export class Chains {
  readonly #marketData = new Chain();
  readonly #others = new Chain();

  add(sequence: number, { line, isMarketData }: { line: string; isMarketData: boolean }): void {
    (isMarketData ? this.#marketData : this.#others).add(sequence, line);
  }

  /** Adds the line of an event, to the end of `copy` too. */
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
