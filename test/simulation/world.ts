import { merge, take } from 'rxjs';
import { type Bot, composeBot } from '../../src/app/compose.ts';
import type { DeploymentConfig } from '../../src/app/config/deployment.ts';
import { HoldingsKeeper } from '../../src/app/past/holdings-keeper.ts';
import { recollect } from '../../src/app/past/recall.ts';
import { RulesWatch } from '../../src/app/venue/rules-watch.ts';
import type { Balance, Market, TradingEvent } from '../../src/domain/index.ts';
import type { StrategyInstance } from '../../src/engine/index.ts';
import type { StopReport } from '../../src/execution/index.ts';
import {
  type Logger,
  type Random,
  seededRandom,
  silentLogger,
  toUnits,
  type VirtualClock,
} from '../../src/kernel/index.ts';
import { ADOPTED } from '../../src/ledger/index.ts';
import type { SimulatedExchange } from '../../src/sim/index.ts';
import { FileJournal, JournalReader, StorageError } from '../../src/storage/index.ts';
import { connectZb } from '../../src/venues/zb/client/index.ts';
import { ExchangeBooks } from './books.ts';
import {
  type Allowance,
  checkCancelWait,
  checkGuarded,
  checkOnce,
  checkPace,
  checkPosition,
  type ExchangeView,
  MoneyCheck,
  OrderStories,
} from './invariants.ts';
import { Owners } from './owners.ts';
import { strategyIn } from './strategies.ts';
import { VirtualDisk } from './virtual-disk.ts';
import { TRADE_URL, type VirtualNetwork } from './virtual-network.ts';
import { VirtualProcess } from './virtual-process.ts';
import { ACCOUNT, KEYS, START_MS, VirtualVenue } from './virtual-venue.ts';
import { allowanceOf, configOf, type Settled, settle, type WorldOptions } from './world-options.ts';

export const ACCESS_KEY = KEYS[0]!.accessKey;
export const JOURNAL = 'simulation.journal';
/** How often what is costly to check is checked. */
const DEEP_CHECK_MS = 1_000;
/** How long after a stall cancels may still come late: until its requests are given up. */
const EXCUSE_MS = 15_000;
/** Events that a failing run shows. */
const EVENTS_SHOWN = 60;

/** One life of the bot: a process with everything in it. */
interface Life {
  readonly process: VirtualProcess;
  readonly bot: Bot;
  readonly journal: FileJournal;
  /** Where strategies come and go, and hold what they do not trade for the moment. */
  readonly keeper: HoldingsKeeper | undefined;
  /** `over`: it cannot go on, and is to be stopped. */
  status: 'starting' | 'running' | 'failed' | 'over' | 'stopped';
}

/** What a life is to run. */
export interface Cast {
  readonly markets: readonly Market[];
  readonly strategies: readonly StrategyInstance[];
}

/** The whole bot, its exchange and everything between them, in one process on virtual time. */
export class World {
  readonly options: Settled;
  readonly venue: VirtualVenue;
  readonly random: Random;
  readonly disk = new VirtualDisk();
  readonly view: ExchangeView;
  /** How far the date of the bot's machine is ahead of the exchange's. */
  aheadMs: number;
  /** Whom the bot of the next life tells what people want to know. */
  logger: Logger = silentLogger;
  /** Whether strategies are heard; what they wished last stands. */
  strategiesSpeak = true;
  /** The settings of the next life. */
  config: DeploymentConfig;
  /** What the next life is to run of the markets that are listed. Default: a strategy in each. */
  cast: (listed: readonly Market[]) => Cast;
  readonly owners = new Owners();
  readonly stories: OrderStories;
  readonly #allowance: Allowance;
  readonly #money: MoneyCheck;
  readonly #key: (typeof KEYS)[number];
  /** Of all its lives. */
  readonly #processes = new WeakSet<VirtualProcess>();
  readonly #events: TradingEvent[] = [];
  /** The bot's newest word on each balance. */
  readonly balances = new Map<string, Balance>();
  readonly #adoptedUnits = new Map<string, number>();
  #life: Life | undefined;
  #lives = 0;
  #checkedRevision = -1;
  #checkedOpenings = -1;
  #deepCheckMs = 0;
  #excusedUntilMs = 0;
  #violation: unknown;
  /** Told of every request that the exchange has answered. */
  readonly requestListeners = new Set<(target: string) => void>();
  /** Told why the bot cannot go on by itself, once. */
  onOver: (reason: string) => void = () => {};
  /** All events of all lives are handed to these. */
  readonly listeners = new Set<(event: TradingEvent) => void>();

