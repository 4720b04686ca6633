import type { OrderRecord } from '../domain/index.ts';
import { BoundedMap, getOrInsert } from '../kernel/index.ts';
import { NOTHING_TOLD, type ToldRecord, UnclaimedRecords } from './unclaimed.ts';

/** How many ended foreign orders are remembered: more than end while a market is read. */
const OVER_MAX = 1_000;

const NONE: readonly OrderRecord[] = [];

/**
 * The account's orders that are not ours, in all markets, some of which may turn out to be ours:
 * see `UnclaimedRecords`.
 */
export class ForeignOrders {
  readonly #ofMarket = new Map<string, UnclaimedRecords>();
  readonly #overMs = new BoundedMap<string, number>(OVER_MAX);

  /**
   * Takes up a record of no known order. `isAwaited`: some order of its market has no exchange id
   * yet.
   */
  take(
    told: ToldRecord,
    { isAwaited, time }: { readonly isAwaited: boolean; readonly time: number },
  ): void {
    const { market, exchangeOrderId, closed } = told.record;
    if (closed) this.#overMs.set(exchangeOrderId, time);
    const unclaimed = this.#in(market);
    if (isAwaited) unclaimed.keepAside(told);
    else unclaimed.addForeign(told.record);
  }

  /** Updates the kept copy of an order, aside or foreign, from a read. */
  hear(record: OrderRecord): void {
    this.#ofMarket.get(record.market)?.hear(record);
  }

  /** The record kept aside under that id, which an order of the market may claim. */
  aside(market: string, exchangeOrderId: string): OrderRecord | undefined {
    return this.#ofMarket.get(market)?.aside(exchangeOrderId);
  }

  /** All records kept aside, which orders of the market may claim. */
  allAside(market: string): readonly OrderRecord[] {
    return this.#ofMarket.get(market)?.allAside() ?? NONE;
  }

  /** Takes out the record under that id, in any market: its order was found. */
  claim(exchangeOrderId: string): ToldRecord | undefined {
    for (const unclaimed of this.#ofMarket.values()) {
      const told = unclaimed.claim(exchangeOrderId);
      if (told !== undefined) return told;
    }
    return undefined;
  }

  /**
   * No order of the market awaits its id any more. Returns the records that thereby become foreign.
   */
  giveUp(market: string): readonly ToldRecord[] {
    return this.#ofMarket.get(market)?.giveUp() ?? NOTHING_TOLD;
  }

  /** The open foreign orders of a market. */
  of(market: string): readonly OrderRecord[] {
    return this.#ofMarket.get(market)?.foreign() ?? NONE;
  }

  /** When a foreign order was told to have ended; undefined if that was not told recently. */
  overMs(exchangeOrderId: string): number | undefined {
    return this.#overMs.get(exchangeOrderId);
  }

  /** Replaces a market's foreign orders by a full read of its open orders. */
  reset(market: string, records: readonly OrderRecord[]): void {
    this.#in(market).resetForeign(records);
  }

  #in(market: string): UnclaimedRecords {
    return getOrInsert(this.#ofMarket, market, () => new UnclaimedRecords());
  }
}
