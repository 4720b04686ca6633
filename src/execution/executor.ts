import { merge, Observable, Subscription } from 'rxjs';
import type { Intent, LiveOrder, OrderState } from '../domain/index.ts';
import type { AccountInfo } from '../exchange/index.ts';
import { ADOPTED } from '../ledger/index.ts';
import type { Approved, HeartbeatView } from '../risk/index.ts';
import { Desks } from './desk/desks.ts';
import { Horizon } from './desk/horizon.ts';
import { kindOfTag, reservedTag } from './desk/tags.ts';
import { Alarm } from './heartbeat/alarm.ts';
import type { HeartbeatState } from './heartbeat/heartbeat.ts';
import { Pacemaker } from './heartbeat/pacemaker.ts';
import type { ExecutorMemory, ExecutorOptions } from './ports.ts';
import { Canceller } from './sending/cancelling.ts';
import { Courier } from './sending/courier.ts';
import { Placer } from './sending/placing.ts';
import { Pump } from './sending/pump.ts';
import type { ExecutorUsage } from './sending/usage.ts';
import { Shutdown, type StopReport } from './shutdown.ts';
import { AccountReading } from './truth/account-reading.ts';
import { Alternation } from './truth/alternation.ts';
import { Attention } from './truth/attention.ts';
import { FeeQuestions } from './truth/fee-questions.ts';
import { Grace } from './truth/grace.ts';
import { Questions } from './truth/questions.ts';
import type { Unreadable } from './truth/read-failures.ts';
import { type ReadOptions, Reconciler, type ReconciliationReport } from './truth/reconciler.ts';
import { Scans } from './truth/scans.ts';
import { Twins } from './truth/twins.ts';
import { Inquiries } from './truth/unknown.ts';

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
  readonly #courier: Courier;
  readonly #desks: Desks;
  readonly #account: AccountReading;
  readonly #twins: Twins;
  readonly #inquiries: Inquiries;
  readonly #feeQuestions: FeeQuestions;
  readonly #reconciler: Reconciler;
  readonly #canceller: Canceller;
  readonly #pacemaker: Pacemaker;
  readonly #pump: Pump;
  readonly #attention: Attention;
  readonly #alarm: Alarm;
  readonly #subscriptions = new Subscription();
  readonly #grace: Grace;
  readonly #pastIds = new Set<string>();
  #reconciledMs: number;
  #hasWishes = false;
  #halted = false;
  #shutdown: Shutdown | undefined;
  #pumping = false;
  #again = false;

  constructor(options: ExecutorOptions) {
    const { clock, bus, journal, budget, logger, config, markets } = options;
    this.#options = options;
    this.#grace = new Grace(options, {
      hasWished: ({ strategy, market }) => this.#desks.of(strategy, market).hasWished,
    });
    this.#reconciledMs = clock.now();
    const onHalt = (reason: string) => this.#halt(reason);
    this.#courier = new Courier({
      ...{ clock, bus, budget, journal, logger },
      answerTimeoutMs: config.answerTimeoutMs,
      onLocked: (failure) => this.#account.fail(failure),
      onHalt,
      settle: (deal) => this.#settle(deal),
    });
    this.#desks = new Desks(markets, {
      ...options,
      mayRest: (order) => this.#grace.mayRest(order),
      mayOpen: ({ market }) => this.#pacemaker.mayOpen(market.id),
    });
    const courier = this.#courier;
    const horizon = new Horizon(options);
    const twins = new Twins(options, { horizon, onHalt });
    this.#twins = twins;
    this.#subscriptions.add(twins.follow());
    this.#subscriptions.add(bus.on('orderPush').subscribe(({ order }) => horizon.hear([order])));
    this.#account = new AccountReading(options, courier);
    const scans = new Scans(options, { courier, horizon, pastIds: this.#pastIds });
    const isBlocked = (order: OrderState) => this.#pacemaker.willRead(order);
    const onAbsent = (order: LiveOrder) => this.#pacemaker.absent(order);
    this.#inquiries = new Inquiries(options, { courier, scans, isBlocked, onAbsent });
    this.#feeQuestions = new FeeQuestions(options, this.#courier);
    const inquiries = this.#inquiries;
    this.#reconciler = new Reconciler(options, { courier, horizon, inquiries, twins });
    this.#canceller = new Canceller(options, { courier, inquiries });
    this.#pacemaker = new Pacemaker(options, { courier, reconciler: this.#reconciler });
    const readings = new Alternation(this.#reconciler, this.#feeQuestions);
    this.#pump = new Pump(options, {
      desks: this.#desks,
      pacemaker: this.#pacemaker,
      placer: new Placer(options, { courier, horizon, scans }),
      canceller: this.#canceller,
      questions: new Questions([this.#account, inquiries, scans, readings]),
      mayOpen: () => !this.#halted,
      areQuestionsUrgent: () => !this.#hasWishes || this.#shutdown !== undefined,
    });
    this.#attention = new Attention(options, {
      desks: this.#desks,
      inquiries,
      canceller: this.#canceller,
      pump: this.#pump,
    });
    this.#alarm = new Alarm(clock, () => this.#run());
    this.#subscriptions.add(() => this.#alarm.cancel());
    this.#listen();
  }

  /** Whether the timed cancel of a market is armed, as risk asks it. */
  get heartbeat(): HeartbeatView {
    return this.#options.heartbeat;
  }

  /**
   * Replaces the strategy's wish; what may leave for it has left when this returns.
   *
   * `isSame`: it names what may leave by now of the wish that stands; the rest of that stays as it
   * is, and what was filled of it fulfilled. Default: false.
   */
  wish(strategy: string, approved: Approved<Intent>, { isSame = false } = {}): void {
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
    const desk = this.#desks.of(strategy, intent.market);
    if (intent.kind === 'cancel' && !desk.hasTagged(intent.tag)) {
      const { tag, market } = intent;
      this.#options.logger.debug(
        { strategy, market, tag },
        'nothing to cancel: no order has the tag',
      );
    }
    desk.wish(intent, { isSame });
    this.#desks.wake(desk);
    this.#run();
  }

  /** Drops all wishes of a strategy: its orders are cancelled. */
  withdraw(strategy: string): void {
    for (const desk of this.#desks.all(strategy)) {
      desk.withdraw();
      this.#desks.wake(desk);
    }
    this.#run();
  }

  /** Drops every wish: all orders are cancelled, adopted and restored ones too. */
  withdrawAll(): void {
    this.#clear();
    this.#run();
  }

  /** Reads the account once, when the rate budget has room; fails as the request does. */
  readAccount(): Observable<AccountInfo> {
    return new Observable((subscriber) => {
      this.#account.ask(subscriber);
      this.#run();
    });
  }

  /**
   * Reads open orders and balances and brings the ledgers in line. Before the first wish it reads
   * all markets, and goes on without those that cannot be read; then those that are traded. Emits
   * once; what it could not settle at once is asked order by order afterwards.
   */
  reconcile(reason: string): Observable<ReconciliationReport> {
    const markets = this.#hasWishes ? this.#desks.markets() : this.#options.markets.keys();
    const report = this.#read(reason, [...markets], { goesWithout: !this.#hasWishes });
    this.#run();
    return report;
  }

  /**
   * Stops: places nothing more, cancels all, verifies by reading. Emits the report once, after
   * `stopTimeoutMs` at the latest. A second call joins the first.
   */
  stop(): Observable<StopReport> {
    if (this.#shutdown === undefined) {
      const markets = [...this.#desks.markets()];
      const parts = { reconciler: this.#reconciler, proofs: this.#canceller.proofs, markets };
      this.#shutdown = new Shutdown(this.#options, parts);
      this.#clear();
      this.#run();
    }
    return this.#shutdown.report;
  }

  /**
   * Takes over what an earlier run left: its orders count as unknown until the exchange has spoken,
   * their markets are armed and read before anything is placed there. What it had adopted is a
   * stranger's again where such orders are ignored now.
   */
  restore(memory: ExecutorMemory): void {
    const { orders, guessedOrders = [], recentOrders = [], endedOrders = [] } = memory;
    const { requestTimes, pastExchangeOrderIds = [] } = memory;
    const { clock, budget, orders: ledger, markets, logger, config } = this.#options;
    budget.restore(requestTimes);
    for (const id of pastExchangeOrderIds) this.#pastIds.add(id);
    ledger.restorePast(this.#pastIds);
    this.#twins.restore(recentOrders);
    for (const order of endedOrders) if (markets.has(order.market)) ledger.restore(order);
    const reason = 'an earlier run left it';
    const news = { time: clock.now(), evidence: 'journal', reason } as const;
    for (const order of orders) {
      const { clientOrderId, market, strategy } = order;
      if (strategy === ADOPTED && config.foreignOrders === 'ignore') continue;
      if (!markets.has(market)) {
        logger.error({ clientOrderId, market }, `an order was left in ${market}, not traded now`);
        continue;
      }
      this.#grace.restore(clientOrderId);
      this.#pacemaker.suspend(market);
      ledger.restore(order);
      this.#attention.note(ledger.apply(clientOrderId, { kind: 'lost', ...news }));
    }
    this.#feeQuestions.restore(guessedOrders);
    this.#run();
  }

  /** The engine is alive: without this the timed cancels are not refreshed. */
  signOfLife(): void {
    this.#options.heartbeat.signOfLife();
    this.#run();
  }

  /** Lets orders leave again that were wished since a halt. For a person who has looked. */
  resume(): void {
    this.#halted = false;
    this.#run();
  }

  /** Whether something pauses in a market before it is tried again, or would were it wished. */
  isPausing(market: string): boolean {
    for (const desk of this.#desks.in(market)) if (desk.isPausing) return true;
    return false;
  }

  /** Tries now what has paused in a market since before now: there is something new to be met. */
  endPauses(market: string): void {
    let hasPaused = false;
    for (const desk of this.#desks.in(market)) {
      if (!desk.endPauses()) continue;
      this.#desks.wake(desk);
      hasPaused = true;
    }
    if (hasPaused) this.#run();
  }

  /** How much of the rate budget is in use. */
  usage(): ExecutorUsage {
    return { ...this.#options.budget.usage(), waiting: [...this.#pump.waiting] };
  }

  /** What readings fail lastingly to read: nothing is opened in such a market. */
  unreadable(): readonly Unreadable[] {
    return this.#reconciler.unreadable();
  }

  /** How the timed cancel of a market stands. */
  heartbeatState(market: string): HeartbeatState {
    return this.#options.heartbeat.state(market);
  }

  #listen(): void {
    const { bus } = this.#options;
    this.#subscriptions.add(
      bus.on('order').subscribe(({ order }) => this.#attention.heed(order) && this.#run()),
    );
    this.#subscriptions.add(
      bus.on('orderPush').subscribe(({ order }) => this.#attention.doubt(order) && this.#run()),
    );
    this.#subscriptions.add(
      bus
        .on('fill')
        .subscribe(({ fill }) => this.#feeQuestions.filled(fill.clientOrderId) && this.#run()),
    );
    this.#subscriptions.add(
      // What a cancelled order held is told behind its end: who waits for that need not wait on.
      bus.on('balance').subscribe(() => this.#desks.reconsider(0) && this.#run()),
    );
    this.#subscriptions.add(
      merge(bus.on('tradingState'), bus.on('freshness')).subscribe((change) => {
        if (change.kind === 'tradingState' && change.state === 'HALTED') this.#clear();
        this.#desks.reconsider();
        this.#run();
      }),
    );
  }

  /** Works once when all is dealt with, not at every event in between. */
  #settle(deal: () => void): void {
    const pumping = this.#pumping;
    this.#pumping = true;
    try {
      deal();
    } finally {
      this.#pumping = pumping;
    }
    this.#run();
  }

  /** Works until nothing more can be done now. */
  #run(): void {
    this.#again = true;
    if (this.#pumping || this.#shutdown?.isOver) return;
    this.#pumping = true;
    try {
      while (this.#again) {
        this.#again = false;
        this.#courier.giveUpOverdue();
        if (this.#grace.ends()) this.#desks.wakeAll();
        this.#readRegularly();
        this.#pump.round();
        this.#shutdown?.advance();
      }
    } finally {
      this.#pumping = false;
    }
    this.#alarm.set(this.#nextMs());
    if (this.#shutdown?.isOver) this.#subscriptions.unsubscribe();
  }

  #nextMs(): number {
    const shutdownMs = this.#shutdown?.nextMs ?? NEVER;
    const nextMs = Math.min(this.#pump.nextMs, this.#courier.nextMs, shutdownMs);
    return Math.min(nextMs, this.#grace.nextMs, this.#readRegularlyMs());
  }

  #clear(): void {
    this.#grace.clear();
    for (const desk of this.#desks.all()) desk.withdraw();
    this.#desks.wakeAll();
  }

  #read(
    reason: string,
    markets: readonly string[],
    options?: ReadOptions,
  ): Observable<ReconciliationReport> {
    this.#reconciledMs = this.#options.clock.now();
    return this.#reconciler.read(reason, markets, options);
  }

  #readRegularly(): void {
    if (this.#readRegularlyMs() > this.#options.clock.now()) return;
    const { orders, heartbeat } = this.#options;
    // Between two orders a market has none for a moment: its timed cancel tells that it is traded.
    const isTraded = (market: string) =>
      orders.live(market).length > 0 || heartbeat.confirmed(market);
    const markets = [...this.#desks.markets()].filter(isTraded);
    this.#read('regular', markets, { goesWithout: true });
  }

  /** When orders and balances are read as a matter of course: while orders live. */
  #readRegularlyMs(): number {
    if (this.#options.orders.liveCount === 0) return NEVER;
    return this.#reconciledMs + this.#options.config.reconcileMs;
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