  /** `beside`: the world of another bot on the same account. Default: there is none. */
  constructor(options: WorldOptions = {}, beside?: World) {
    const settled = settle(options);
    this.options = settled;
    this.aheadMs = settled.skewMs;
    this.random = seededRandom(settled.seed);
    this.venue = beside?.venue ?? new VirtualVenue(settled);
    this.#key = KEYS[beside === undefined || settled.sharesKey ? 0 : 1]!;
    const { exchange, server } = this.venue;
    const { markets } = settled;
    const books = new ExchangeBooks(exchange, { account: ACCOUNT, markets });
    this.venue.listeners.add((handled) => {
      const { target, sender } = handled;
      if (!this.#processes.has(sender)) return;
      books.handled(handled);
      for (const listener of this.requestListeners) listener(target);
    });
    this.view = {
      ...{ exchange, account: ACCOUNT, server, books, markets },
      repeated: () => this.network.repeated,
      adoptedUnits: (market) => this.#adoptedUnits.get(market) ?? 0,
    };
    this.config = configOf(settled);
    const speaks = () => this.strategiesSpeak;
    this.cast = (listed) => ({
      markets: listed,
      strategies: listed.map((market) => strategyIn(market, { options: settled, speaks })),
    });
    this.stories = new OrderStories(books);
    this.#allowance = allowanceOf(settled);
    this.#money = new MoneyCheck(this.view);
    this.venue.checks.add(() => this.check());
  }

  get clock(): VirtualClock {
    return this.venue.clock;
  }

  get exchange(): SimulatedExchange {
    return this.venue.exchange;
  }

  get network(): VirtualNetwork {
    return this.venue.network;
  }

  get books(): ExchangeBooks {
    return this.view.books;
  }

  get bot(): Bot {
    return this.life.bot;
  }

  get life(): Life {
    if (this.#life === undefined) throw new Error('Cannot look at the bot: none lives');
    return this.#life;
  }

  get isAlive(): boolean {
    return this.#life !== undefined;
  }

  /** The newest events of the bot, for a report. */
  get lastEvents(): string {
    return this.#events.map((event) => this.#lineOf(event)).join('\n');
  }

  /** A hash over all lines of all lives. */
  get journalHash(): string {
    return this.disk.hashOf(JOURNAL);
  }

  /**
   * Starts the bot, or what is left of it, as a new process. `resume`: a person has looked into what
   * halted it, and lets it trade again.
   */
  boot({ resume = false } = {}): void {
    const number = ++this.#lives;
    this.balances.clear();
    const random = this.random.fork(`life ${number}`);
    const process = new VirtualProcess({
      clock: this.clock,
      random: random.fork('timers'),
      aheadMs: () => this.aheadMs,
    });
    this.#processes.add(process);
    const { journal, past } = this.#openJournal(process, number);
    const exchange = connectZb({
      dataUrl: 'https://data.exchange.test',
      tradeUrl: TRADE_URL,
      pushUrl: 'wss://push.exchange.test/websocket',
      ...this.#key,
      clock: process,
      random: random.fork('venue'),
      http: this.network.http(process),
      sockets: this.network.sockets(process),
    });
    // Somebody takes markets out of the deployment that are not listed any more.
    const listed = this.venue.rules.now.filter(({ id }) => this.venue.isListed(id));
    const { markets: traded, strategies } = this.cast(listed);
    const markets = new Map(traded.map((market) => [market.id, market]));
    const bot = composeBot({
      ...{ config: this.config, clock: process, random, logger: this.logger },
      ...{ exchange, markets, strategies, journal, past, resume },
    });
    const keeps = this.options.strategies > 1 && past !== undefined;
    const kept = { ...bot.sources, bus: bot.bus, clock: process, logger: this.logger, journal };
    const keeper = keeps ? new HoldingsKeeper({ ...kept, past, markets }) : undefined;
    const life: Life = { process, bot, journal, keeper, status: 'starting' };
    this.#life = life;
    bot.bus.record((event) => {
      if (process.alive) this.#hear(event);
    });
    const become = (status: Life['status']) => {
      // A run that is over is stopped, however far its start was.
      if (life.status === 'starting') life.status = status;
    };
    const watched = { bus: bot.bus, data: exchange.market, markets, clock: process };
    const watch = new RulesWatch({ ...watched, logger: this.logger });
    const over = merge(bot.engine.over, watch.over).pipe(take(1));
    over.subscribe(({ message }) => {
      life.status = 'over';
      this.onOver(message);
    });
    const start = bot.engine.start();
    start.subscribe({ error: () => become('failed'), complete: () => become('running') });
  }

  /** As a start does it: what departed is in the journal before it is read. */
  #openJournal(process: VirtualProcess, life: number) {
    const disk = this.disk.of(process);
    try {
      const journal = new FileJournal({
        path: JOURNAL,
        clock: process,
        configHash: 'simulation',
        marketData: this.options.marketData,
        keepDays: this.options.keepDays,
        durability: this.options.durability,
        disk,
      });
      const past =
        life === 1 ? undefined : recollect(new JournalReader(JOURNAL, disk), process.now());
      return { journal, past };
    } catch (thrown) {
      process.kill();
      this.disk.crash();
      throw thrown;
    }
  }

  /** Kill -9: nothing is said, nothing is written, nothing is closed. */
  kill(): void {
    const life = this.#life;
    if (life === undefined) return;
    life.process.kill();
    this.disk.crash();
    this.network.abandon(life.process);
    // What it had not written yet the next life may read as it was before.
    if (this.options.staleMs > 0) this.stories.forget();
    this.#life = undefined;
  }

  /**
   * The end of a process that has stopped; it says no more where the disk takes nothing. Answers
   * whether it got that far: it may be killed at what it writes last.
   */
  exit(): boolean {
    const { life } = this;
    try {
      life.keeper?.close();
      life.journal.close();
    } catch (thrown) {
      if (!(thrown instanceof StorageError)) throw thrown;
    }
    if (this.#life !== life) return false;
    this.kill();
    return true;
  }

  /** Ctrl-C. Emits the report to `done` when it is there. */
  stop(done: (report: StopReport) => void): void {
    const { life } = this;
    life.process.deliver(() => {
      life.bot.engine.stop('told to').subscribe((report) => {
        life.status = 'stopped';
        done(report);
      });
    });
  }

  /** Everything stands still in the network for a while, or only what trades. */
  stallNetwork(durationMs: number, options: { readonly tradeOnly?: boolean } = {}): void {
    this.#excuse(durationMs);
    this.network.stall(durationMs, options);
  }

  /** The event loop of the bot hangs while time passes. */
  stallBot(durationMs: number): void {
    const { process } = this.life;
    this.#excuse(durationMs);
    process.stall();
    this.advance(durationMs);
    process.resume();
    this.check();
  }

  /** Lets time pass and checks what must hold after every step. */
  advance(durationMs: number): void {
    this.venue.advance(durationMs);
  }

  /** Nobody else trades any more. */
  stillMarkets(): void {
    this.venue.stillMarkets();
  }

  /** What must hold at any time. @throws {Violation} */
  check(): void {
    if (this.#violation !== undefined) throw this.#violation;
    const { view } = this;
    if (view.books.revision !== this.#checkedRevision) {
      this.#checkedRevision = view.books.revision;
      checkOnce(view, this.#allowance);
      checkPosition(view, this.#allowance);
    }
    if (view.books.openings !== this.#checkedOpenings) {
      this.#checkedOpenings = view.books.openings;
      checkGuarded(view);
    }
    if (this.clock.now() < this.#deepCheckMs) return;
    this.#deepCheckMs = this.clock.now() + DEEP_CHECK_MS;
    checkPace(view, this.#allowance);
    this.#money.check(view);
    checkGuarded(view);
    this.stories.check();
  }

  /** Nobody can send while nothing moves: what waits meanwhile is not starved. */
  #excuse(durationMs: number): void {
    const untilMs = this.clock.now() + durationMs + EXCUSE_MS;
    this.#excusedUntilMs = Math.max(this.#excusedUntilMs, untilMs);
  }

  #hear(event: TradingEvent): void {
    for (const listener of this.listeners) listener(event);
    if (event.kind === 'order') this.owners.hear(event.order);
    if (event.kind === 'position' && event.strategy === ADOPTED) {
      const { amount } = event.position;
      const { amountScale } = this.options.markets.find(({ id }) => id === event.market)!;
      // A fee may have taken less than a unit of it.
      const units = toUnits(amount.round(amountScale, 'down').toNumber(), amountScale);
      this.#adoptedUnits.set(event.market, units);
    }
    if (event.kind === 'balance') {
      for (const balance of event.balances) this.balances.set(balance.currency, balance);
    }
    if (event.kind === 'depth') return;
    this.#events.push(event);
    if (this.#events.length > 2 * EVENTS_SHOWN) this.#events.splice(0, EVENTS_SHOWN);
    // What is thrown here would be taken for a failure of the bot's own.
    try {
      this.stories.hear(event);
      if (this.clock.now() >= this.#excusedUntilMs) checkCancelWait(event, this.#allowance);
    } catch (thrown) {
      this.#violation ??= thrown;
    }
  }

  #lineOf(event: TradingEvent): string {
    const time = 'time' in event ? event.time : event.receivedTime;
    const { kind, ...rest } = event;
    return `${time - START_MS} ${kind} ${JSON.stringify({ ...rest, time: undefined })}`;
  }
}
