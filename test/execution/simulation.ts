import { expect } from 'vitest';
import { isFinal, type Market, type OrderState } from '../../src/domain/index.ts';
import type { PlaceRequest } from '../../src/exchange/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import type { ExchangeModel, Fate, ModelOrder, Operation } from './exchange-model.ts';
import {
  type Bench,
  type BenchOptions,
  depthOf,
  MARKET,
  quotes,
  SECOND_MARKET,
  target,
} from './fixture.ts';
import { Ordeal } from './ordeal.ts';

export interface SimulationOptions {
  readonly seed: number;
  readonly steps: number;
  readonly config?: Record<string, unknown>;
  /** Whether the process is killed and started again now and then. */
  readonly restarts?: boolean;
}

const LIMITS = { requestsPerSecond: 20, requestsPerMinute: 900, candleIntervalMs: 1_000 };
const MAKER = 'maker';
const TAKER = 'taker';

/** A place request on its way, as the exchange's side knows it. */
interface Flight {
  readonly request: PlaceRequest;
  readonly arrivesMs: number;
}

/**
 * Random wishes against an exchange and a network that do everything that hurts, with the
 * invariants checked against the exchange's own books after every step.
 */
export class Simulation extends Ordeal {
  readonly #options: SimulationOptions;
  #quotes = quotes([]);
  #target = 0;
  readonly #flights: Flight[] = [];
  readonly #sentIds = new Set<string>();
  readonly #foreign = new Set<ModelOrder>();

  constructor(options: SimulationOptions) {
    super({ seed: options.seed, markets: MARKETS, limits: LIMITS });
    this.#options = options;
    this.model.pushDelayMs = undefined;
    this.model.fate = (operation, what) => this.#fate(operation, what);
    this.model.onPlaced = (order) => this.#tradeAtOnce(order);
    this.begin();
  }

  run(): void {
    for (let step = 0; step < this.#options.steps; step++) {
      this.#act();
      this.pass(this.chance(0.3) ? 0 : this.random.integer(600));
      this.#checkIdle();
    }
    this.#settle();
  }

  // ---- what happens

  #act(): void {
    const draw = this.random.next();
    if (draw < 0.3) this.#quote();
    else if (draw < 0.4) this.#aim();
    else if (draw < 0.6) this.fillSome();
    else if (draw < 0.64) this.endSome();
    else if (draw < 0.65) this.stall();
    else if (draw < 0.66) this.bench.executor.reconcile('reconnected');
    else if (draw < 0.67) this.#placeForeign();
    else if (draw < 0.68) this.#withdraw();
    else if (draw < 0.685 && this.#options.restarts) this.restart();
  }

  #quote(): void {
    this.#quotes = this.someQuotes(MARKET.id);
    this.wish(this.#quotes, MAKER);
  }

  #aim(): void {
    this.#target = this.random.integer(9) - 4;
    this.wish(target(this.#target, { market: SECOND_MARKET.id }), TAKER);
  }

  #placeForeign(): void {
    if (this.#foreign.size > 5) return;
    const request = { market: MARKET.id, side: 'buy', type: 'limit', price: 42, amount: 7 };
    this.#foreign.add(
      this.model.placeForeign(request as Parameters<ExchangeModel['placeForeign']>[0]),
    );
  }

