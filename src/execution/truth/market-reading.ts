import { type OrderRecord, SIDES, type Side } from '../../domain/index.ts';
import { compareOpenOrders } from '../../ledger/index.ts';
import type { ExecutorOptions } from '../ports.ts';
import { type Horizon, newestTimeOf, STAMP_TOLERANCE_MS, UNEVEN_MS } from './horizon.ts';
import type { Inquiries } from './inquiries.ts';
import { PageRead } from './pages.ts';
import type { ReadLag } from './read-lag.ts';
import type { Twins } from './twins.ts';

/** The result of reading one market. */
export interface MarketReconciliation {
  readonly market: string;
  /** Open orders at the exchange. */
  readonly open: number;
  /** Those among them that are ours in our books, whatever their state there. */
  readonly ours: number;
  readonly foreign: number;
  /** Foreign orders that were adopted. */
  readonly adopted: number;
  /** Orders of ours whose state the read changed. */
  readonly resolved: number;
}

/** One read of a market: its buy and its sell side, page by page. */
export interface MarketReading {
  readonly market: string;
  readonly reason: string;
  /** Whether it ends at the first page without open orders. */
  readonly newestOnly: boolean;
  readonly beganMs: number;
  /** It is true as of this time or later. */
  readonly asOfMs: number;
  /** By side, an earlier read saw all orders older than this, by the exchange's clock. */
  readonly seenTimes: Readonly<Record<Side, number>>;
  readonly reads: readonly PageRead[];
}

export interface MarketReaderParts {
  readonly readLag: ReadLag;
  readonly horizon: Horizon;
  readonly inquiries: Inquiries;
  readonly twins: Pick<Twins, 'mayBeAwaited' | 'read' | 'restoredSince'>;
}

/** Begins reads of markets, and brings the ledgers in line with their results. */
export class MarketReader {
  readonly #options: ExecutorOptions;
  readonly #parts: MarketReaderParts;
  /** By market and side, when the newest order was placed that the last complete read saw. */
  readonly #newestTimes = new Map<string, Readonly<Record<Side, number>>>();

  constructor(options: ExecutorOptions, parts: MarketReaderParts) {
    this.#options = options;
    this.#parts = parts;
  }

  begin(reading: Pick<MarketReading, 'market' | 'reason' | 'newestOnly'>): MarketReading {
    const { market, newestOnly } = reading;
    const seenTimes = newestOnly ? ALL_SEEN : this.#seenTimes(market);
    const closedPagesMax = this.#isIgnoring() ? TWIN_PAGES_MAX : CLOSED_PAGES_MAX;
    const reads = SIDES.map((side) =>
      openOrdersRead({ market, side, seenTime: seenTimes[side], closedPagesMax }),
    );
    const asOfMs = this.#parts.readLag.asOfMs();
    return { ...reading, beganMs: this.#nowMs(), asOfMs, seenTimes, reads };
  }

  /** Takes up a completed read. */
  conclude({ market, reason, newestOnly, ...reading }: MarketReading): MarketReconciliation {
    const { bus, orders } = this.#options;
    const { beganMs, asOfMs, reads } = reading;
    const theirs = reads.flatMap(({ records }) => records);
    const resolved = this.#takeUp(theirs, asOfMs);
    // Before any twin is taken for a foreign order.
    this.#parts.twins.read(theirs);
    const comparison = compareOpenOrders({
      ours: orders.live(market),
      theirs,
      isKnown: (id) => orders.byExchangeOrderId(id) !== undefined,
    });
    for (const order of comparison.missing) {
      if (order.changedTime < beganMs)
        this.#parts.inquiries.ask(order.clientOrderId, this.#nowMs());
    }
    // Judged without times: no distance between the clocks may make an order of ours foreign.
    const mayBeOurs = (record: OrderRecord) => this.#parts.twins.mayBeAwaited(record);
    // A push may have told the end of an order that a page shows open: since then, or before if
    // reads lag.
    const resting = comparison.foreign.filter(
      ({ exchangeOrderId: id }) => (orders.foreign.overMs(id) ?? LONG_AGO) < asOfMs,
    );
    const foreign = resting.filter((record) => !mayBeOurs(record));
    const older = this.#unread(market, { seenTimes: reading.seenTimes, theirs });
    orders.resetForeign(market, [...older, ...foreign]);
    // Their amounts are counted with our order already. They are kept aside until its id is known.
    for (const record of resting.filter(mayBeOurs)) orders.record(record, 'query');
    if (!newestOnly) this.#newestTimes.set(market, newestTimesOf(theirs));
    const olderForeign = older.filter((record) => !mayBeOurs(record));
    const adopted = this.#adopt(market, { older: olderForeign, read: foreign });
    const illegible = reads.flatMap((read) => [...read.illegible]);
    // Orders of ours that cannot be read may rest.
    const hidden = illegible.filter((id) => orders.byExchangeOrderId(id) !== undefined).length;
    const open = theirs.filter(({ closed }) => !closed).length + hidden;
    const ours = open - comparison.foreign.length;
    const time = this.#nowMs();
    bus.publish({ kind: 'reconciliation', time, market, reason, open, adopted, resolved });
    return { market, open, ours, foreign: foreign.length, adopted, resolved };
  }

  #nowMs(): number {
    return this.#options.clock.now();
  }

