import type { Amount, Price } from '../../src/domain/index.ts';
import { type Random, seededRandom } from '../../src/kernel/index.ts';
import { checkAgreement, checkGone, checkJournal } from './agreement.ts';
import { DiskTrouble } from './disk-trouble.ts';
import { drawEnsemble, Ensemble } from './ensemble.ts';
import { CALM, drawWeather } from './faults.ts';
import { Violation } from './invariants.ts';
import { Supervisor } from './supervisor.ts';
import { World } from './world.ts';
import { manyMarkets, type WorldOptions } from './world-options.ts';

/** How long trouble lasts, and how long the bot has to come to rights afterwards. */
const TROUBLE_MS = {
  'market-maker': 90_000,
  swing: 90_000,
  medley: 90_000,
  flood: 20_000,
} as const;
/** Two minutes until nothing can be under way any more, and until a lookup has shown it. */
const RECOVERY_MS = 160_000;
/** Until the bot runs in the calm: its start fails, it is down for long, and starts anew. */
const START_MS = 130_000;
/** Foreign orders are found among all that were placed in the last minute, page by page. */
const FOREIGN_MS = 45_000;
/**
 * Until new rules have been met: orders in doubt hold up others for two minutes, then the stop, and the
 * process is down for long.
 */
const RULES_MS = 250_000;
/** Many markets are costly to simulate: beyond so many, trouble is as much shorter. */
const MARKETS_FEW = 2;
/** A flood is costly to simulate: it ebbs early in the calm. */
const FLOOD_MS = 10_000;
/** How far off the date is set at most. */
const DATE_JUMPS_MS = [0, 2_000, 60_000, 600_000, 86_400_000] as const;
/** Lost orders with which others still leave. Source: risk settings, `unknownOrdersMax`. */
const UNKNOWN_ORDERS_MAX = 5;
const STILLNESS_MS = 15_000;
/** Until all fees are asked that a flood of fills has left: three orders a second, beside a reading. */
const FEES_MS = 180_000;
/** Chance that a person lets a halted bot trade again within half a second. */
const RESUMED = 0.1;
/** Longest time that a stop may take. Source: executor settings, `stopTimeoutMs`. */
const STOP_MS = 31_000;

export interface CampaignOptions extends WorldOptions {
  /** Whether the machine's date is set now and then. Default: false. */
  readonly dateJumps?: boolean;
  /** Whether the disk is full now and then, or has errors. Default: false. */
  readonly diskTrouble?: boolean;
  /** Whether the exchange changes the rules of its markets now and then. Default: false. */
  readonly ruleChanges?: boolean;
  /** Whether a market is given up, one of several. Default: false. */
  readonly delisting?: boolean;
  /** Whether several strategies trade, in several markets each: see `Ensemble`. Default: false. */
  readonly ensemble?: boolean;
}

type Settled = CampaignOptions & { readonly strategy: keyof typeof TROUBLE_MS };

/** One seed: trouble, recovery, agreement, and a stop that leaves nothing behind. */
export class Campaign {
  readonly world: World;
  readonly #random: Random;
  readonly #options: Settled;
  readonly #supervisor: Supervisor;
  readonly #disk: DiskTrouble | undefined;
  readonly #ensemble: Ensemble | undefined;
  /** What happened to the bot, for a report. */
  readonly log: string[] = [];

