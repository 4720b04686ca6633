import { HOUR_MS } from '../../kernel/index.ts';

/** Age up to which bills count as young. Source: contract, getSpotBills, dataType. */
export const YOUNG_MS = 48 * HOUR_MS;

/** Bills of a page, which are forgotten together. */
const PAGE_BILLS = 1_024;
/** From this many pages on, those without a young bill are forgotten: 16,384 bills. */
const PAGES_KEPT = 16;
/** From this many on, even young bills are forgotten: 1,048,576 bills, about 50 MB an account. */
const PAGES_MAX = 1_024;

/** A bill takes 5 doubles. */
const DOUBLES = 5;
const ORDINAL = 0;
const CHANGE = 1;
const BALANCE = 2;
const TIME = 3;
/** The currency and the type in one number. */
const KIND = 4;
const TYPES_MAX = 256;

/** One bill, in whole units of its currency. */
export interface BillRow {
  /** Running number of the exchange's bills. */
  readonly ordinal: number;
  /** Number of the currency. */
  readonly currency: number;
  readonly change: number;
  readonly balance: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Number of the type, below 256. */
  readonly type: number;
  readonly remark: string;
}

/** Bills that were written one after the other, oldest first. */
class BillPage {
  length = 0;
  readonly #doubles = new Float64Array(PAGE_BILLS * DOUBLES);
  readonly #remarks: string[] = [];

  push(bill: BillRow): void {
    const at = this.length * DOUBLES;
    this.#doubles[at + ORDINAL] = bill.ordinal;
    this.#doubles[at + CHANGE] = bill.change;
    this.#doubles[at + BALANCE] = bill.balance;
    this.#doubles[at + TIME] = bill.time;
    this.#doubles[at + KIND] = bill.currency * TYPES_MAX + bill.type;
    this.#remarks[this.length++] = bill.remark;
  }

  /** When the newest bill was written. */
  get newestTime(): number {
    return this.#doubles[(this.length - 1) * DOUBLES + TIME]!;
  }

  row(number: number): BillRow {
    const at = number * DOUBLES;
    const kind = this.#doubles[at + KIND]!;
    return {
      ordinal: this.#doubles[at + ORDINAL]!,
      currency: Math.floor(kind / TYPES_MAX),
      change: this.#doubles[at + CHANGE]!,
      balance: this.#doubles[at + BALANCE]!,
      time: this.#doubles[at + TIME]!,
      type: kind % TYPES_MAX,
      remark: this.#remarks[number]!,
    };
  }
}

/**
 * The bills of one account: a trade writes several and must leave no garbage.
 *
 * Beyond 16,384 bills it forgets those older than 48 hours, beyond 1,048,576 the oldest, however
 * young. It forgets a page of 1,024 at a time.
 */
export class BillRing {
  /** Oldest first; only the last one has room. */
  readonly #pages: BillPage[] = [];

  push(bill: BillRow): void {
    let page = this.#pages.at(-1);
    if (page === undefined || page.length === PAGE_BILLS) {
      page = this.#emptyPage(bill.time);
      this.#pages.push(page);
    }
    page.push(bill);
  }

  /** Newest first. */
  *rows(): Generator<BillRow> {
    for (let page = this.#pages.length - 1; page >= 0; page--) {
      const bills = this.#pages[page]!;
      for (let number = bills.length - 1; number >= 0; number--) yield bills.row(number);
    }
  }

  /** A page for the next bills: a forgotten one is reused. */
  #emptyPage(nowMs: number): BillPage {
    let empty: BillPage | undefined;
    while (this.#mayForget(nowMs)) empty = this.#pages.shift()!;
    empty ??= new BillPage();
    empty.length = 0;
    return empty;
  }

  /** Whether the oldest page may go to make room for a new one. */
  #mayForget(nowMs: number): boolean {
    const { length } = this.#pages;
    if (length < PAGES_KEPT) return false;
    return length >= PAGES_MAX || this.#pages[0]!.newestTime < nowMs - YOUNG_MS;
  }
}
