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
  /** The kinds of requests waiting for it. */
  readonly waiting: readonly Priority[];
}

/**
 * Turns wishes into requests, one at a time, the most valuable first, as fast as the rate budget
 * allows, and never loses sight of an order.
 *
 * It keeps each strategy's wish and true state per market, no queue of orders. Whenever one of them
 * changes it works out what is missing; superseded orders are never sent. All of it is synchronous:
 * when `wish` returns, whatever may leave is on its way.
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
  /** Whether new work came up during the present work. */
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
   * Replaces the strategy's wish. Whatever may leave for it has left when this returns.
   *
   * `addsToStanding`: the intent is the standing wish, of which more may leave by now. Its standing
   * part stays as it is, and its fills stay fulfilled. Default: false.
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
   * Risk has refused a wish, and nothing of it stands. The wish still decides about orders left by
   * an earlier run.
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

  /** Reads the account once, when the rate budget has room; fails like the request. */
  readAccount(): Observable<AccountRead> {
    return new Observable((subscriber) => {
      this.#parts.account.ask(subscriber);
      this.#run();
    });
  }

  /**
   * Reads open orders and balances and brings the ledgers in line. Before the first wish it reads
   * all markets, and goes on without those that cannot be read; later it reads the traded ones.
   * Emits once; orders not settled by then are looked up one by one.
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
      // The stop's own reads may adopt orders, which must not rest on either.
      this.#parts.grace.close();
      this.#parts.leftElsewhere.begin();
      // After a stop nobody would notice a cancel that was only acknowledged.
      this.#parts.canceller.proofs.doubtAll();
      // A stop has no time to wait out a lock.
      this.#options.budget.askAfterLock();
      this.#clear();
      this.#run();
    }
    return this.#shutdown.report;
  }

  /** The state of a stop so far, for a caller that does not wait for its end. Sends nothing. */
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
   * Takes over what an earlier run left. Its orders count as unknown until the exchange tells
   * otherwise; their markets are armed and read before anything is placed there. If foreign orders
   * are ignored now, orders that the earlier run had adopted are foreign again.
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

  /** Tells that the engine is alive: without this the timed cancels are not refreshed. */
  signOfLife(): void {
    this.#options.heartbeat.signOfLife();
    this.#run();
  }

  /**
   * Whether anything in the market waits out a pause before it is retried, or would if it were
   * wished.
   */
  isPausing(market: string): boolean {
    for (const desk of this.#parts.desks.in(market)) if (desk.isPausing) return true;
    return false;
  }

  /**
   * Retries now what has been paused in the market since before now: there is new liquidity to
   * meet.
   */
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

  /** What lastingly cannot be read: nothing is opened in such a market. */
  unreadable(): readonly Unreadable[] {
    return this.#parts.reconciler.unreadable();
  }

  /** The state of a market's timed cancel. */
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
      // An adopted order is a person's to cancel.
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
    // An ended order's money is told after its end: an order that lacked it may leave now.
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
   * Deals with an answer, then works once, not at every event in between. Where it works already,
   * an answer that changes no more than an order (`isHeard`) is worked on when the order's event is
   * heard.
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
