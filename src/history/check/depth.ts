import { getOrInsert } from '../../kernel/index.ts';
import type { Dataset } from '../store/catalogue.ts';
import type { Interruptible } from '../store/interruption.ts';
import { DEPTH_EVENTS } from '../store/kinds.ts';
import type { Gap } from '../store/manifest.ts';
import { type Chunk, type DatasetOf, openScan } from '../store/read/scan.ts';
import { BestPrices } from './best-prices.ts';
import { KnownBook } from './known-book.ts';
import {
  type Fault,
  type FaultPlace,
  type Finding,
  finding,
  numbersText,
  PLACES_MAX,
} from './report.ts';

/** Faults of depth, and the share of its time in which the book is known. */
export async function depthFindings(
  dataset: Dataset,
  { signal }: Interruptible,
): Promise<{ readonly findings: readonly Finding[]; readonly coverage: number }> {
  const faults = new DepthFaults(dataset.gaps);
  for await (const rows of openScan(dataset as DatasetOf<'depth'>)) {
    signal?.throwIfAborted();
    faults.observe(rows);
  }
  return faults.result();
}

/** Finds gaps, updates after which the book is crossed, and numbers that cannot be. */
class DepthFaults {
  readonly #gaps = new Gaps();
  readonly #found = new Places();
  readonly #reasons: ReadonlyMap<number, string>;
  readonly #book = new BestPrices();
  readonly #known = new KnownBook();
  #update = Number.NaN;
  #updateTime = 0;

  constructor(gaps: readonly Gap[]) {
    this.#reasons = new Map(gaps.map((gap) => [gap.from, reasonOf(gap)]));
  }

  observe(rows: Chunk<'depth'>): void {
    for (let row = 0; row < rows.time.length; row++) {
      const [event, time] = [rows.event[row]!, rows.time[row]!];
      if (rows.update[row] !== this.#update) {
        this.#finish();
        if (event === DEPTH_EVENTS.snapshot || event === DEPTH_EVENTS.gap) this.#book.clear();
        this.#update = rows.update[row]!;
        this.#updateTime = time;
      }
      this.#known.observe(event, time);
      if (event === DEPTH_EVENTS.snapshot) this.#gaps.end(time);
      if (event === DEPTH_EVENTS.gap) {
        this.#gaps.begin(time, this.#reasons.get(time));
      } else this.#level(rows, row);
    }
  }

  result(): { readonly findings: readonly Finding[]; readonly coverage: number } {
    this.#finish();
    const { unknownBeginning, coverage } = this.#known.result();
    const found = [...this.#gaps.findings(), ...this.#found.findings()];
    return { findings: [...unknownBeginning, ...found], coverage };
  }

  #level(rows: Chunk<'depth'>, row: number): void {
    const [event, time] = [rows.event[row]!, rows.time[row]!];
    const [price, amount] = [rows.price[row]!, rows.amount[row]!];
    const isTrade = event === DEPTH_EVENTS.trade;
    if (price <= 0) this.#found.add('zero price', time, numbersText([['price', price]]));
    // A level of 0 only says that nothing rests there any more.
    if (amount < 0 || (isTrade && amount === 0)) {
      this.#found.add('outside', time, numbersText([['amount', amount]]));
    }
    if (price > 0 && !isTrade && this.#known.isKnown) {
      this.#book.set(rows.side[row]!, price, amount);
    }
  }

  #finish(): void {
    if (!this.#book.isCrossed) return;
    const best = [['bid', this.#book.bid] as const, ['ask', this.#book.ask] as const];
    this.#found.add('crossed', this.#updateTime, numbersText(best));
  }
}

function reasonOf({ reason, leftOut }: Gap): string {
  return leftOut === undefined ? reason : `${reason}, ${leftOut} changes are left out`;
}

/**
 * Collects gaps, each with the time of the snapshot that ended it. Only its reason says what is
 * missing: behind missing trades the book is unknown too.
 */
class Gaps {
  readonly #places: FaultPlace[] = [];
  #count = 0;
  /** The gaps since the last snapshot, as far as they are shown. */
  #open: { readonly time: number; readonly reason: string | undefined }[] = [];

  begin(time: number, reason: string | undefined): void {
    this.#count++;
    if (this.#places.length + this.#open.length < PLACES_MAX) this.#open.push({ time, reason });
  }

  end(snapshotTime: number): void {
    if (this.#open.length === 0) return;
    this.#close((time) => {
      const end = new Date(Math.max(time, snapshotTime)).toISOString();
      return `until ${end}, when a snapshot came`;
    });
  }

  findings(): Finding[] {
    this.#close(() => 'to the end, for no snapshot came');
    return finding('gap', this.#count, this.#places);
  }

  #close(textOf: (time: number) => string): void {
    for (const { time, reason } of this.#open) {
      const why = reason === undefined ? '' : `: ${reason}`;
      this.#places.push({ time, detail: `${textOf(time)}${why}` });
    }
    this.#open = [];
  }
}

class Places {
  readonly #found = new Map<Fault, { count: number; places: FaultPlace[] }>();

  add(fault: Fault, time: number, detail: string): void {
    const found = getOrInsert(this.#found, fault, () => ({ count: 0, places: [] }));
    found.count++;
    if (found.places.length < PLACES_MAX) found.places.push({ time, detail });
  }

  findings(): Finding[] {
    return [...this.#found].flatMap(([fault, { count, places }]) => finding(fault, count, places));
  }
}
