import { AsyncSubject, type Observable } from 'rxjs';
import { type OrderRecord, SIDES, type Side } from '../domain/index.ts';
import { type AccountInfo, CODES, type ExchangeFailure } from '../exchange/index.ts';
import { compareOpenOrders } from '../ledger/index.ts';
import type { Courier, Delivery } from './courier.ts';
import { type Horizon, newestTimeOf, UNEVEN_MS } from './horizon.ts';
import { PageRead } from './pages.ts';
import type { ExecutorOptions, QuestionSource, QuestionTurn } from './ports.ts';
import type { Inquiries } from './unknown.ts';

/** What a reading of one market found. */
export interface MarketReconciliation {
  readonly market: string;
  /** Open orders at the exchange. */
  readonly open: number;
  /** Those among them that are ours by our books, however they stand there. */
  readonly ours: number;
  /** Those that were not ours. */
  readonly foreign: number;
  /** Foreign ones that became ours. */
  readonly adopted: number;
  /** Orders of ours whose state the reading changed. */
  readonly resolved: number;
}

/** What a reading of orders and balances found. */
export interface ReconciliationReport {
  readonly reason: string;
  readonly markets: readonly MarketReconciliation[];
}

/** One reading: every market's buy and sell side, then the balances. */
interface Job {
  /** All that was asked for, as a text. */
  readonly wanted: string;
  readonly reason: string;
  readonly markets: readonly string[];
  readonly done: AsyncSubject<ReconciliationReport>;
  readonly found: MarketReconciliation[];
  readonly reads: PageRead[];
  /** Whether it ends where nothing open comes any more. */
  readonly newestOnly: boolean;
  /** When the reading of the present market began. */
  marketMs: number;
  /** Orders of the present market that are older, by the exchange's clock, an earlier reading saw. */
  seenTimes: Readonly<Record<Side, number>>;
  dueMs: number;
  asking: boolean;
}

export interface ReconcilerParts {
  readonly courier: Courier;
  readonly horizon: Horizon;
  readonly inquiries: Inquiries;
  /** Foreign orders became ours: they are to be kept or cancelled. */
  readonly onAdopted: (market: string) => void;
}

/** Reads the exchange's open orders and balances and brings the ledgers in line, job after job. */
export class Reconciler implements QuestionSource {
  readonly #options: ExecutorOptions;
  readonly #parts: ReconcilerParts;
  readonly #jobs: Job[] = [];
  /** When the newest order was placed that the last complete reading of each market saw, by side. */
  readonly #newestTimes = new Map<string, Readonly<Record<Side, number>>>();