  #isIgnoring(): boolean {
    return this.#options.config.foreignOrders === 'ignore';
  }

  #seenTimes(market: string): Readonly<Record<Side, number>> {
    const { buy, sell } = this.#newestTimes.get(market) ?? this.#oldestTimes(market);
    const marginMs = this.#options.config.readLagMs + UNEVEN_MS;
    return { buy: buy - marginMs, sell: sell - marginMs };
  }

  /**
   * How far back the first read of a market looks. Foreign orders that are left alone are known
   * well enough by pushes. But while this bot was down no push told of copies of its last orders
   * and their fills. Our date may be wrong by as much as the exchange accepts.
   */
  #oldestTimes(market: string): typeof NONE_SEEN {
    if (!this.#isIgnoring()) return NONE_SEEN;
    const time = this.#parts.twins.restoredSince(market);
    if (time === undefined) return ALL_SEEN;
    const oldest = time - STAMP_TOLERANCE_MS;
    return { buy: oldest, sell: oldest };
  }

  /** Known foreign orders that are older than this read looked. */
  #unread(
    market: string,
    {
      seenTimes,
      theirs,
    }: Pick<MarketReading, 'seenTimes'> & { readonly theirs: readonly OrderRecord[] },
  ): readonly OrderRecord[] {
    const { orders } = this.#options;
    if (this.#isIgnoring()) return [];
    const read = new Set(theirs.map(({ exchangeOrderId }) => exchangeOrderId));
    return orders.foreign
      .of(market)
      .filter(({ exchangeTime, side }) => exchangeTime < seenTimes[side])
      .filter(({ exchangeOrderId }) => !read.has(exchangeOrderId));
  }

  /**
   * Brings our orders in line with records true as of `asOfMs` or later. Returns how many changed.
   */
  #takeUp(theirs: readonly OrderRecord[], asOfMs: number): number {
    const { orders } = this.#options;
    let resolved = 0;
    for (const record of theirs) {
      const before = orders.byExchangeOrderId(record.exchangeOrderId);
      const after =
        before === undefined
          ? orders.reclaim(record, 'query')
          : orders.record(record, 'query', { asOfTime: asOfMs });
      if (after === undefined) continue;
      if (after.status !== before?.status) resolved++;
      this.#parts.inquiries.told(after, asOfMs);
    }
    return resolved;
  }

  /**
   * Adopts foreign orders, if that is set, and returns how many there are. `older` ones may have
   * been told by a push long ago, so whether they still rest must be asked.
   */
  #adopt(
    market: string,
    { older, read }: { older: readonly OrderRecord[]; read: readonly OrderRecord[] },
  ): number {
    const { orders, config, logger, nextClientOrderId } = this.#options;
    const foreign = [...older, ...read];
    if (foreign.length === 0) return 0;
    const ids = foreign.map(({ exchangeOrderId }) => exchangeOrderId);
    logger.warn({ market, orders: ids }, foreignText(market, config.foreignOrders));
    if (config.foreignOrders === 'ignore') return 0;
    for (const record of read) orders.adopt(record, nextClientOrderId());
    for (const record of older) {
      const { clientOrderId } = orders.adopt(record, nextClientOrderId());
      this.#parts.inquiries.ask(clientOrderId, this.#nowMs());
    }
    return foreign.length;
  }
}

/** What is done with foreign orders, in words. */
const FATES = { ignore: 'left alone', adopt: 'taken over', cancel: 'cancelled' } as const;

/** The warning for foreign orders. Whose they are is not known: lists tell no client order ids. */
function foreignText(market: string, policy: keyof typeof FATES): string {
  const fate = `are ${FATES[policy]} (executor.foreignOrders)`;
  const whose = 'placed by a person, by another bot of this account, or before a journal was lost';
  return `open orders in ${market} that are not in the journal ${fate}: ${whose}`;
}

const LONG_AGO = Number.NEGATIVE_INFINITY;

const NONE_SEEN: Readonly<Record<Side, number>> = { buy: LONG_AGO, sell: LONG_AGO };
const ALL_SEEN: typeof NONE_SEEN = {
  buy: Number.POSITIVE_INFINITY,
  sell: Number.POSITIVE_INFINITY,
};

/** When the newest order of each side was placed. Older ones were in the list. */
function newestTimesOf(records: readonly OrderRecord[]): Readonly<Record<Side, number>> {
  const newestOf = (side: Side) => newestTimeOf(records.filter((record) => record.side === side));
  return { buy: newestOf('buy'), sell: newestOf('sell') };
}

/** Pages with only closed orders after which a search for old open ones gives up: 1000 orders. */
const CLOSED_PAGES_MAX = 100;
/**
 * The same if foreign orders are left alone and only copies of our own are looked for: 200 orders.
 */
const TWIN_PAGES_MAX = 20;

/**
 * Reads back until an earlier read has seen the rest, or no open orders come any more. The contract
 * does not say whether a list holds closed orders too; if so, an open one may hide behind them.
 */
function openOrdersRead(options: {
  readonly market: string;
  readonly side: Side;
  readonly seenTime: number;
  readonly closedPagesMax: number;
}): PageRead {
  const { market, side, seenTime, closedPagesMax } = options;
  let closedPages = 0;
  return new PageRead({
    market,
    side,
    isEnough: (page) => {
      if (!page.every(({ closed }) => closed)) {
        closedPages = 0;
        return false;
      }
      const isSeen = page.some(({ exchangeTime }) => exchangeTime < seenTime);
      return isSeen || ++closedPages >= closedPagesMax;
    },
  });
}
