import {
  concat,
  defer,
  EMPTY,
  filter,
  ignoreElements,
  type Observable,
  ReplaySubject,
  Subscription,
  tap,
} from 'rxjs';
import type { Intent, Journal, Market, Refusal, TradingEvent } from '../domain/index.ts';
import { type Exchange, readAgain } from '../exchange/index.ts';
import { type Executor, type OnRepeated, type StopReport, stopText } from '../execution/index.ts';
import {
  type Blot,
  type Bus,
  type Clock,
  type Logger,
  messageOf,
  type Random,
} from '../kernel/index.ts';
import type { BalanceLedger, OrderLedger, PositionLedger } from '../ledger/index.ts';
import type { StreamsPort } from '../market/index.ts';
import type { RiskGate } from '../risk/index.ts';
import { FreshnessBoard } from '../strategy/index.ts';
import { followAccount } from './account-feed.ts';
import { requireTradingKey } from './key-permissions.ts';
import { RefusedWishes } from './refused-wishes.ts';
import { StrategyHost, type StrategyInstance, type StrategyReport } from './strategy-host.ts';

/** How often the engine tells the heartbeat that it is alive, and retries refused wishes. */
const SIGN_OF_LIFE_MS = 1_000;

/** The floors that the engine joins. */
export interface EngineParts {
  readonly bus: Bus<TradingEvent>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Removes secrets from what strategies give as reasons. Default: nothing is removed. */
  readonly blot?: Blot | undefined;
  readonly exchange: Exchange;
  readonly markets: ReadonlyMap<string, Market>;
  readonly journal: Journal;
  readonly streams: StreamsPort;
  readonly orders: OrderLedger;
  readonly balances: BalanceLedger;
  readonly positions: PositionLedger;
  readonly gate: RiskGate;
  readonly executor: Executor;
  readonly strategies: readonly StrategyInstance[];
  /** Whether a key that may withdraw funds is accepted. A trading key should not be able to. */
  readonly allowWithdrawals: boolean;
  /**
   * How often the engine tells the heartbeat that it is alive, milliseconds. Infinite: it keeps no
   * timer, and whoever runs it calls `askAgain` now and then. Default: a second.
   */
  readonly signOfLifeMs?: number | undefined;
  /** Wishes made before this time are ignored: the history until then only warms strategies up. */
  readonly tradesFromMs?: number | undefined;
  /** Called with each wish ignored for that reason, and its strategy. */
  readonly onEarly?: ((strategy: string, intent: Intent) => void) | undefined;
  /**
   * Called with the code of a refusal that is not published because the previous wish had the same
   * one.
   */
  readonly onRepeated?: OnRepeated | undefined;
}

/** Why a run cannot go on by itself. */
export interface RunOver {
  readonly reason: 'strategies' | 'journal' | 'rules';
  readonly message: string;
}

/** Joins streams, strategies, risk and executor on the bus, and starts and stops them in order. */
export class Engine {
  readonly #parts: EngineParts;
  readonly #host: StrategyHost;
  readonly #refused = new RefusedWishes();
  readonly #subscriptions = new Subscription();
  readonly #over = new ReplaySubject<RunOver>(1);
  #stopping = false;
  #isAccountRead = false;

  /** Emits when the run cannot go on: whoever runs the engine should stop it. */
  readonly over: Observable<RunOver> = this.#over.asObservable();

