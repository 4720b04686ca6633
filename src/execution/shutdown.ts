import { AsyncSubject, type Observable } from 'rxjs';
import { isFinal, type LiveOrder, type OrderState } from '../domain/index.ts';
import { dateMs, elapsedMs, timeOfDay } from '../kernel/index.ts';
import type { ExecutorOptions } from './ports.ts';
import type { CancelProofs } from './sending/cancel-proofs.ts';
import { searchMs } from './truth/absence.ts';
import type { LeftElsewhere } from './truth/left-elsewhere.ts';
import type { Reconciler, ReconciliationReport } from './truth/reconciler.ts';

/** The result of a stop. */
export interface StopReport {
  /** Of the orders live when the stop began, those that ended unfilled or filled in part. */
  readonly cancelled: number;
  /** Those that filled completely before their cancel came. */
  readonly filled: number;
  /** Those that never existed: refused or proven absent. */
  readonly rejected: number;
  /** All orders that were live when the stop began. */
  readonly of: number;
  /** Whether a read after the last cancel found none of ours open. */
  readonly verified: boolean;
  /** Open orders in our markets that are not ours, as far as the newest reads tell. */
  readonly foreign: number;
  /** Orders that may still rest. */
  readonly remaining: readonly LiveOrder[];
  /**
   * Until when remaining orders whose request may still be under way can arrive, by the machine's
   * date, milliseconds since the epoch; undefined: the exchange has them all.
   */
  readonly arrivesUntilMs?: number;
  /**
   * When the last armed timed cancel fires, which is no longer refreshed; undefined: none is armed.
   */
  readonly lapseAtMs?: number;
}

/** A stop in one line: "cancelled 3 of 4, 1 filled, verified". Zero counts are left out. */
export function stopText(report: StopReport): string {
  const { cancelled, of, filled, rejected, foreign, verified } = report;
  const parts = [
    `cancelled ${cancelled} of ${of}`,
    ...(filled === 0 ? [] : [`${filled} filled`]),
    ...(rejected === 0 ? [] : [`${rejected} never there`]),
    verified ? 'verified' : 'NOT verified',
    ...(foreign === 0 ? [] : [`at least ${foreign} open not ours`]),
  ];
  return parts.join(', ');
}

interface ShutdownParts {
  readonly reconciler: Reconciler;
  readonly proofs: CancelProofs;
  readonly leftElsewhere: LeftElsewhere;
  /** The markets in which orders may be. */
  readonly markets: readonly string[];
}

/** Sees a stop through until all orders have ended, verified by a read, or the time is up. */
export class Shutdown {
  readonly #options: ExecutorOptions;
  readonly #parts: ShutdownParts;
  readonly #ids: readonly string[];
  /** In elapsed time: moving the date ahead must not end a stop that has hardly begun. */
  readonly #deadlineMs: number;
  readonly #report = new AsyncSubject<StopReport>();
  #verifying = false;
  #verifyAtMs = Number.NEGATIVE_INFINITY;
  #final: StopReport | undefined;

  constructor(options: ExecutorOptions, parts: ShutdownParts) {
    this.#options = options;
    this.#parts = parts;
    this.#ids = options.orders.allLive().map(({ clientOrderId }) => clientOrderId);
    this.#deadlineMs = elapsedMs(options.clock) + options.config.stopTimeoutMs;
  }

  /** Emits once. */
  get report(): Observable<StopReport> {
    return this.#report;
  }

  get isOver(): boolean {
    return this.#final !== undefined;
  }

  get nextMs(): number {
    const { clock } = this.#options;
    const deadlineMs = clock.now() + this.#deadlineMs - elapsedMs(clock);
    return this.#waitsToVerify() ? Math.min(deadlineMs, this.#verifyMs()) : deadlineMs;
  }

