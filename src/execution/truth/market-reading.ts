import { type OrderRecord, SIDES, type Side } from '../../domain/index.ts';
import { compareOpenOrders } from '../../ledger/index.ts';
import type { ExecutorOptions } from '../ports.ts';
import { type Horizon, newestTimeOf, STAMP_TOLERANCE_MS, UNEVEN_MS } from './horizon.ts';
import type { Inquiries } from './inquiries.ts';
import { PageRead } from './pages.ts';
import type { ReadLag } from './read-lag.ts';
import type { Twins } from './twins.ts';

/** What a reading of one market found. */
export interface MarketReconciliation {
  readonly market: string;
  /** Open orders at the exchange. */
  readonly open: number;
  /** Those among them that are ours by our books, however they stand there. */
  readonly ours: number;
  readonly foreign: number;
  /** Foreign ones that became ours. */
  readonly adopted: number;
  /** Orders of ours whose state the reading changed. */
  readonly resolved: number;
}

/** The reading of one market: its buy and its sell side, page by page. */
export interface MarketReading {
  readonly market: string;
  readonly reason: string;
  /** Whether it ends where nothing open comes any more. */
  readonly newestOnly: boolean;
  readonly beganMs: number;
  /** What it shows was so then or later. */
  readonly asOfMs: number;
  /** Orders that are older, by the exchange's clock, an earlier reading saw. */
  readonly seenTimes: Readonly<Record<Side, number>>;
  readonly reads: readonly PageRead[];
}

export interface MarketReaderParts {
  readonly readLag: ReadLag;
  readonly horizon: Horizon;
  readonly inquiries: Inquiries;
  readonly twins: Pick<Twins, 'mayBeAwaited' | 'read' | 'restoredSince'>;
}

/** Begins readings of markets, and brings the ledgers in line with what they found. */
export class MarketReader {
  readonly #options: ExecutorOptions;
  readonly #parts: MarketReaderParts;
  /** When the newest order was placed that the last complete reading of each market saw, by side. */
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

  /** Takes up what was read; all of it was. */
  conclude({ market, reason, newestOnly, ...reading }: MarketReading): MarketReconciliation {
    const { bus, orders } = this.#options;
    const { beganMs, asOfMs, reads } = reading;
    const theirs = reads.flatMap(({ records }) => records);
    const resolved = this.#takeUp(theirs, asOfMs);
    // Before anybody takes them for foreign ones.
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
    // No distance between the exchange's clock and ours makes an order of ours a foreign one.
    const mayBeOurs = (record: OrderRecord) => this.#parts.twins.mayBeAwaited(record);
    // What its page shows as open may be over, by a push: since, or just before where reads lag.
    const resting = comparison.foreign.filter(
      ({ exchangeOrderId: id }) => (orders.foreign.overMs(id) ?? LONG_AGO) < asOfMs,
    );
    const foreign = resting.filter((record) => !mayBeOurs(record));
    const older = this.#unread(market, { seenTimes: reading.seenTimes, theirs });
    orders.resetForeign(market, [...older, ...foreign]);
    // Their amounts count with our order already: they wait aside for its id.
    for (const record of resting.filter(mayBeOurs)) orders.record(record, 'query');
    if (!newestOnly) this.#newestTimes.set(market, newestTimesOf(theirs));
    const olderForeign = older.filter((record) => !mayBeOurs(record));
    const adopted = this.#adopt(market, { older: olderForeign, read: foreign });
    const illegible = reads.flatMap((read) => [...read.illegible]);
    // What cannot be read of ours may rest.
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
   * How far back the first reading of a market looks. Of foreign orders that are left alone anyway it
   * is enough to hear by pushes. But while this bot was down none told of copies of its last orders,
   * and what they filled. Our date may be wrong by as much as the exchange takes.
   */
  #oldestTimes(market: string): typeof NONE_SEEN {
    if (!this.#isIgnoring()) return NONE_SEEN;
    const time = this.#parts.twins.restoredSince(market);
    if (time === undefined) return ALL_SEEN;
    const oldest = time - STAMP_TOLERANCE_MS;
    return { buy: oldest, sell: oldest };
  }

  /** Foreign orders that are older than what this reading looked at. */
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

  /** Brings our orders in line with theirs, which were so at `asOfMs` or later. How many changed. */
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

  /** Of `older` ones a push may have told long ago: whether they rest still must be asked. */
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

/** What becomes of foreign orders, in words. */
const FATES = { ignore: 'left alone', adopt: 'taken over', cancel: 'cancelled' } as const;

/** Whose they are cannot be told from here: lists of orders tell no client order ids. */
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

/** When the newest order of each side was placed: what is older was in the list. */
function newestTimesOf(records: readonly OrderRecord[]): Readonly<Record<Side, number>> {
  const newestOf = (side: Side) => newestTimeOf(records.filter((record) => record.side === side));
  return { buy: newestOf('buy'), sell: newestOf('sell') };
}

/** Pages of closed orders alone after which a search for old open ones gives up: 1000 orders. */
const CLOSED_PAGES_MAX = 100;
/** The same where foreign orders are left alone, and copies of our own are looked for: 200 orders. */
const TWIN_PAGES_MAX = 20;

/**
 * Reads back until an earlier reading has seen it all, or nothing open comes any more. The contract
 * does not say whether a list holds closed orders too; here an open one may hide behind them.
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
