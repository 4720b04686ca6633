import { type Intent, kindOfTag, type Market, type OrderState } from '../../src/domain/index.ts';
import type { PlaceRequest } from '../../src/exchange/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { amount, type ExchangeModel, type Fate, price } from './exchange-model.ts';
import { type BenchOptions, depthOf, MARKET, quotes, SECOND_MARKET, target } from './fixture.ts';
import { Ordeal } from './ordeal.ts';

const MARKETS = [MARKET, SECOND_MARKET];
const LIMITS = { requestsPerSecond: 30, requestsPerMinute: 1_500, candleIntervalMs: 1_000 };
const STRATEGIES = ['a', 'b', 'c'] as const;
const TAGS = ['x', 'y'] as const;
const STEPS = 300;
/** Time until the last lost order is known to be gone and all that is wished then rests. */
const CALM_MS = 200_000;
const SETTLED_MS = 90_000;
/** How long requests may be held on their way. */
const HELD_MAX_MS = 100_000;
/** The orders resting in the end, by price. */
const RESTING = [70, 80, 90, 91, 110];

export interface TogetherOptions {
  readonly restarts?: boolean;
  /**
   * Whether somebody on the way holds requests for long, and some answers come after they were
   * given up.
   */
  readonly holds?: boolean;
  /** Whether the exchange now and then acknowledges cancels that it does not carry out. */
  readonly lies?: boolean;
  /** Whether somebody on the way repeats requests now and then. */
  readonly repeats?: boolean;
}

/**
 * Several strategies wish all that there is to wish, in the same markets, of an exchange and through a
 * network that do everything that hurts. What each wished by a tag leaves once, never beside another of
 * its tag; in the calm all books agree, what is wished is there, and a stop leaves nothing behind.
 */
export class Together extends Ordeal {
  readonly #options: TogetherOptions;
  #refusing = 0;
  /** How often each single order was wished, and left, by tag. */
  readonly #wished = new Map<string, number>();
  readonly #left = new Map<string, number>();
  readonly #tagOf = new Map<string, string>();

  constructor(seed: number, options: TogetherOptions = {}) {
    super({ seed: `together ${seed}`, markets: MARKETS, limits: LIMITS });
    this.#options = options;
    this.model.pushDelayMs = this.chance(0.5) ? undefined : 50;
    this.model.cancelsWithTotals = this.chance(0.8);
    this.model.fate = (operation, what) => this.#fate(operation, what);
    this.model.onPlaced = ({ record: { type, amount: all } }) =>
      this.one(
        { ioc: [all, all, all / 2, 0], limit: [0, 0, 0, all / 2, all], postOnly: [0] }[type],
      );
    this.begin();
    this.bench.executor.reconcile('start');
  }

  /** @throws where an invariant is violated. */
  run(): void {
    for (let step = 0; step < STEPS; step++) {
      this.#act();
      this.pass(this.chance(0.3) ? 0 : this.random.integer(600));
    }
    this.#settle();
  }

  // ---- what happens

  #act(): void {
    const { restarts, lies } = this.#options;
    const [strategy, { id: market }] = [this.one(STRATEGIES), this.one(MARKETS)];
    const draw = this.random.next();
    if (draw < 0.2) this.wish(this.someQuotes(market), strategy);
    else if (draw < 0.3) this.wish(target(this.random.integer(7) - 3, { market }), strategy);
    else if (draw < 0.45) this.wish(this.#someOrder(market), strategy);
    else if (draw < 0.5) this.wish({ kind: 'cancel', market, tag: this.one(TAGS) }, strategy);
    else if (draw < 0.68) this.fillSome();
    else if (draw < 0.72) this.endSome();
    else if (draw < 0.725) this.stall();
    else if (draw < 0.735) this.bench.executor.reconcile('asked');
    else if (draw < 0.745) this.#withdraw(strategy);
    else if (draw < 0.755) this.#refusing = this.chance(0.5) ? 0 : this.random.next();
    else if (draw < 0.765 && restarts) this.restart();
    else if (draw < 0.77 && lies) this.model.carriesOutCancels = !this.model.carriesOutCancels;
  }

