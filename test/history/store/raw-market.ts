import { createHash } from 'node:crypto';
import {
  type Dataset,
  type DatasetOf,
  DEPTH_EVENTS,
  type ImportOptions,
  importFiles,
  openScan,
} from '../../../src/history/index.ts';
import { HOUR_MS, type Random, seededRandom } from '../../../src/kernel/index.ts';
import { NaiveBook } from '../fixture.ts';
import { rowsOf, Store } from './fixture.ts';

/** By how much the recorder's clock is behind the exchange's. */
const RECORDER_BEHIND_MS = 1_250;

/** Updates of a book that one message tells. */
const UPDATES_MAX = 4;

type Side = 'buy' | 'sell';

/** A market that writes raw messages, and knows what its book was after each of them. */
export class RawMarket {
  readonly #random: Random;
  readonly #isFutures: boolean;
  readonly #levels = { buy: new Map<number, number>(), sell: new Map<number, number>() };
  /** The best bid and ask behind each message of changes, by its time. */
  readonly bestAt = new Map<number, NaiveBook['best']>();
  #time: number;
  #updateId = 1_000;
  /** The last update of this market, and the last one that a line of changes told. */
  #own = 1_000;
  #told = 1_000;
  #trades = 0;
  #touched = { buy: new Set<number>(), sell: new Set<number>() };

  constructor({ seed = 1, time = Date.parse('2024-08-08T23:59:59Z'), isFutures = false } = {}) {
    this.#random = seededRandom(seed);
    this.#time = time;
    this.#isFutures = isFutures;
    for (let at = 1; at <= 5; at++) {
      this.#levels.buy.set(100 - at, at);
      this.#levels.sell.set(100 + at, at);
    }
  }

  get time(): number {
    return this.#time;
  }

  /** Lets time pass in which nothing happens. */
  wait(ms: number): void {
    this.#time += ms;
  }

  /** Changes the book, without a message so far. */
  change(): void {
    const side: Side = this.#random.integer(2) === 0 ? 'buy' : 'sell';
    const price = side === 'buy' ? 99 - this.#random.integer(6) : 101 + this.#random.integer(6);
    const amount = this.#random.integer(4);
    const levels = this.#levels[side];
    if (amount > 0) levels.set(price, amount);
    else if (levels.size > 1) levels.delete(price);
    this.#touched[side].add(price);
    this.#own = ++this.#updateId;
  }