  #withdraw(): void {
    this.#quotes = quotes([]);
    this.standing.delete(`${MAKER} ${MARKET.id}`);
    this.bench.executor.withdraw(MAKER);
  }

  protected override options(): BenchOptions {
    return { config: { targetRetryMs: 200, postOnlyRetryMs: 100, ...this.#options.config } };
  }

  protected override begin(): void {
    super.begin();
    this.bench.depths.set(SECOND_MARKET.id, depthOf(50, 50.1, SECOND_MARKET.id));
  }

  #tradeAtOnce(order: ModelOrder): number {
    if (!this.isFaulty && order.record.type !== 'ioc') return 0;
    const all = order.record.amount;
    const part = order.record.type === 'ioc' ? [all, all / 2, 0] : [0, 0, 0, all / 2, all];
    const traded = part[this.random.integer(part.length)]!;
    this.clock.schedule(() => this.push(order), 0);
    return traded;
  }

  #fate(operation: Operation, what: unknown): Fate {
    const fate = this.fateOf(operation);
    this.witness(() => {
      if (operation === 'place') this.#checkPlace(what as PlaceRequest, fate);
      if (operation === 'placeBatch') this.#checkBatch(what as Batch, fate);
    });
    return fate;
  }

  // ---- what must hold

  /** Checks I1 and I3 at the moment of departure, against the exchange's own books. */
  #checkPlace(request: PlaceRequest, { loss, refusal, thereMs = 5 }: Fate): void {
    const id = request.clientOrderId!;
    expect(this.#sentIds.has(id), `${id} is sent once`).toBe(false);
    this.#sentIds.add(id);
    expect(this.bench.heartbeat.confirmed(request.market)).toBe(true);
    expect(this.bench.commits.length).toBeGreaterThan(0);
    if (request.market === MARKET.id) this.#checkQuoteRoom(request, 1);
    else this.#checkTargetRoom(request);
    if (loss === 'lost' || loss === 'unsent' || loss === 'dead' || refusal !== undefined) return;
    this.#flights.push({ request, arrivesMs: this.clock.now() + thereMs });
  }

  #checkBatch(batch: Batch, { loss, refusal, thereMs = 5 }: Fate): void {
    expect(this.bench.heartbeat.confirmed(batch.market)).toBe(true);
    this.#checkQuoteRoom(batch, batch.orders.length);
    if (loss === 'lost' || loss === 'unsent' || loss === 'dead' || refusal !== undefined) return;
    for (const terms of batch.orders) {
      const request = { ...terms, market: batch.market, side: batch.side, type: 'limit' } as const;
      this.#flights.push({ request, arrivesMs: this.clock.now() + thereMs });
    }
  }

  #onTheWay(market: string): readonly PlaceRequest[] {
    const nowMs = this.clock.now();
    return this.#flights
      .filter(({ request, arrivesMs }) => request.market === market && arrivesMs > nowMs)
      .map(({ request }) => request);
  }

  #checkQuoteRoom({ market, side }: Pick<PlaceRequest, 'market' | 'side'>, more: number): void {
    const wanted = (side === 'buy' ? this.#quotes.bids : this.#quotes.asks).length;
    const resting = this.model.open
      .filter((order) => !this.#foreign.has(order))
      .filter(({ record }) => record.market === market && record.side === side).length;
    const coming = this.#onTheWay(market).filter((request) => request.side === side).length;
    expect(resting + coming + more, 'no more orders than quotes').toBeLessThanOrEqual(wanted);
  }

  #checkTargetRoom({ market, side, amount: more }: PlaceRequest): void {
    const sign = side === 'buy' ? 1 : -1;
    const coming = this.#onTheWay(market).reduce((sum, request) => sum + signed(request), 0);
    const after = this.#truePosition(SECOND_MARKET) + coming + sign * more;
    expect(sign * (this.#target - after), 'no overshoot').toBeGreaterThanOrEqual(-1e-9);
  }

  #truePosition({ id }: Market): number {
    return this.model.orders
      .filter((order) => order.record.market === id && !this.#foreign.has(order))
      .reduce((sum, { record }) => sum + signed({ ...record, amount: record.filledAmount }), 0);
  }

  protected override check(): void {
    const nowMs = this.clock.now();
    for (const { id } of MARKETS) {
      if (!this.bench.heartbeat.confirmed(id)) continue;
      expect(this.model.firesAtMs(id), 'believed armed, is armed').toBeGreaterThan(nowMs);
    }
    expect(this.model.most(1_000)).toBeLessThanOrEqual(LIMITS.requestsPerSecond);
    expect(this.model.most(60_000)).toBeLessThanOrEqual(LIMITS.requestsPerMinute);
    this.#checkEvents();
  }

  /** Checks that nothing is left to do now: whatever becomes due wakes the executor by itself. */
  #checkIdle(): void {
    const { events, executor } = this.bench;
    const before = events.length;
    executor.signOfLife();
    expect(events.slice(before), 'nothing waits for somebody to look').toEqual([]);
  }

  #checked = 0;
  #checkedBench: Bench | undefined;
  readonly #last = new Map<string, OrderState>();

  #checkEvents(): void {
    if (this.#checkedBench !== this.bench) {
      this.#checked = 0;
      this.#checkedBench = this.bench;
    }
    const { events } = this.bench;
    for (; this.#checked < events.length; this.#checked++) {
      const event = events[this.#checked]!;
      if (event.kind === 'order') this.#checkStep(event.order);
    }
  }

  /**
   * Checks I2: `unknown` ends on the exchange's word; an order final in our books is closed in its
   * books.
   */
  #checkStep(order: OrderState): void {
    const { clientOrderId, evidence, status } = order;
    const before = this.#last.get(clientOrderId);
    this.#last.set(clientOrderId, order);
    if (before?.status === 'unknown' && status !== 'unknown') {
      expect(['answer', 'push', 'query']).toContain(evidence);
    }
    if (before !== undefined) {
      expect(order.filledAmount).toBeGreaterThanOrEqual(before.filledAmount);
    }
    if (status === 'rejected') {
      const found = this.model.orders.some((other) => other.clientOrderId === clientOrderId);
      expect(found, `${clientOrderId} is rejected by our books and exists`).toBe(false);
    } else if (isFinal(order)) {
      const record = this.model.orders.find(
        (other) => other.record.exchangeOrderId === order.exchangeOrderId,
      )?.record;
      expect(record?.closed, `${clientOrderId} is ${status} by our books`).toBe(true);
    }
  }

  /**
   * Checks I7: once faults stop, our books are true and the wished orders rest; then nothing rests.
   */
  #settle(): void {
    this.isFaulty = false;
    this.model.pushDelayMs = 3;
    this.pass(150_000);
    this.#target = 3;
    this.#quotes = quotes([90, [80, 2]], [110]);
    this.wish(this.#quotes, MAKER);
    this.wish(target(this.#target, { market: SECOND_MARKET.id }), TAKER);
    this.pass(60_000);
    const own = this.model.open.filter((order) => !this.#foreign.has(order));
    const pictured = this.bench.live();
    expect(pictured.map(({ status }) => status)).toEqual(pictured.map(() => 'open'));
    expect(
      pictured.map((order) => ('exchangeOrderId' in order ? order.exchangeOrderId : '')).sort(),
    ).toEqual(own.map(({ record }) => record.exchangeOrderId).sort());
    expect(own.map(({ record }) => Number(record.price)).sort()).toEqual([110, 80, 90]);
    for (const market of MARKETS) this.#checkPosition(market);
    // Less than the least order is missing.
    expect(Math.abs(this.#truePosition(SECOND_MARKET) - 3)).toBeLessThan(0.021);
    this.#stop();
  }

  #checkPosition(market: Market): void {
    const booked = this.bench.positions.position(market.id).amount;
    const real = Decimal.of(this.#truePosition(market)).round(market.amountScale, 'nearest');
    expect(booked.toString(), `position of ${market.id}`).toBe(real.toString());
  }

  #stop(): void {
    let report: unknown;
    this.bench.executor.stop().subscribe((value) => {
      report = value;
    });
    this.clock.advanceBy(20_000);
    expect(report).toMatchObject({ cancelled: 3, of: 3, verified: true, remaining: [] });
    expect(this.model.open.filter((order) => !this.#foreign.has(order))).toEqual([]);
  }
}

interface Batch {
  readonly market: string;
  readonly side: 'buy' | 'sell';
  readonly orders: readonly Pick<PlaceRequest, 'price' | 'amount'>[];
}

const MARKETS = [MARKET, SECOND_MARKET];

function signed({ side, amount: size }: Pick<PlaceRequest, 'side' | 'amount'>): number {
  return side === 'buy' ? size : -size;
}