  constructor(options: ExecutorOptions, parts: ReconcilerParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** Whether a reading is under way. */
  get isBusy(): boolean {
    return this.#jobs.length > 0;
  }

  /**
   * Reads these markets, after the readings that are under way. Emits the report once.
   *
   * Where foreign orders matter, the first reading of a market looks for orders of any age, later
   * ones for those since the last reading; `newestOnly` leaves that out. One that waits already for
   * its turn serves all who ask for the same.
   */
  read(
    reason: string,
    markets: readonly string[],
    { newestOnly = false }: { readonly newestOnly?: boolean } = {},
  ): Observable<ReconciliationReport> {
    const wanted = `${reason} ${markets} ${newestOnly}`;
    const waiting = this.#jobs.slice(1).find((job) => job.wanted === wanted);
    if (waiting !== undefined) return waiting.done;
    const done = new AsyncSubject<ReconciliationReport>();
    this.#jobs.push({
      wanted,
      reason,
      markets,
      done,
      found: [],
      reads: [],
      newestOnly,
      marketMs: 0,
      seenTimes: NONE_SEEN,
      dueMs: this.#nowMs,
      asking: false,
    });
    return done;
  }

  get nextMs(): number {
    const [job] = this.#jobs;
    return job === undefined || job.asking ? Number.POSITIVE_INFINITY : job.dueMs;
  }

  sendDue(turn: QuestionTurn): boolean {
    const [job] = this.#jobs;
    if (job === undefined || job.asking || job.dueMs > this.#nowMs) return false;
    job.asking = true;
    const market = job.markets[job.found.length];
    if (market === undefined) this.#askAccount(job, turn);
    else this.#askOrders(job, { market, turn });
    return true;
  }

  get #nowMs(): number {
    return this.#options.clock.now();
  }

  /** Of foreign orders that are left alone anyway it is enough to hear by pushes. */
  #seenTimes(market: string): Readonly<Record<Side, number>> {
    const { foreignOrders, readLagMs } = this.#options.config;
    if (foreignOrders === 'ignore') return ALL_SEEN;
    const { buy, sell } = this.#newestTimes.get(market) ?? NONE_SEEN;
    const marginMs = readLagMs + UNEVEN_MS;
    return { buy: buy - marginMs, sell: sell - marginMs };
  }

  #askOrders(job: Job, { market, turn }: { market: string; turn: QuestionTurn }): void {
    if (job.reads.length === 0) {
      job.marketMs = this.#nowMs;
      job.seenTimes = job.newestOnly ? ALL_SEEN : this.#seenTimes(market);
      for (const side of SIDES) {
        job.reads.push(openOrdersRead({ market, side, seenTime: job.seenTimes[side] }));
      }
    }
    const read = job.reads.find(({ done }) => !done)!;
    this.#parts.courier.send({
      operation: 'queryOrders',
      market,
      ...turn,
      call: () => this.#options.exchange.trading.orders(read.query),
      answered: (page, delivery) => this.#toldOrders(job, { read, page, delivery }),
      failed: (failure, delivery) => {
        if (failure.code === CODES.orderNotFound) {
          this.#toldOrders(job, { read, page: [], delivery });
        } else this.#failed(job, { failure, delivery });
      },
    });
  }

  #toldOrders(
    job: Job,
    { read, page, delivery }: { read: PageRead; page: readonly OrderRecord[]; delivery: Delivery },
  ): void {
    if (delivery.late) return;
    this.#parts.horizon.hear(page);
    read.take(page);
    // What the comparison sets off may ask for the next page: not before this market is done with.
    if (job.reads.every(({ done }) => done)) this.#compare(job);
    this.#continue(job);
  }

  #askAccount(job: Job, turn: QuestionTurn): void {
    this.#parts.courier.send({
      operation: 'queryAccount',
      market: '',
      ...turn,
      call: () => this.#options.exchange.account.account(),
      answered: (account, delivery) => this.#toldAccount(job, { account, delivery }),
      failed: (failure, delivery) => this.#failed(job, { failure, delivery }),
    });
  }

  /** A push is newer than a read that may lag behind it. */
  #toldAccount(
    job: Job,
    { account, delivery }: { account: AccountInfo; delivery: Delivery },
  ): void {
    if (delivery.late) return;
    const { balances, config } = this.#options;
    balances.reset(
      account.balances.map((read) => {
        const news = balances.newsOf(read.currency);
        const isNewer = news?.evidence === 'push' && news.time > delivery.sentMs - config.readLagMs;
        return (isNewer ? balances.get(read.currency) : undefined) ?? read;
      }),
    );
    this.#jobs.shift();
    job.done.next({ reason: job.reason, markets: job.found });
    job.done.complete();
  }

  #failed(job: Job, { failure, delivery }: { failure: ExchangeFailure; delivery: Delivery }): void {
    if (delivery.late) return;
    const { logger, config } = this.#options;
    logger.warn({ reason: job.reason, failure: failure.message }, 'reading the truth failed');
    this.#continue(job);
    job.dueMs = this.#nowMs + config.readLagMs;
  }

  #continue(job: Job): void {
    job.asking = false;
    job.dueMs = this.#nowMs;
  }

  #compare(job: Job): void {
    const { bus, orders } = this.#options;
    const market = job.markets[job.found.length]!;
    const theirs = job.reads.flatMap(({ records }) => records);
    job.reads.length = 0;
    const resolved = this.#takeUp(theirs, job.marketMs);
    const comparison = compareOpenOrders({
      ours: orders.live(market),
      theirs,
      isKnown: (id) => orders.byExchangeOrderId(id) !== undefined,
      clockSkewMs: ANY,
    });
    for (const order of comparison.missing) {
      if (order.changedTime < job.marketMs)
        this.#parts.inquiries.ask(order.clientOrderId, this.#nowMs);
    }
    const ownSoon = new Set(comparison.unidentified.flatMap(comparison.candidatesFor));
    const foreign = comparison.foreign.filter((record) => !ownSoon.has(record));
    const older = this.#unread(market, { seenTimes: job.seenTimes, theirs });
    orders.resetForeign(market, [...older, ...comparison.foreign]);
    if (!job.newestOnly) this.#newestTimes.set(market, newestTimesOf(theirs));
    const adopted = this.#adopt(market, { older, read: foreign });
    const open = theirs.filter(({ closed }) => !closed);
    const ours = open.length - comparison.foreign.length;
    const found = { market, open: open.length, ours, foreign: foreign.length, adopted, resolved };
    job.found.push(found);
    bus.publish({
      kind: 'reconciliation',
      time: this.#nowMs,
      market,
      reason: job.reason,
      open: open.length,
      adopted,
      resolved,
    });
  }

  /** Foreign orders that are older than what this reading looked at. */
  #unread(
    market: string,
    { seenTimes, theirs }: Pick<Job, 'seenTimes'> & { readonly theirs: readonly OrderRecord[] },
  ): readonly OrderRecord[] {
    const { config, orders } = this.#options;
    if (config.foreignOrders === 'ignore') return [];
    const read = new Set(theirs.map(({ exchangeOrderId }) => exchangeOrderId));
    return orders
      .foreign(market)
      .filter(({ exchangeTime, side }) => exchangeTime < seenTimes[side])
      .filter(({ exchangeOrderId }) => !read.has(exchangeOrderId));
  }

  /** Brings our orders in line with theirs, read from `sentMs` on. How many changed. */
  #takeUp(theirs: readonly OrderRecord[], sentMs: number): number {
    const { orders } = this.#options;
    let resolved = 0;
    for (const record of theirs) {
      const before = orders.byExchangeOrderId(record.exchangeOrderId);
      const after =
        before === undefined ? orders.reclaim(record, 'query') : orders.record(record, 'query');
      if (after === undefined) continue;
      if (after.status !== before?.status) resolved++;
      this.#parts.inquiries.told(after, sentMs);
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
      this.#parts.inquiries.ask(clientOrderId, this.#nowMs);
    }
    this.#parts.onAdopted(market);
    return foreign.length;
  }
}

