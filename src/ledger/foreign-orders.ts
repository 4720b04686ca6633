import type { OrderRecord } from '../domain/index.ts';
import { BoundedMap, getOrInsert } from '../kernel/index.ts';
import { NOTHING_TOLD, type ToldRecord, UnclaimedRecords } from './unclaimed.ts';

/** How many that are over are known, at most: more than close while a market is read. */
const OVER_MAX = 1_000;

const NONE: readonly OrderRecord[] = [];

/**
 * The orders of the account that are not ours, in all markets, and what may turn out to be ours yet:
 * see `UnclaimedRecords`.
 */
export class ForeignOrders {
  readonly #ofMarket = new Map<string, UnclaimedRecords>();
  readonly #overMs = new BoundedMap<string, number>(OVER_MAX);

  /** Takes up a record of no known order. `isAwaited`: an order of its market has no id yet. */
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

  /** A reading tells of an order: what is kept of it hears that too. */
  hear(record: OrderRecord): void {
    this.#ofMarket.get(record.market)?.hear(record);
  }

  /** What was told under that id that an order of the market may claim. */
  aside(market: string, exchangeOrderId: string): OrderRecord | undefined {
    return this.#ofMarket.get(market)?.aside(exchangeOrderId);
  }

  /** All that was told and an order of the market may claim. */
  allAside(market: string): readonly OrderRecord[] {
    return this.#ofMarket.get(market)?.allAside() ?? NONE;
  }

  /** The record under that id, of whatever market, taken out: it has found its order. */
  claim(exchangeOrderId: string): ToldRecord | undefined {
    for (const unclaimed of this.#ofMarket.values()) {
      const told = unclaimed.claim(exchangeOrderId);
      if (told !== undefined) return told;
    }
    return undefined;
  }

  /** No order of the market awaits its id any more. Answers with what that makes foreign. */
  giveUp(market: string): readonly ToldRecord[] {
    return this.#ofMarket.get(market)?.giveUp() ?? NOTHING_TOLD;
  }

  /** The open ones of a market. */
  of(market: string): readonly OrderRecord[] {
    return this.#ofMarket.get(market)?.foreign() ?? NONE;
  }

  /** When one was told to be over; undefined where that was not so of late. */
  overMs(exchangeOrderId: string): number | undefined {
    return this.#overMs.get(exchangeOrderId);
  }

  /** Replaces what is known of a market's by a full read of its open orders. */
  reset(market: string, records: readonly OrderRecord[]): void {
    this.#in(market).resetForeign(records);
  }

  #in(market: string): UnclaimedRecords {
    return getOrInsert(this.#ofMarket, market, () => new UnclaimedRecords());
  }
}