  constructor(parts: EngineParts) {
    this.#parts = parts;
    for (const { name, markets } of parts.strategies) {
      parts.gate.confine(name, new Set(markets.map(({ id }) => id)));
    }
    const freshness = new FreshnessBoard(parts.bus);
    this.#host = new StrategyHost({
      ...parts,
      instances: parts.strategies,
      sources: { ...parts, freshness: (market) => freshness.of(market) },
      onIntent: (strategy, intent) => this.#decide(strategy, intent),
      onOver: (strategy) => {
        this.#refused.drop(strategy);
        parts.executor.withdraw(strategy);
      },
    });
    // Recording begins here, so that state taken over before the start is on record too.
    this.#subscriptions.add(
      parts.bus.record((event) => this.#record(event), parts.journal.leavesOut),
    );
  }

  /** The status of every strategy. */
  get strategies(): readonly StrategyReport[] {
    return this.#host.reports;
  }

  /**
   * Reads the account, settles what earlier runs left behind, then starts the strategies.
   *
   * Completes when they run. Fails with an `ExchangeFailure` when the exchange does not answer, or
   * with what `accepted` throws. `accepted` is called once the exchange has accepted the key.
   */
  start(accepted?: () => void): Observable<never> {
    const { balances, clock, executor, logger } = this.#parts;
    const readAccount = executor.readAccount().pipe(
      readAgain({ clock, logger, what: 'the account' }),
      tap(({ account, asOfMs }) => balances.reset(account.balances, { asOfMs })),
      tap(({ account }) => requireTradingKey(account.permissions, this.#parts)),
      tap(accepted),
    );
    const settle = defer(() => {
      this.#isAccountRead = true;
      return executor.reconcile('start');
    });
    const run = defer(() => {
      // A stop may have come while the account was read.
      if (!this.#stopping) this.#runStrategies();
      return EMPTY;
    });
    return defer(() => {
      this.#begin();
      return concat(readAccount, settle, run).pipe(ignoreElements());
    });
  }

  /** Stops strategies, cancels and verifies all orders. Emits the report once. */
  stop(reason: string): Observable<StopReport> {
    return defer(() => {
      this.#stopping = true;
      this.#publishRun('stopping', reason);
      this.#host.stop(reason);
      return this.#parts.executor.stop();
    }).pipe(tap((report) => this.#ended(report)));
  }

  /** The state of the stop so far, for a caller that quits without waiting for its end. */
  stopSoFar(): StopReport {
    return this.#parts.executor.stopSoFar();
  }

  /** Stops the strategies for good; their wishes stand until withdrawn. */
  stopStrategies(reason: string): void {
    this.#stopping = true;
    this.#host.stop(reason);
  }

  #begin(): void {
    const { bus, clock, executor, exchange, orders, balances, markets, streams } = this.#parts;
    this.#publishRun('starting', 'reading the account and what earlier runs left');
    this.#subscriptions.add(
      followAccount({
        bus,
        clock,
        orders,
        balances,
        feed: exchange.accountFeed,
        markets: [...markets.keys()],
        reconcile: (reason) => this.#reconcile(reason),
      }),
    );
    // Risk and status look at the book of every market, whatever the strategies look at.
    for (const id of markets.keys()) this.#subscriptions.add(streams.watched(id).subscribe());
    executor.signOfLife();
    const { signOfLifeMs = SIGN_OF_LIFE_MS } = this.#parts;
    if (signOfLifeMs === Number.POSITIVE_INFINITY) return;
    const live = () => {
      executor.signOfLife();
      this.askAgain();
    };
    this.#subscriptions.add(
      clock.schedule(function signal() {
        live();
        this.schedule(undefined, signOfLifeMs);
      }, signOfLifeMs),
    );
  }

  #runStrategies(): void {
    const { bus } = this.#parts;
    this.#subscriptions.add(bus.on('strategy').subscribe(() => this.#noteIfLast()));
    // Started within a delivery: events published while the first strategy subscribes are then
    // delivered only once the last one has subscribed.
    const running = bus.on('run').pipe(filter(({ status }) => status === 'running'));
    this.#subscriptions.add(
      running.subscribe(() => {
        this.#hearTrades();
        this.#host.start();
      }),
    );
    this.#publishRun('running', 'strategies start');
  }

  /** Subscribes just before the strategies, in the same delivery: they miss no trade through it. */
  #hearTrades(): void {
    const { gate, markets, streams } = this.#parts;
    for (const id of markets.keys()) {
      if (gate.hearsTrades(id)) this.#subscriptions.add(streams.traded(id).subscribe());
    }
  }

  #noteIfLast(): void {
    if (this.#stopping || this.#host.running > 0) return;
    this.#over.next({ reason: 'strategies', message: 'no strategy is left to run' });
  }

  /**
   * Judges a wish. The part of a standing wish that passes replaces the former wish, even if it is
   * empty.
   */
  #decide(strategy: string, intent: Intent): void {
    const { bus, clock, gate, executor, tradesFromMs, onEarly } = this.#parts;
    if (tradesFromMs !== undefined && clock.now() < tradesFromMs) {
      onEarly?.(strategy, intent);
      return;
    }
    const { market } = intent;
    bus.publish({ kind: 'intent', time: clock.now(), market, strategy, intent });
    const told = this.#refused.replaceBy(strategy, intent);
    const verdict = gate.intent(strategy, intent);
    const { approved, refusals } = verdict;
    if (refusals.length > 0) this.#refused.keep(strategy, { intent, verdict });
    if (approved !== undefined) executor.wish(strategy, approved);
    if (approved?.value.kind !== intent.kind) executor.refused(strategy, intent);
    for (const refusal of refusals) {
      if (!told.has(refusal.code)) this.#tell(strategy, { market, refusal, ...tagOf(intent) });
      else this.#parts.onRepeated?.(refusal.code, { strategy, market });
    }
  }

  /** Whether a standing wish is refused, as a whole or in part. */
  get isRefused(): boolean {
    return !this.#refused.isEmpty;
  }

  /** Retries refused wishes. Costs next to nothing while there are none. */
  askAgain(): void {
    if (this.#stopping || this.#refused.isEmpty) return;
    const { gate, executor } = this.#parts;
    this.#refused.retry((strategy, intent) => gate.intent(strategy, intent), {
      passed: (strategy, approved) => executor.wish(strategy, approved, { addsToStanding: true }),
      refused: (strategy, told) => this.#tell(strategy, told),
    });
  }

  /**
   * Whether anything in the market waits out a pause before it is retried, or would if it were
   * wished.
   */
  isPausing(market: string): boolean {
    return this.#parts.executor.isPausing(market);
  }

  /**
   * Retries now what has been paused in the market since before now: there is new liquidity to
   * meet.
   */
  endPauses(market: string): void {
    this.#parts.executor.endPauses(market);
  }

  #tell(strategy: string, told: { market: string; tag?: string; refusal: Refusal }): void {
    const { bus, clock } = this.#parts;
    bus.publish({ kind: 'refusal', time: clock.now(), strategy, ...told });
  }

  #record(event: TradingEvent): void {
    try {
      this.#parts.journal.append(event);
    } catch (thrown) {
      this.#over.next({ reason: 'journal', message: messageOf(thrown) });
    }
  }

  #reconcile(reason: string): void {
    // The start has yet to read the whole account, if the exchange accepts the key.
    if (!this.#isAccountRead) return;
    const { executor, logger } = this.#parts;
    this.#subscriptions.add(
      executor.reconcile(reason).subscribe({
        error: (thrown) => logger.warn({ reason: messageOf(thrown) }, 'reconciliation failed'),
      }),
    );
  }

  #ended(report: StopReport): void {
    this.#publishRun('stopped', stopText(report));
    this.#subscriptions.unsubscribe();
  }

  #publishRun(status: 'starting' | 'running' | 'stopping' | 'stopped', reason: string): void {
    const time = this.#parts.clock.now();
    this.#parts.bus.publish({ kind: 'run', time, status, reason });
  }
}

/** The tag of a single order as a field to spread; empty for other wishes. */
function tagOf(intent: Intent): { readonly tag?: string } {
  return intent.kind === 'order' ? { tag: intent.tag } : {};
}
