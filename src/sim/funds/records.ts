import { getOrInsert } from '../../kernel/index.ts';
import type { CurrencyEntry } from './catalogue.ts';

/** Finished records of each account and currency that are kept. */
const FINISHED_KEPT = 1_000;

export interface FundsRecord {
  readonly id: string;
  readonly account: number;
  readonly currency: CurrencyEntry;
}

interface RecordList<T> {
  records: T[];
  pruneAt: number;
}

/** Deposits or withdrawals: all that are under way, and the newest finished ones. */
export class Records<T extends FundsRecord> {
  readonly #byId = new Map<string, T>();
  readonly #lists = new Map<string, RecordList<T>>();
  readonly #isOver: (record: T) => boolean;

  /** `isOver`: whether a record can change no more. */
  constructor(isOver: (record: T) => boolean) {
    this.#isOver = isOver;
  }

  add(record: T): void {
    const key = `${record.account} ${record.currency.name}`;
    const empty = (): RecordList<T> => ({ records: [], pruneAt: 2 * FINISHED_KEPT });
    const list = getOrInsert(this.#lists, key, empty);
    this.#byId.set(record.id, record);
    list.records.push(record);
    if (list.records.length >= list.pruneAt) this.#prune(list);
  }

  byId(id: string): T | undefined {
    return this.#byId.get(id);
  }

  /** The records of an account and a currency, oldest first. */
  of(account: number, currency: CurrencyEntry): readonly T[] {
    return this.#lists.get(`${account} ${currency.name}`)?.records ?? [];
  }

  /** Forgets the oldest finished records; runs only after as many additions as it visits. */
  #prune(list: RecordList<T>): void {
    let surplus = list.records.filter(this.#isOver).length - FINISHED_KEPT;
    list.records = list.records.filter((record) => {
      if (!this.#isOver(record) || surplus-- <= 0) return true;
      this.#byId.delete(record.id);
      return false;
    });
    list.pruneAt = 2 * Math.max(list.records.length, FINISHED_KEPT);
  }
}