/** What becomes of foreign orders, in words. */
const FATES = { ignore: 'left alone', adopt: 'taken over', cancel: 'cancelled' } as const;

/** Whose they are cannot be told from here: lists of orders tell no client order ids. */
function foreignText(market: string, policy: keyof typeof FATES): string {
  const fate = `are ${FATES[policy]} (executor.foreignOrders)`;
  const whose = 'placed by a person, by another bot with this key, or before a journal was lost';
  return `open orders in ${market} that are not in the journal ${fate}: ${whose}`;
}

/** No distance between the exchange's clock and ours makes an order of ours a foreign one. */
const ANY = Number.POSITIVE_INFINITY;

const NONE_SEEN = { buy: Number.NEGATIVE_INFINITY, sell: Number.NEGATIVE_INFINITY } as const;
const ALL_SEEN = { buy: Number.POSITIVE_INFINITY, sell: Number.POSITIVE_INFINITY } as const;

/** When the newest order of each side was placed: what is older was in the list. */
function newestTimesOf(records: readonly OrderRecord[]): Readonly<Record<Side, number>> {
  const newestOf = (side: Side) => newestTimeOf(records.filter((record) => record.side === side));
  return { buy: newestOf('buy'), sell: newestOf('sell') };
}

/** Pages of closed orders alone after which a search for old open ones gives up: 1000 orders. */
const CLOSED_PAGES_MAX = 100;

/**
 * Reads back until an earlier reading has seen it all, or nothing open comes any more. The contract
 * does not say whether a list holds closed orders too; here an open one may hide behind them.
 */
function openOrdersRead(options: { market: string; side: Side; seenTime: number }): PageRead {
  const { market, side, seenTime } = options;
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
      return isSeen || ++closedPages >= CLOSED_PAGES_MAX;
    },
  });
}
