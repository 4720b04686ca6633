import { merge, Observable, Subscription } from 'rxjs';
import type { Intent, LiveOrder } from '../domain/index.ts';
import { Alarm } from '../kernel/index.ts';
import { ADOPTED } from '../ledger/index.ts';
import type { Approved } from '../risk/index.ts';
import { kindOfTag, reservedTag } from './desk/tags.ts';
import type { HeartbeatState } from './heartbeat/heartbeat.ts';
import { createParts, type ExecutorParts } from './parts.ts';
import type { ExecutorMemory, ExecutorOptions } from './ports.ts';
import type { BudgetUsage, Priority } from './sending/rate-budget.ts';
import { Shutdown, type StopReport } from './shutdown.ts';
import type { AccountRead } from './truth/account-reading.ts';
import type { Unreadable } from './truth/read-failures.ts';
import type { ReconciliationReport } from './truth/reconciler.ts';

/** The rate budget as a status display shows it. */
interface ExecutorUsage extends BudgetUsage {
  /** The kinds of requests that wait for it. */
  readonly waiting: readonly Priority[];
}

/**
 * Turns wishes into requests, one at a time, the most valuable first, as fast as the rate budget
 * lets them go, and never loses sight of an order.
 *
 * It holds the wish and the truth of every strategy and market, no queue of orders. Whenever one of
 * them changes it works out what is missing; what was superseded meanwhile is never sent. All of it
 * is synchronous: a wish that may leave is on its way when `wish` returns.
 */
export class Executor {
  readonly #options: ExecutorOptions;
  readonly #parts: ExecutorParts;
  readonly #alarm: Alarm;
  readonly #subscriptions = new Subscription();
  #hasWishes = false;
  #halted = false;
  #shutdown: Shutdown | undefined;
  #isWorking = false;
  /** Whether something to do came up within the work that is under way. */
  #again = false;

