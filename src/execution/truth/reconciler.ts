import { AsyncSubject, type Observable } from 'rxjs';
import {
  type AccountInfo,
  CODES,
  type ExchangeFailure,
  type OrdersPage,
} from '../../exchange/index.ts';
import type { ExecutorOptions, QuestionSource, QuestionTurn } from '../ports.ts';
import type { Courier, Delivery } from '../sending/courier.ts';
import { accountOf } from './account-reading.ts';
import {
  MarketReader,
  type MarketReaderParts,
  type MarketReading,
  type MarketReconciliation,
} from './market-reading.ts';
import type { PageRead } from './pages.ts';
import { ReadFailures, type Unreadable } from './read-failures.ts';

/** The result of reading orders and balances. */
export interface ReconciliationReport {
  readonly reason: string;
  readonly markets: readonly MarketReconciliation[];
}

/** One read of every market's buy and sell side, then of the balances. */
interface Job {
  /** All its parameters, as a text. */
  readonly wanted: string;
  readonly reason: string;
  readonly markets: readonly string[];
  readonly newestOnly: boolean;
  readonly goesWithout: boolean;
  readonly done: AsyncSubject<ReconciliationReport>;
  readonly found: Map<string, MarketReconciliation>;
  /** Reads of markets that are partly done. */
  readonly readings: Map<string, MarketReading>;
  /** Whether the balances were read since the last market was. */
  isAccountRead: boolean;
  hasBegun: boolean;
}

export interface ReconcilerParts extends MarketReaderParts {
  readonly courier: Courier;
}

export interface ReadOptions {
  /** Whether each side ends at the first page without open orders. Default: false. */
  readonly newestOnly?: boolean;
  /**
   * Whether it ends without the markets that lastingly fail. These are retried separately, and
   * nothing is opened there until they were read. It fails if no market, or not the balances, can
   * be read. Default: false.
   */
  readonly goesWithout?: boolean;
}

/**
 * Reads the exchange's open orders and balances and brings the ledgers in line, job after job.
 *
 * One request is under way at a time. A failed one is retried after a growing pause, and meanwhile
 * the rest is read: a market that cannot be read keeps no other waiting.
 */
export class Reconciler implements QuestionSource {
  readonly #options: ExecutorOptions;
  readonly #parts: ReconcilerParts;
  readonly #reader: MarketReader;
  readonly #failures: ReadFailures;
  readonly #jobs = new Set<Job>();
  #isAsking = false;

  constructor(options: ExecutorOptions, parts: ReconcilerParts) {
    this.#options = options;
    this.#parts = parts;
    this.#reader = new MarketReader(options, parts);
    this.#failures = new ReadFailures(options);
  }

  /** Whether reads of the market lastingly fail: nothing is opened there. */
  isUnreadable(market: string): boolean {
    return this.#failures.lasting(ordersOf(market)) !== undefined;
  }

  /** What lastingly cannot be read. */
  unreadable(): readonly Unreadable[] {
    return this.#failures.all();
  }