  /** Whether nothing rests as far as is known, and no read to verify that is under way. */
  #waitsToVerify(): boolean {
    const { orders } = this.#options;
    const isQuiet = orders.liveCount === 0 && this.#parts.leftElsewhere.remaining.length === 0;
    return isQuiet && !this.#verifying;
  }

  /** The report as of now. */
  get standing(): StopReport {
    return this.#final ?? this.#reportOf(false);
  }

  /** Checks how far the stop is, and starts the verifying read when it can. */
  advance(): void {
    if (this.isOver) return;
    const { clock, pushesTellAll: newestOnly = false } = this.#options;
    const { markets, reconciler } = this.#parts;
    if (elapsedMs(clock) >= this.#deadlineMs) {
      this.#end(false);
      return;
    }
    if (!this.#waitsToVerify() || clock.now() < this.#verifyMs()) return;
    if (markets.length === 0) {
      this.#end(true);
      return;
    }
    this.#verifying = true;
    const reading = reconciler.read('stop', markets, { newestOnly });
    reading.subscribe((report) => this.#read(report));
  }

  /** The earliest time at which a read can show that all orders have ended. */
  #verifyMs(): number {
    return Math.max(this.#verifyAtMs, this.#parts.proofs.readMs);
  }

  #read({ markets }: ReconciliationReport): void {
    const { orders, clock, config } = this.#options;
    this.#verifying = false;
    if (this.isOver) return;
    // An order final in our books but open in the read may be due to the read's lag: read again.
    if (orders.liveCount === 0 && markets.every(({ ours }) => ours === 0)) this.#end(true);
    else this.#verifyAtMs = clock.now() + config.readLagMs;
  }

  #end(verified: boolean): void {
    const { heartbeat, logger } = this.#options;
    this.#final = this.#reportOf(verified);
    for (const market of this.#parts.markets) heartbeat.need(market, 'nothing');
    logger.info({}, whatLapses(this.#final.lapseAtMs));
    this.#report.next(this.#final);
    this.#report.complete();
  }

  #reportOf(verified: boolean): StopReport {
    const { orders, heartbeat } = this.#options;
    const { markets, leftElsewhere } = this.#parts;
    const states = this.#ids.map((id) => orders.get(id));
    const countOf = (status: OrderState['status']) =>
      states.filter((order) => order?.status === status).length;
    const [filled, rejected] = [countOf('filled'), countOf('rejected')];
    const over = states.filter((order) => order === undefined || isFinal(order)).length;
    const cancelled = over - filled - rejected;
    const counts = { cancelled, filled, rejected, of: this.#ids.length };
    const foreign = markets.flatMap((market) => orders.foreign.of(market)).length;
    const remaining = [...orders.allLive(), ...leftElsewhere.remaining];
    const firingMs = Math.max(heartbeat.lastFiringMs ?? LONG_AGO, leftElsewhere.lastFiringMs);
    const lapseAtMs = firingMs === LONG_AGO ? undefined : firingMs;
    const arrivesUntilMs = this.#arrivesUntilMs(remaining);
    return {
      ...counts,
      verified,
      foreign,
      remaining,
      ...(arrivesUntilMs === undefined ? {} : { arrivesUntilMs }),
      ...(lapseAtMs === undefined ? {} : { lapseAtMs }),
    };
  }

  /** Counted from now: the clock by which they were given up may have followed a wrong date. */
  #arrivesUntilMs(remaining: readonly LiveOrder[]): number | undefined {
    const { clock, config } = this.#options;
    const lost = remaining.filter((order) => order.exchangeOrderId === undefined);
    if (lost.length === 0) return undefined;
    return dateMs(clock) + Math.max(...lost.map((order) => searchMs(order, config)));
  }
}

const LONG_AGO = Number.NEGATIVE_INFINITY;

/** What stays armed at the exchange: a timed cancel cannot be disarmed. */
function whatLapses(lapseAtMs: number | undefined): string {
  if (lapseAtMs === undefined) return 'no timed cancel is armed';
  return `timed cancels cannot be disarmed: the last one fires at ${timeOfDay(lapseAtMs)}`;
}