  #someOrder(market: string): Intent {
    const [side, sign] = this.chance(0.5) ? (['sell', 1] as const) : (['buy', -1] as const);
    const type = this.one(['limit', 'postOnly', 'ioc'] as const);
    const [at, of] = [100 + sign * (1 + this.random.integer(4)), 1 + this.random.integer(2)];
    const terms = { price: price(at), amount: amount(of) };
    return { kind: 'order', market, tag: this.one(TAGS), side, type, ...terms };
  }

  protected override wish(intent: Intent, strategy: string): void {
    const { kind, market } = intent;
    if (kind === 'order') count(this.#wished, `${strategy} ${market} ${intent.tag}`);
    super.wish(intent, strategy);
  }

  #withdraw(strategy: string): void {
    for (const { id } of MARKETS) this.standing.delete(`${strategy} ${id}`);
    this.bench.executor.withdraw(strategy);
  }

  #fate(operation: Parameters<ExchangeModel['fate']>[0], what: unknown): Fate {
    const drawn = this.fateOf(operation);
    const { holds, repeats } = this.#options;
    const isGood = drawn.loss === undefined && drawn.refusal === undefined;
    const isHeld = holds === true && this.isFaulty && isGood && this.chance(0.01);
    const fate = isHeld ? { ...drawn, thereMs: this.random.integer(HELD_MAX_MS) } : drawn;
    if (operation !== 'place') return fate;
    const request = what as PlaceRequest;
    const isRepeated = repeats === true && this.isFaulty && drawn.refusal === undefined;
    if (isRepeated && this.chance(0.01)) this.#repeat(request, fate);
    this.witness(() => this.#checkPlace(request));
    return fate;
  }

  #repeat(request: PlaceRequest, { thereMs = 0 }: Fate): void {
    const afterMs = thereMs + this.random.integer(this.chance(0.8) ? 500 : 60_000);
    this.clock.schedule(() => this.model.placeForeign(request), afterMs);
  }

  protected override options(): BenchOptions {
    return {
      config: {
        ...{ targetRetryMs: 300, postOnlyRetryMs: 100 },
        ...(this.#options.holds ? { answerTimeoutMs: 1_500 } : {}),
      },
      refuse: () => {
        if (!this.chance(this.#refusing)) return undefined;
        const code = this.one(['selfCross', 'position', 'balance', 'orderRate'] as const);
        return { code, limit: 'none', observed: 'one', scope: 'order' };
      },
      paceOpensMs: () => this.clock.now() + 500,
    };
  }

  protected override begin(): void {
    super.begin();
    for (const { id } of MARKETS) this.bench.depths.set(id, depthOf(99.5, 100.5, id));
  }

  // ---- what must hold

  #checkPlace({ clientOrderId, market }: PlaceRequest): void {
    must(this.bench.heartbeat.confirmed(market), `${clientOrderId} leaves unguarded`);
    const { strategy, tag } = this.bench.state(clientOrderId!);
    if (kindOfTag(tag) !== 'order') return;
    const key = `${strategy} ${market} ${tag}`;
    count(this.#left, key);
    this.#tagOf.set(clientOrderId!, key);
    must(this.#left.get(key)! <= this.#wished.get(key)!, `${key} leaves more often than wished`);
    const { lies, repeats, holds } = this.#options;
    if (lies || repeats || holds) return;
    const others = this.model.open.filter((one) => this.#tagOf.get(one.clientOrderId!) === key);
    must(others.length === 0, `${key} leaves as ${clientOrderId} beside another of its tag`);
  }

  protected override check(): void {
    const { heartbeat, events, executor } = this.bench;
    for (const { id } of MARKETS) {
      if (!heartbeat.confirmed(id)) continue;
      must(this.model.firesAtMs(id)! > this.clock.now(), `${id} is believed armed`);
    }
    must(this.model.most(1_000) <= LIMITS.requestsPerSecond, 'too many requests in a second');
    // Orders of a market that cannot be read may have to wait for orders that leave before them.
    if (executor.unreadable().length > 0) return;
    const before = events.length;
    executor.signOfLife();
    must(events.length === before, `${events[before]?.kind} has waited for somebody to look`);
  }

  #settle(): void {
    this.isFaulty = false;
    this.#refusing = 0;
    this.model.carriesOutCancels = true;
    this.model.pushDelayMs = 3;
    this.pass(CALM_MS);
    this.model.onPlaced = ({ record }) => (record.type === 'ioc' ? record.amount : 0);
    for (const strategy of STRATEGIES) this.#tidy(strategy);
    this.wish(quotes([90, 80], [110]), 'a');
    this.wish(quotes([91], [], { market: SECOND_MARKET.id }), 'b');
    this.wish(target(3, { market: SECOND_MARKET.id }), 'a');
    const shared = { kind: 'order', market: MARKET.id, tag: 'z', side: 'buy' } as const;
    this.wish({ ...shared, type: 'limit', price: price(70), amount: amount(1) }, 'c');
    this.pass(SETTLED_MS);
    this.#checkPicture();
    // If pushes get lost too, nobody tells the fills of an order that was said to be cancelled.
    if (!this.#options.lies) for (const market of MARKETS) this.#checkPosition(market);
    this.#checkStop();
  }

  #tidy(strategy: string): void {
    for (const { id: market } of MARKETS) {
      for (const tag of TAGS) this.wish({ kind: 'cancel', market, tag }, strategy);
      this.wish(quotes([], [], { market }), strategy);
    }
  }

  #checkPicture(): void {
    const idsOf = (orders: readonly Pick<OrderState, 'exchangeOrderId'>[]): string =>
      `${orders.map(({ exchangeOrderId }) => exchangeOrderId).sort()}`;
    const resting = this.model.open.map(({ record }) => record);
    const [pictured, real] = [idsOf(this.bench.live()), idsOf(resting)];
    must(pictured === real, `${real} rest, ${pictured} are believed to`);
    // Repeated copies of requests have halted trading.
    if (this.bench.halts.length > 0) return;
    const prices = resting.map((record): number => record.price).sort((one, other) => one - other);
    must(`${prices}` === `${RESTING}`, `${prices} rest, ${RESTING} are wished`);
    const held = this.bench.held('a', SECOND_MARKET.id);
    must(Math.abs(held - 3) < 0.021, `${held} are held, 3 are wished`);
  }

  #checkPosition({ id }: Market): void {
    const booked = this.bench.positions.position(id).amount;
    const real = this.model.orders
      .filter(({ record }) => record.market === id)
      .map(({ record: { side, filledAmount } }) => (side === 'buy' ? filledAmount : -filledAmount))
      .reduce((sum, filled) => sum.plus(Decimal.of(filled)), Decimal.ZERO);
    must(`${booked}` === `${real}`, `${booked} of ${id} are booked, ${real} were filled`);
  }

  #checkStop(): void {
    let isVerified = false;
    this.bench.executor.stop().subscribe(({ verified }) => {
      isVerified = verified;
    });
    this.clock.advanceBy(20_000);
    must(isVerified && this.model.open.length === 0, 'a stop leaves nothing, and knows it');
  }
}

function must(condition: boolean, text: string): asserts condition {
  if (!condition) throw new Error(text);
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