  /**
   * Reads these markets, after the reads under way. Emits the report once, when all of them were
   * read.
   *
   * Where foreign orders matter, the first read of a market looks for orders of any age, later ones
   * for those since the last read; `newestOnly` leaves that out. A job that has not begun serves
   * all who ask for the same; one that has, and only waits for retries, begins anew for them.
   */
  read(
    reason: string,
    markets: readonly string[],
    { newestOnly = false, goesWithout = false }: ReadOptions = {},
  ): Observable<ReconciliationReport> {
    const wanted = `${reason} ${markets} ${newestOnly} ${goesWithout}`;
    for (const job of this.#jobs) {
      if (job.wanted !== wanted || (job.hasBegun && !this.#waits(job))) continue;
      begin(job);
      return job.done;
    }
    const job: Job = {
      ...{ wanted, reason, markets, newestOnly, goesWithout, done: new AsyncSubject() },
      ...{ found: new Map(), readings: new Map(), isAccountRead: false, hasBegun: false },
    };
    this.#jobs.add(job);
    return job.done;
  }

  get nextMs(): number {
    let nextMs = Number.POSITIVE_INFINITY;
    if (this.#isAsking) return nextMs;
    for (const job of this.#jobs) nextMs = Math.min(nextMs, this.#nextMsOf(job));
    return nextMs;
  }

  sendDue(turn: QuestionTurn): boolean {
    if (this.#isAsking) return false;
    for (const job of this.#jobs) {
      if (this.#nextMsOf(job) > this.#nowMs()) continue;
      this.#isAsking = true;
      job.hasBegun = true;
      const market = this.#unread(job).find((id) => this.#dueMs(ordersOf(id)) <= this.#nowMs());
      if (market === undefined) this.#askAccount(job, turn);
      else this.#askOrders(job, { market, turn });
      return true;
    }
    return false;
  }

  #nowMs(): number {
    return this.#options.clock.now();
  }

  #dueMs(what: string): number {
    return this.#failures.dueMs(what);
  }

  #unread({ markets, found }: Job): readonly string[] {
    return markets.filter((market) => !found.has(market));
  }

  /** When the next part of the job can be read. */
  #nextMsOf(job: Job): number {
    const dueTimes = this.#unread(job).map((market) => this.#dueMs(ordersOf(market)));
    if (!job.isAccountRead) dueTimes.push(this.#dueMs(BALANCES));
    return Math.min(...dueTimes);
  }

  /** Whether every part left of the job has failed and waits to be retried. */
  #waits(job: Job): boolean {
    return !this.#isAsking && this.#nextMsOf(job) > this.#nowMs();
  }

  #askOrders(job: Job, { market, turn }: { market: string; turn: QuestionTurn }): void {
    const { reason, newestOnly, readings } = job;
    const reading = readings.get(market) ?? this.#reader.begin({ market, reason, newestOnly });
    readings.set(market, reading);
    const read = reading.reads.find(({ done }) => !done)!;
    const told = (page: OrdersPage, delivery: Delivery) =>
      this.#toldOrders(job, { reading, read, page, delivery });
    this.#parts.courier.send({
      operation: 'queryOrders',
      market,
      ...turn,
      call: () => this.#options.exchange.trading.orders(read.query),
      answered: told,
      failed: (failure, delivery) => {
        if (failure.code === CODES.orderNotFound) told([], delivery);
        else this.#failed(ordersOf(market), { failure, delivery });
      },
    });
  }

  #toldOrders(
    job: Job,
    told: {
      readonly reading: MarketReading;
      readonly read: PageRead;
      readonly page: OrdersPage;
      readonly delivery: Delivery;
    },
  ): void {
    const { reading, read, page, delivery } = told;
    const { market, reads } = reading;
    if (delivery.late) return;
    this.#failures.ended(ordersOf(market));
    this.#parts.horizon.hear(page);
    read.take(page);
    // Effects of the comparison may ask for the next page: not before this market is done with.
    if (reads.every(({ done }) => done)) {
      job.readings.delete(market);
      job.found.set(market, this.#reader.conclude(reading));
      job.isAccountRead = false;
    }
    this.#continue(job);
  }

  #askAccount(job: Job, turn: QuestionTurn): void {
    this.#parts.courier.send({
      operation: 'queryAccount',
      market: '',
      ...turn,
      call: () => accountOf(this.#options),
      answered: (account, delivery) => this.#toldAccount(job, { account, delivery }),
      failed: (failure, delivery) => this.#failed(BALANCES, { failure, delivery }),
    });
  }

  #toldAccount(
    job: Job,
    { account, delivery }: { account: AccountInfo; delivery: Delivery },
  ): void {
    const { asOfMs, late } = delivery;
    if (late) return;
    this.#failures.ended(BALANCES);
    this.#options.balances.reset(account.balances, { asOfMs });
    job.isAccountRead = true;
    this.#continue(job);
  }

  #failed(
    what: string,
    { failure, delivery }: { failure: ExchangeFailure; delivery: Delivery },
  ): void {
    if (delivery.late) return;
    this.#isAsking = false;
    this.#failures.failed(what, failure);
    for (const job of this.#jobs) if (job.goesWithout) this.#goOnWithout(job);
  }

  /** Ends the job if every part left of it lastingly fails. */
  #goOnWithout(job: Job): void {
    const { reason, found, done, isAccountRead } = job;
    const unread = this.#unread(job);
    const left = [...unread.map(ordersOf), ...(isAccountRead ? [] : [BALANCES])];
    const failures = left.flatMap((what) => this.#failures.lasting(what) ?? []);
    if (left.length === 0 || failures.length < left.length) return;
    this.#jobs.delete(job);
    this.read(`${reason}, tried on`, unread);
    if (found.size === 0 || !isAccountRead) done.error(failures[0]);
    else this.#report(job);
  }

  #continue(job: Job): void {
    this.#isAsking = false;
    if (job.found.size < job.markets.length || !job.isAccountRead) {
      if (job.goesWithout) this.#goOnWithout(job);
      return;
    }
    this.#jobs.delete(job);
    this.#report(job);
  }

  #report({ reason, markets, found, done }: Job): void {
    done.next({ reason, markets: markets.flatMap((market) => found.get(market) ?? []) });
    done.complete();
  }
}

const BALANCES = 'balances';

function ordersOf(market: string): string {
  return `orders of ${market}`;
}

/** Lets a job begin anew: no part of it counts as read. */
function begin(job: Job): void {
  job.found.clear();
  job.readings.clear();
  job.isAccountRead = false;
}