  constructor(options: ExecutorOptions) {
    this.#options = options;
    this.#parts = createParts(options, {
      settle: (deal, options) => this.#settle(deal, options),
      onHalt: (reason) => this.#halt(reason),
      mayOpen: () => !this.#halted,
      areQuestionsUrgent: () => !this.#hasWishes || this.#shutdown !== undefined,
    });
    this.#subscriptions.add(this.#parts.subscription);
    this.#alarm = new Alarm(options.clock, () => this.#run());
    this.#subscriptions.add(() => this.#alarm.cancel());
    this.#listen();
  }

  /**
   * Replaces the strategy's wish; what may leave for it has left when this returns.
   *
   * `addsToStanding`: it names what may leave by now of the wish that stands; the rest of that stays
   * as it is, and what was filled of it fulfilled. Default: false.
   */
  wish(strategy: string, approved: Approved<Intent>, { addsToStanding = false } = {}): void {
    const intent = approved.value;
    if (this.#shutdown !== undefined) return;
    if (intent.kind === 'order' && kindOfTag(intent.tag) !== 'order') {
      const { bus, clock } = this.#options;
      const { market, tag } = intent;
      const refusal = reservedTag(tag);
      bus.publish({ kind: 'refusal', time: clock.now(), market, strategy, tag, refusal });
      return;
    }
    this.#hasWishes = true;
    const desk = this.#parts.desks.of(strategy, intent.market);
    if (intent.kind === 'cancel' && !desk.hasTagged(intent.tag)) {
      const { tag, market } = intent;
      this.#options.logger.debug(
        { strategy, market, tag },
        'nothing to cancel: no order has the tag',
      );
    }
    desk.wish(intent, { addsToStanding });
    this.#parts.desks.wake(desk);
    this.#run();
  }

  /**
   * Risk has refused a wish, and nothing of it stands. It decides all the same about what an earlier
   * run left.
   */
  refused(strategy: string, intent: Intent): void {
    const { desks, grace } = this.#parts;
    const { market } = intent;
    if (grace.isOver || this.#options.orders.liveOf(strategy, market).length === 0) return;
    const desk = desks.of(strategy, market);
    desk.decide(intent);
    desks.wake(desk);
    this.#run();
  }

  /** Drops all wishes of a strategy: its orders are cancelled. */
  withdraw(strategy: string): void {
    for (const desk of this.#parts.desks.all(strategy)) {
      desk.withdraw();
      this.#parts.desks.wake(desk);
    }
    this.#run();
  }

  /** Drops every wish: all orders are cancelled, adopted and restored ones too. */
  withdrawAll(): void {
    this.#clear();
    this.#run();
  }

  /** Reads the account once, when the rate budget has room; fails as the request does. */
  readAccount(): Observable<AccountRead> {
    return new Observable((subscriber) => {
      this.#parts.account.ask(subscriber);
      this.#run();
    });
  }

  /**
   * Reads open orders and balances and brings the ledgers in line. Before the first wish it reads
   * all markets, and goes on without those that cannot be read; then those that are traded. Emits
   * once; what it could not settle at once is asked order by order afterwards.
   */
  reconcile(reason: string): Observable<ReconciliationReport> {
    const { desks, leftElsewhere, readings } = this.#parts;
    leftElsewhere.begin();
    const markets = this.#hasWishes ? desks.markets() : this.#options.markets.keys();
    const report = readings.read(reason, [...markets], { goesWithout: !this.#hasWishes });
    this.#run();
    return report;
  }

  /**
   * Stops: places nothing more, cancels all, verifies by reading. Emits the report once, after
   * `stopTimeoutMs` at the latest. A second call joins the first.
   */
  stop(): Observable<StopReport> {
    if (this.#shutdown === undefined) {
      this.#shutdown = this.#newShutdown();
      // Its own readings may take over orders that nobody would cancel afterwards.
      this.#parts.grace.close();
      this.#parts.leftElsewhere.begin();
      // Nothing comes after a stop that would find what an answer has only said.
      this.#parts.canceller.proofs.doubtAll();
      // A stop has less time than a lock is waited for.
      this.#options.budget.askAfterLock();
      this.#clear();
      this.#run();
    }
    return this.#shutdown.report;
  }

  /** How a stop stands now, for who does not wait for its end. Nothing is sent by it. */
  stopSoFar(): StopReport {
    return (this.#shutdown ?? this.#newShutdown()).standing;
  }

  #newShutdown(): Shutdown {
    const { desks, reconciler, canceller, leftElsewhere } = this.#parts;
    const { proofs } = canceller;
    const markets = [...desks.markets()];
    return new Shutdown(this.#options, { reconciler, proofs, leftElsewhere, markets });
  }

  /**
   * Takes over what an earlier run left: its orders count as unknown until the exchange has spoken,
   * their markets are armed and read before anything is placed there. What it had adopted is a
   * stranger's again where such orders are ignored now.
   */
  restore(memory: ExecutorMemory): void {
    const { budget, orders, markets } = this.#options;
    const { pastIds, twins, feeQuestions } = this.#parts;
    budget.restore(memory.requestTimes);
    for (const id of memory.pastExchangeOrderIds) pastIds.add(id);
    orders.restorePast(pastIds);
    twins.restore(memory.recentOrders);
    for (const order of memory.endedOrders) if (markets.has(order.market)) orders.restore(order);
    for (const order of memory.orders) this.#restoreLive(order, memory);
    feeQuestions.restore(memory.guessedOrders);
    this.#run();
  }

  /** The engine is alive: without this the timed cancels are not refreshed. */
  signOfLife(): void {
    this.#options.heartbeat.signOfLife();
    this.#run();
  }

  /** Whether something pauses in a market before it is tried again, or would were it wished. */
  isPausing(market: string): boolean {
    for (const desk of this.#parts.desks.in(market)) if (desk.isPausing) return true;
    return false;
  }

  /** Tries now what has paused in a market since before now: there is something new to be met. */
  endPauses(market: string): void {
    let hasPaused = false;
    for (const desk of this.#parts.desks.in(market)) {
      if (!desk.endPauses()) continue;
      this.#parts.desks.wake(desk);
      hasPaused = true;
    }
    if (hasPaused) this.#run();
  }

  /** How much of the rate budget is in use. */
  usage(): ExecutorUsage {
    return { ...this.#options.budget.usage(), waiting: [...this.#parts.pump.waiting] };
  }

  /** What readings fail lastingly to read: nothing is opened in such a market. */
  unreadable(): readonly Unreadable[] {
    return this.#parts.reconciler.unreadable();
  }

  /** How the timed cancel of a market stands. */
  heartbeatState(market: string): HeartbeatState {
    return this.#options.heartbeat.state(market);
  }

  #restoreLive(order: LiveOrder, { isOwned, aliveTimes }: ExecutorMemory): void {
    const { clientOrderId, market, strategy } = order;
    const { clock, orders, markets, config } = this.#options;
    if (strategy === ADOPTED && config.foreignOrders === 'ignore') return;
    const { grace, leftElsewhere, pacemaker, attention } = this.#parts;
    if (!markets.has(market)) {
      const aliveMs = aliveTimes.get(clientOrderId) ?? order.changedTime;
      // A person's is theirs to cancel.
      leftElsewhere.take(order, strategy === ADOPTED ? Number.NEGATIVE_INFINITY : aliveMs);
      return;
    }
    if (strategy === ADOPTED || isOwned(order)) grace.restore(clientOrderId);
    pacemaker.suspend(market);
    orders.restore(order);
    const reason = 'an earlier run left it';
    const time = clock.now();
    attention.note(
      orders.apply(clientOrderId, { kind: 'lost', time, evidence: 'journal', reason }),
    );
  }

  #listen(): void {
    const { bus } = this.#options;
    const { attention, feeQuestions, desks } = this.#parts;
    const all = this.#subscriptions;
    all.add(bus.on('order').subscribe(({ order }) => attention.heed(order) && this.#run()));
    all.add(bus.on('orderPush').subscribe(({ order }) => attention.doubt(order) && this.#run()));
    all.add(
      bus
        .on('fill')
        .subscribe(({ fill }) => feeQuestions.filled(fill.clientOrderId) && this.#run()),
    );
    // The balance that an ended order held is told after its end: an order that lacked it may leave.
    all.add(bus.on('balance').subscribe(() => desks.reconsider(0) && this.#run()));
    all.add(
      merge(bus.on('tradingState'), bus.on('freshness')).subscribe((change) => {
        if (change.kind === 'tradingState' && change.state === 'HALTED') this.#clear();
        desks.reconsider();
        this.#run();
      }),
    );
  }

  /**
   * Works once when all is dealt with, not at every event in between. What is answered while it works
   * and comes to no more than an order's event is worked on when that is heard.
   */
  #settle(deal: () => void, { isHeard = false } = {}): void {
    const wasWorking = this.#isWorking;
    this.#isWorking = true;
    try {
      deal();
    } finally {
      this.#isWorking = wasWorking;
    }
    if (!wasWorking || !isHeard) this.#run();
  }

  /** Works until nothing more can be done now. */
  #run(): void {
    this.#again = true;
    if (this.#isWorking || this.#shutdown?.isOver) return;
    const { courier, grace, desks, readings, pump } = this.#parts;
    this.#isWorking = true;
    try {
      while (this.#again) {
        this.#again = false;
        const nowMs = this.#options.clock.now();
        courier.giveUpOverdue(nowMs);
        if (grace.ends(nowMs)) desks.wakeAll();
        readings.readDue(nowMs);
        pump.round(nowMs);
        this.#shutdown?.advance();
      }
    } finally {
      this.#isWorking = false;
    }
    this.#alarm.set(this.#nextMs());
    if (this.#shutdown?.isOver) this.#subscriptions.unsubscribe();
  }

  #nextMs(): number {
    const shutdownMs = this.#shutdown?.nextMs ?? NEVER;
    const { pump, courier, grace, readings } = this.#parts;
    const nextMs = Math.min(pump.nextMs, courier.nextMs, shutdownMs);
    return Math.min(nextMs, grace.nextMs, readings.nextMs);
  }

  #clear(): void {
    const { grace, desks } = this.#parts;
    grace.clear();
    for (const desk of desks.all()) desk.withdraw();
    desks.wakeAll();
  }

  #halt(reason: string): void {
    if (this.#halted) return;
    this.#halted = true;
    this.#options.logger.error({ reason }, 'no more orders leave until a person has looked');
    this.#options.onHalt?.(reason);
    this.withdrawAll();
  }
}

const NEVER = Number.POSITIVE_INFINITY;