  /** A line with what changed since the last such line. */
  diff(): string {
    this.#time += 100;
    // The ids of futures skip those of other markets.
    const isNew = this.#own === this.#told;
    if (this.#isFutures && isNew) this.#updateId += this.#random.integer(3);
    const firstUpdateId = isNew ? this.#updateId + 1 : this.#told + 1;
    for (let count = 1 + this.#random.integer(UPDATES_MAX); count > 0; count--) this.change();
    const rows = (side: Side): string[][] =>
      [...this.#touched[side]].map((price) => [
        price.toFixed(2),
        (this.#levels[side].get(price) ?? 0).toFixed(3),
      ]);
    const data = {
      ...{ e: 'depthUpdate', E: this.#time },
      ...(this.#isFutures && { T: this.#time }),
      ...{ s: 'BTCUSDT', U: firstUpdateId, u: this.#own },
      ...(this.#isFutures && { pu: this.#told }),
      ...{ b: rows('buy'), a: rows('sell') },
    };
    this.#told = data.u;
    this.#touched = { buy: new Set(), sell: new Set() };
    const book = new NaiveBook();
    book.replace([...this.#levels.buy], [...this.#levels.sell]);
    this.bestAt.set(this.#time, book.best);
    return this.#line({ stream: 'btcusdt@depth@100ms', data });
  }

  trade(): string {
    this.#time += 1 + this.#random.integer(20);
    const told = { e: 'trade', E: this.#time, s: 'BTCUSDT', t: ++this.#trades };
    const data = { ...told, p: '100.00', q: '0.5', T: this.#time, m: true, M: true };
    return this.#line({ stream: 'btcusdt@trade', data });
  }

  /** A line with the whole book, including changes that no line told yet. */
  snapshot(): string {
    this.#time++;
    const rows = (side: Side): string[][] =>
      [...this.#levels[side]].map(([price, amount]) => [price.toFixed(2), amount.toFixed(3)]);
    const book = { bids: rows('buy'), asks: rows('sell') };
    return this.#line({ lastUpdateId: this.#own, ...book });
  }

  #line(message: object): string {
    return `${this.#time - RECORDER_BEHIND_MS}000000 ${JSON.stringify(message)}`;
  }
}

export const ID = 'binance.btc_usdt.depth';
/** The columns of rows of depth. */
export const [TIME, UPDATE, EVENT] = [0, 2, 3];

/**
 * What is recorded of a market, a letter each: a change of the book, one that the recorder missed, a
 * snapshot, one ahead of the changes told, a trade, an hour of silence, and a bar for another file.
 */
export function recordingsOf(market: RawMarket, plan: string): string[] {
  const files: string[][] = [[]];
  for (const step of plan) {
    const lines = files.at(-1)!;
    if (step === 'd') lines.push(market.diff());
    else if (step === 'm') market.diff();
    else if (step === 's') lines.push(market.snapshot());
    else if (step === 'a') {
      market.change();
      lines.push(market.snapshot());
    } else if (step === 't') lines.push(market.trade());
    else if (step === 'h') market.wait(HOUR_MS);
    else files.push([]);
  }
  return files.map((lines) => lines.join('\n'));
}

export function filesOf(store: Store, recordings: readonly string[]): string[] {
  return recordings.map((text, at) => store.file(`raw-${at}`, text));
}

/** The files of a plan, and what imports them by their numbers. */
export function recorded(plan: string) {
  const store = new Store();
  const market = new RawMarket();
  const files = filesOf(store, recordingsOf(market, plan));
  /** Returns the warnings. */
  const add = async (
    numbers: number | readonly number[],
    options: Partial<ImportOptions> = {},
  ): Promise<readonly string[]> => {
    const chosen = [numbers].flat().map((at) => files[at]!);
    const [result] = await importFiles({ root: store.root, files: chosen, ...options });
    return result!.warnings;
  };
  return { store, market, files, add, changes: () => [...market.bestAt.keys()] };
}

/** All that is known of the dataset, except how it came to be. */
export async function factsOf(store: Store) {
  const { rows: count, firstTime, lastTime, gaps } = store.dataset(ID);
  const { findings } = await store.check(ID);
  return { rows: await rowsOf(store.dataset(ID)), count, firstTime, lastTime, gaps, findings };
}

/** The same without the numbers of updates, which depend on the order in which rows came. */
export async function plainFactsOf(store: Store) {
  const facts = await factsOf(store);
  return { ...facts, rows: facts.rows.map((row) => row.with(UPDATE, 0)) };
}

/**
 * A hash of the rows of a dataset: not with the numbers of updates, but with where these change.
 */
export async function hashOf(dataset: Dataset): Promise<string> {
  const hash = createHash('sha256');
  let last = Number.NaN;
  for await (const rows of openScan(dataset as DatasetOf<'depth'>)) {
    const { update, ...columns } = rows;
    const isNext = update.map((number, at) => (number === (update[at - 1] ?? last) ? 0 : 1));
    last = update.at(-1)!;
    for (const column of [isNext, ...Object.values(columns)]) hash.update(column);
  }
  return hash.digest('hex');
}

/** The best bid and ask behind each change while the book is known, by its time. */
export async function bestOf(dataset: Dataset): Promise<Map<number, NaiveBook['best']>> {
  const found = new Map<number, NaiveBook['best']>();
  let book: NaiveBook | undefined;
  let update = Number.NaN;
  for await (const rows of openScan(dataset as DatasetOf<'depth'>)) {
    for (const [at, event] of rows.event.entries()) {
      if (event === DEPTH_EVENTS.gap) book = undefined;
      if (event === DEPTH_EVENTS.snapshot && rows.update[at] !== update) book = new NaiveBook();
      update = rows.update[at]!;
      if (event === DEPTH_EVENTS.gap || event === DEPTH_EVENTS.trade) continue;
      const side = rows.side[at]! > 0 ? 'buy' : 'sell';
      book?.change([side, rows.price[at]!, rows.amount[at]!]);
      if (event === DEPTH_EVENTS.change && book) found.set(rows.time[at]!, book.best);
    }
  }
  return found;
}