  constructor(seed: string | number, options: CampaignOptions = {}) {
    this.#random = seededRandom(`campaign ${seed}`);
    const own = drawOptions(this.#random);
    const shared = options.ensemble ? drawEnsemble(this.#random) : {};
    const drawn = { ...own, ...shared, ...options, seed } as Settled;
    // What the bot says of waits follows its date.
    this.#options = drawn.dateJumps ? { ...drawn, cancelWaitMs: Number.POSITIVE_INFINITY } : drawn;
    this.world = new World(this.#options);
    const { world } = this;
    const note = (text: string) => this.#note(text);
    const partsOf = (name: string) => ({ world, random: this.#random.fork(name), note });
    this.#supervisor = new Supervisor(partsOf('supervisor'));
    if (drawn.ensemble) {
      this.#ensemble = new Ensemble({ ...partsOf('ensemble'), supervisor: this.#supervisor });
    }
    if (drawn.diskTrouble) this.#disk = new DiskTrouble(partsOf('disk'));
    this.#note(
      JSON.stringify(this.#options, (key, value) => (key === 'markets' ? value.length : value)),
    );
  }

  run(): void {
    this.world.advance(1_000);
    this.world.boot();
    this.#trouble();
    this.#recover();
    checkAgreement(this.world);
    this.#stop();
    checkJournal(this.world);
  }

  #trouble(): void {
    const { world } = this;
    const fewer = Math.min(1, MARKETS_FEW / world.options.markets.length);
    const endMs = world.clock.now() + fewer * TROUBLE_MS[this.#options.strategy];
    while (world.clock.now() < endMs) {
      world.network.weather = this.#chance(0.25) ? CALM : drawWeather(this.#random);
      this.#note(`weather ${JSON.stringify(world.network.weather)}`);
      const spanMs = 5_000 + this.#random.integer(15_000);
      const untilMs = world.clock.now() + spanMs;
      while (world.clock.now() < untilMs) {
        this.#act();
        this.#advance(this.#random.integer(1_500));
      }
    }
    // The last of it: all that is wanted meanwhile is given up, and arrives together.
    const stallMs = 5_000 + this.#random.integer(15_000);
    this.#stallNetwork(stallMs);
    this.#advance(stallMs);
  }

  #act(): void {
    const { world } = this;
    const draw = this.#random.next();
    if (world.network.happens(world.network.weather.stallsPerMinute)) {
      this.#stallNetwork(this.#random.integer(this.#chance(0.3) ? 20_000 : 4_000));
    } else if (draw < 0.02) this.#kill('at once');
    else if (draw < 0.035) this.#killAtWrite(this.#random.integer(60));
    else if (draw < 0.05) this.#stallBot();
    else if (draw < 0.06) world.network.restartSockets();
    else if (draw < 0.12) this.#placeByHand();
    else if (draw < 0.16) this.#cancelByHand();
    else if (draw < 0.19 && this.#options.dateJumps) this.#setDate();
    else if (draw >= 0.19 && draw < 0.22) this.#disk?.begin();
    else if (draw >= 0.22 && draw < 0.24 && this.#options.ruleChanges) this.#changeRules();
    else if (draw >= 0.24 && draw < 0.25 && this.#options.delisting) this.#delist();
    else if (draw >= 0.25 && draw < 0.28) this.#ensemble?.act();
  }

  #stallNetwork(durationMs: number): void {
    const tradeOnly = this.#chance(0.3);
    this.#note(`network stalls for ${durationMs} ms${tradeOnly ? ', for trading alone' : ''}`);
    this.world.stallNetwork(durationMs, { tradeOnly });
  }

  #stallBot(): void {
    if (!this.world.isAlive) return;
    const durationMs = Math.round(100 * 1_200 ** this.#random.next());
    this.#note(`bot stalls for ${durationMs} ms`);
    this.world.stallBot(durationMs);
  }

  /** A person or the net sets the machine's date, rightly or wrongly. */
  #setDate(): void {
    const most = DATE_JUMPS_MS[this.#random.integer(DATE_JUMPS_MS.length)]!;
    this.world.aheadMs = Math.round(most * (2 * this.#random.next() - 1));
    this.#note(`date set: ahead by ${this.world.aheadMs} ms`);
  }

  #changeRules(options: { readonly mild?: boolean } = {}): void {
    const { rules } = this.world.venue;
    this.#note(`rules: ${JSON.stringify(rules.change(this.#random, options))}`);
  }

  /** One, once: the others must go on. */
  #delist(): void {
    const { venue, view } = this.world;
    if (view.markets.some(({ id }) => !venue.isListed(id))) return;
    const { id } = this.#anyMarket();
    this.#note(`delisted: ${id}`);
    venue.delist(id);
  }

  /** A person takes a market out that is gone, where what nobody can find there holds up the others. */
  #takeOut(): void {
    const { bot, venue } = this.world;
    const lost = [...bot.sources.orders.allLive()].filter(({ market }) => !venue.isListed(market));
    if (lost.length <= UNKNOWN_ORDERS_MAX) return;
    this.#kill('and started anew without what is gone');
    this.#advance(90_001);
    this.#awaitStart();
  }

  #killAtWrite(writes: number): void {
    let left = writes;
    this.world.disk.beforeWrite = () => {
      if (left-- > 0) return;
      this.#kill(`at write ${writes}`);
    };
  }

  #kill(when: string): void {
    const { world } = this;
    world.disk.beforeWrite = () => {};
    if (!world.isAlive) return;
    world.kill();
    const most = [300, 3_000, 90_000][this.#random.integer(3)]!;
    const downMs = 1 + this.#random.integer(most);
    this.#note(`killed ${when}, down for ${downMs} ms`);
    world.clock.schedule(() => this.#supervisor.boot(), downMs);
  }

  /** A start that failed ends the process; somebody starts it again. */
  #supervise(): void {
    const { world } = this;
    this.#supervisor.check();
    this.#disk?.check();
    this.#ensemble?.check();
    if (!world.isAlive || world.life.status === 'over') return;
    if (world.life.status === 'failed') this.#kill('for its start failed');
    else if (this.#isHalted && this.#chance(RESUMED)) this.#resume();
  }

  /** Whether trading is halted, which repeated orders alone may do, a person, or a disk that fails. */
  get #isHalted(): boolean {
    const { books, bot } = this.world;
    const { state, reason } = bot.sources.state;
    const isHalted = state === 'HALTED';
    const isOfDisk = this.#disk !== undefined && reason.includes('the journal is not on disk');
    const mayBe = books.hasManyRepeats || this.#ensemble?.isTightened || isOfDisk;
    if (isHalted && !mayBe) throw new Violation('I7: trading is halted');
    return isHalted;
  }

  /** A person has looked into what halted trading. */
  #resume(): void {
    this.#note('killed, and resumed by a person');
    this.world.kill();
    this.#supervisor.boot({ resume: true });
  }

  #advance(durationMs: number): void {
    for (let left = durationMs; left > 0; left -= 500) {
      this.world.advance(Math.min(500, left));
      this.#supervise();
    }
  }

  #placeByHand(): void {
    const { world } = this;
    if (world.books.foreignOpen.length >= 4) return;
    const { id: market, base } = this.#anyMarket();
    const side = this.#chance(0.5) ? 'buy' : 'sell';
    const around = base === 'btc' ? 30_000 : 2_000;
    const off = 0.02 * (this.#random.next() - (side === 'buy' ? 0.8 : 0.2));
    const price = Math.round(around * (1 + off)) as Price;
    const amount = 0.01 as Amount;
    const { trading } = world.exchange.account('main')!;
    const request = { market, side, type: 'limit', price, amount } as const;
    trading.place(request).subscribe({ error: () => {} });
  }

  /** A person cancels an order: one of their own, or one of the bot's. */
  #cancelByHand(): void {
    const { books, exchange } = this.world;
    const open = [...books.open];
    const order = open[this.#random.integer(Math.max(1, open.length))];
    if (order === undefined) return;
    const { market, exchangeOrderId } = order;
    const { trading } = exchange.account('main')!;
    trading.cancel({ market, exchangeOrderId }).subscribe({ error: () => {} });
  }

  #recover(): void {
    const { world } = this;
    this.#note('calm');
    world.network.weather = CALM;
    if (this.#options.dateJumps) world.aheadMs = 0;
    world.disk.beforeWrite = () => {};
    this.#disk?.end();
    if (!world.isAlive) this.#advance(90_001);
    this.#awaitStart();
    this.#makeWhole();
    if (this.#options.ruleChanges) this.#settleRules();
    if (this.#options.delisting) this.#delist();
    if (this.#options.strategy === 'flood') {
      this.#advance(FLOOD_MS);
      world.strategiesSpeak = false;
    }
    if (world.config.executor.foreignOrders !== 'ignore') this.#advance(FOREIGN_MS);
    this.#advance(RECOVERY_MS);
    if (this.#options.delisting) this.#takeOut();
    world.strategiesSpeak = true;
    this.#mustTrade();
    world.strategiesSpeak = false;
    this.#ensemble?.getFlat((durationMs) => this.#advance(durationMs));
    world.stillMarkets();
    this.#note('still');
    this.#advance(STILLNESS_MS);
    for (let left = FEES_MS; left > 0 && this.#asksForFees; left -= 500) this.#advance(500);
  }

  /** Whether the fee of an order is a guess yet: reads have a tenth of the rate limit, no more. */
  get #asksForFees(): boolean {
    const { books, bot } = this.world;
    const { orders } = bot.sources;
    return books.own.some(({ exchangeOrderId }) => {
      const order = orders.byExchangeOrderId(exchangeOrderId);
      return order !== undefined && orders.isFeeInDoubt(order);
    });
  }

  /** Somebody lets it trade again, and all strategies in all markets. */
  #makeWhole(): void {
    const { world } = this;
    if (this.#ensemble === undefined) return;
    if (this.#ensemble.makeWhole() && world.isAlive) this.#kill('for the whole deployment');
    if (!world.isAlive) this.#advance(90_001);
    this.#awaitStart();
    if (world.bot.sources.state.state === 'ACTIVE') return;
    this.#resume();
    this.#awaitStart();
  }

  /** Rules that stay: whoever trades by others finds out, and starts anew. */
  #settleRules(): void {
    this.#changeRules({ mild: true });
    this.#advance(RULES_MS);
    this.#awaitStart();
  }

  /** One that began in the trouble may fail yet, and the next begins a while later. */
  #awaitStart(): void {
    const { world } = this;
    const endMs = world.clock.now() + START_MS;
    const runs = () => world.isAlive && world.life.status === 'running';
    while (!runs() && world.clock.now() < endMs) this.#advance(500);
  }

  /** I7: it trades again. */
  #mustTrade(): void {
    const { books } = this.world;
    const before = books.openings;
    const trades = () => books.openings > before || books.ownOpen.length > 0;
    for (let i = 0; i < 40 && !trades(); i++) this.#advance(250);
    if (!trades()) throw new Violation('I7: nothing is quoted or traded in the calm');
  }

  #stop(): void {
    const { world } = this;
    this.#note('stop');
    let verified: boolean | undefined;
    world.stop((report) => {
      const over = report.cancelled + report.filled + report.rejected;
      verified = report.verified && over === report.of;
    });
    const endMs = world.clock.now() + STOP_MS;
    while (verified === undefined && world.clock.now() < endMs) this.#advance(500);
    checkGone(world, verified);
  }

  #anyMarket() {
    const { markets } = this.world.view;
    return markets[this.#random.integer(markets.length)]!;
  }

  #chance(share: number): boolean {
    return this.#random.next() < share;
  }

  #note(text: string): void {
    const atMs = this.world.clock.now() - Date.UTC(2024, 0, 1);
    this.log.push(`${atMs} ${text}`);
  }
}

function drawOptions(random: Random): WorldOptions {
  const one = <T>(...values: readonly T[]): T => values[random.integer(values.length)]!;
  const draw = random.next();
  const strategy = draw < 0.2 ? 'flood' : draw < 0.4 ? 'swing' : 'market-maker';
  const batch = random.next() < 0.3;
  return {
    strategy,
    // A batch carries no PostOnly.
    postOnly: !batch && random.next() < 0.7,
    markets: manyMarkets(one(1, 1, 1, 1, 1, 1, 1, 2, 2, 3 + random.integer(10))),
    levels: 1 + random.integer(3),
    floodPeriodMs: one(200, 1_000, 3_000),
    dialect: one('documented', 'recorded'),
    readLagMs: one(0, 300, 1_500),
    skewMs: one(0, 0, -1_500, 1_500),
    executor: {
      foreignOrders: one('ignore', 'adopt', 'cancel'),
      batch,
      priceTolerance: one(0, 0.000_05),
    },
  };
}
