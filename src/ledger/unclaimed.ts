import type { Evidence, OrderRecord } from '../domain/index.ts';

/** A record of the exchange, and on whose word it is known. */
export interface ToldRecord {
  readonly record: OrderRecord;
  readonly evidence: Evidence;
}

export const NOTHING_TOLD: readonly ToldRecord[] = [];

/** Most records kept aside for one market. Beyond this the oldest becomes foreign. */
const ASIDE_MAX = 1_000;

/**
 * The records of one market that no order of ours has claimed.
 *
 * While some order awaits its exchange id they are kept aside, closed ones too: a push may come
 * before the answer. A record that nobody can claim any more is foreign; open ones are remembered.
 */
export class UnclaimedRecords {
  readonly #aside = new Map<string, ToldRecord>();
  readonly #foreign = new Map<string, OrderRecord>();
  #foreignList: readonly OrderRecord[] | undefined;

  /** Keeps a record aside until its order is known. */
  keepAside({ record, evidence }: ToldRecord): void {
    const id = record.exchangeOrderId;
    const former = this.#aside.get(id)?.record ?? this.#foreign.get(id);
    this.#deleteForeign(id);
    this.#aside.set(id, { record: former ? newerOf(record, former) : record, evidence });
    if (this.#aside.size <= ASIDE_MAX) return;
    const [oldest] = this.#aside.values();
    this.#aside.delete(oldest!.record.exchangeOrderId);
    this.addForeign(oldest!.record);
  }

  /** Updates the kept copy of an order, aside or foreign, from a read. */
  hear(record: OrderRecord): void {
    const { exchangeOrderId } = record;
    const aside = this.#aside.get(exchangeOrderId);
    if (aside !== undefined) {
      const { evidence } = aside;
      this.#aside.set(exchangeOrderId, { record: newerOf(record, aside.record), evidence });
    } else if (this.#foreign.has(exchangeOrderId)) this.addForeign(record);
  }

  /** The record kept aside under that id. */
  aside(exchangeOrderId: string): OrderRecord | undefined {
    return this.#aside.get(exchangeOrderId)?.record;
  }

  /** All records kept aside. */
  allAside(): readonly OrderRecord[] {
    return [...this.#aside.values()].map(({ record }) => record);
  }

  /** Takes out the record under that id: its order was found. */
  claim(exchangeOrderId: string): ToldRecord | undefined {
    if (this.#aside.size === 0 && this.#foreign.size === 0) return undefined;
    const told = this.#aside.get(exchangeOrderId);
    this.#aside.delete(exchangeOrderId);
    const foreign = this.#foreign.get(exchangeOrderId);
    this.#deleteForeign(exchangeOrderId);
    return told ?? (foreign === undefined ? undefined : { record: foreign, evidence: 'push' });
  }

  /** No order awaits its id any more: all records kept aside become foreign. Returns them. */
  giveUp(): readonly ToldRecord[] {
    if (this.#aside.size === 0) return NOTHING_TOLD;
    const told = [...this.#aside.values()];
    for (const { record } of told) this.addForeign(record);
    this.#aside.clear();
    return told;
  }

  addForeign(record: OrderRecord): void {
    const former = this.#foreign.get(record.exchangeOrderId);
    const newest = former ? newerOf(record, former) : record;
    this.#deleteForeign(record.exchangeOrderId);
    if (newest.closed) return;
    this.#foreign.set(newest.exchangeOrderId, newest);
    this.#foreignList = undefined;
  }

  /** Replaces the foreign orders by a full read. */
  resetForeign(records: readonly OrderRecord[]): void {
    this.#foreign.clear();
    this.#foreignList = undefined;
    for (const record of records) this.addForeign(record);
  }

  foreign(): readonly OrderRecord[] {
    this.#foreignList ??= [...this.#foreign.values()];
    return this.#foreignList;
  }

  #deleteForeign(exchangeOrderId: string): void {
    if (this.#foreign.delete(exchangeOrderId)) this.#foreignList = undefined;
  }
}

/** Two records of one order merged: pushes may come twice and out of order. */
function newerOf(record: OrderRecord, former: OrderRecord): OrderRecord {
  const isNewer = record.filledAmount >= former.filledAmount;
  const [newer, older] = isNewer ? [record, former] : [former, record];
  const fee = newer.filledAmount === older.filledAmount ? (newer.fee ?? older.fee) : newer.fee;
  return { ...newer, fee, closed: record.closed || former.closed };
}
