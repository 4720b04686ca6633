import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Intent, Refusal } from '../../../src/domain/index.ts';
import { CODES, CONTRACT_LIMITS, ExchangeFailure } from '../../../src/exchange/index.ts';
import { amount, price } from '../exchange-model.ts';
import {
  type Bench,
  createBench,
  depthOf,
  MARKET,
  quotes,
  SECOND_MARKET,
  target,
} from '../fixture.ts';

const COLLAR: Refusal = { code: 'collar', limit: '', observed: '', scope: 'order' };
const PACE: Refusal = { ...COLLAR, code: 'orderRate', scope: 'strategy' };
const STRATEGIES = ['one', 'other'] as const;

/** What happens to a strategy, outside or within a delivery of the bus; then time passes. */
interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly strategy: number;
  readonly level: number;
  readonly isNested: boolean;
  readonly ms: number;
}

const KINDS = [
  ...(['quotes', 'quotes', 'target', 'nothing', 'refuse', 'refuse'] as const),
  ...(['hold', 'pass', 'end', 'balance', 'endPauses'] as const),
];

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(...KINDS),
    strategy: fc.nat({ max: STRATEGIES.length - 1 }),
    level: fc.nat({ max: 3 }),
    isNested: fc.boolean(),
    ms: fc.constantFrom(0, 10, 700, 6_000),
  }),
  { minLength: 3, maxLength: 12 },
);

/** Strategies of one market, whose wishes risk refuses for a while. */
class Play {
  readonly #refused = new Map<string, Refusal>();
  readonly #wishes = new Map<string, Intent>();
  readonly #bench: Bench;

  constructor(config: Record<string, unknown>) {
    this.#bench = createBench({
      config: { ...config, retriesMax: 1_000 },
      refuse: ({ strategy }) => this.#refused.get(strategy),
      paceOpensMs: () => this.#bench.clock.now() + 700,
    });
    this.#bench.depths.set(MARKET.id, depthOf(99, 100));
    this.#bench.model.onPlaced = ({ record }) => (record.type === 'ioc' ? record.amount : 0);
  }

  step(step: Step): void {
    const { bus, clock } = this.#bench;
    const act = () => this.#act(step);
    if (step.isNested) {
      const subscription = bus.on('run').subscribe(act);
      bus.publish({ kind: 'run', time: clock.now(), status: 'running', reason: '' });
      subscription.unsubscribe();
    } else act();
    clock.advanceBy(step.ms);
  }

  /** Stops refusing: the newest wishes must stand soon. */
  settle(): void {
    const { clock, bus, positions, live } = this.#bench;
    this.#refused.clear();
    // Makes everything that waits for risk retry: see `Desks.reconsider`.
    bus.publish({ kind: 'balance', time: clock.now(), balances: [] });
    clock.advanceBy(4_000);
    for (const [strategy, wish] of this.#wishes) {
      const resting = live().filter((order) => order.strategy === strategy);
      const { amount: held } = positions.position(MARKET.id, strategy);
      const stands = resting.map((order) => ({ price: order.price, amount: amount(1) }));
      if (wish.kind === 'quotes') expect(stands.sort(byPrice)).toEqual([...wish.bids]);
      if (wish.kind === 'target') expect(held.toNumber()).toBe(wish.position);
    }
  }

  #act({ kind, strategy: at, level }: Step): void {
    const { executor, model, orders, bus, clock } = this.#bench;
    const strategy = STRATEGIES[at]!;
    const bid = 90 - 10 * at - level;
    const bids = [bid, bid - 4].slice(level % 2);
    const open = model.open[level];
    if (kind === 'quotes') this.#wish(strategy, quotes(bids, [], { postOnly: at > 0 }));
    if (kind === 'target') this.#wish(strategy, target(level));
    if (kind === 'nothing') this.#wish(strategy, quotes([]));
    if (kind === 'refuse' || kind === 'hold') {
      this.#refused.set(strategy, kind === 'hold' ? PACE : COLLAR);
      this.#wish(strategy, level === 0 ? quotes(bids) : target(level));
    }
    if (kind === 'pass') this.#refused.delete(strategy);
    if (kind === 'balance') bus.publish({ kind, time: clock.now(), balances: [] });
    if (kind === 'endPauses') executor.endPauses(MARKET.id);
    if (kind !== 'end' || open === undefined) return;
    model.end(open);
    orders.record(open.record, 'push');
  }

  #wish(strategy: string, intent: Intent): void {
    this.#wishes.set(strategy, intent);
    this.#bench.wish(intent, strategy);
  }
}

const byPrice = (one: { price: number }, other: { price: number }) => other.price - one.price;

describe('Pump.round', () => {
  it.each([
    ['single orders', {}],
    ['batches', { batch: true }],
    ['quotes that rest for a while', { orderLifetimeMinMs: 2_500 }],
  ])('forgets nothing that is wished, whatever was refused meanwhile: %s', (_what, config) => {
    fc.assert(
      fc.property(steps, (played) => {
        const play = new Play(config);
        for (const step of played) play.step(step);
        play.settle();
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});

describe('Pump.round, where the orders of a market cannot be read', () => {
  /**
   * A strategy that holds 2 of that sign there, and quotes the amounts on the side that shrinks it.
   */
  function blind(sign: 1 | -1) {
    const bench = createBench();
    bench.depths.set(MARKET.id, depthOf(99, 100));
    bench.model.onPlaced = ({ record }) => (record.type === 'ioc' ? record.amount : 0);
    bench.wish(target(2 * sign));
    bench.clock.advanceBy(2_000);
    const refusal = new ExchangeFailure('rejected', 'Cannot read', { code: CODES.balance });
    bench.model.fate = (operation) => (operation === 'orders' ? { refusal } : {});
    bench.executor.reconcile('start');
    bench.clock.advanceBy(60_000);
    expect(bench.executor.unreadable()).toMatchObject([{ what: `orders of ${MARKET.id}` }]);
    const quote = (...amounts: readonly number[]) => {
      const exits = amounts.map((of, at) => [100 + sign * (5 + at), of] as const);
      const entries = [[100 - sign * 5, 0.1]] as const;
      bench.wish(sign > 0 ? quotes(entries, exits) : quotes(exits, entries));
      bench.clock.advanceBy(2_000);
    };
    const resting = () => bench.model.open.map(({ record }) => Number(record.amount));
    return { bench, quote, resting };
  }

  it.each([1, -1] as const)('sends what shrinks a position, and no more of it: %d', (sign) => {
    const { bench, quote, resting } = blind(sign);
    quote(0.5, 1, 0.6, 0.3);
    expect(resting()).toEqual([0.5, 1, 0.3]);
    bench.model.fill(bench.model.open[0]!, 0.25);
    bench.clock.advanceBy(2_000);
    quote(0.25, 1, 0.3, 0.21);
    expect(resting()).toEqual([0.5, 1, 0.3]);
    quote(0.25, 1, 0.3, 0.2);
    expect(resting()).toEqual([0.5, 1, 0.3, 0.2]);
  });

  it('sends nothing where nothing is held', () => {
    const { bench, resting } = blind(1);
    bench.wish(target(0));
    bench.clock.advanceBy(2_000);
    bench.wish(quotes([[95, 0.1]], [[105, 0.1]]));
    bench.clock.advanceBy(2_000);
    expect(resting()).toEqual([]);
  });
});

describe('Pump.round, of what waits for the timed cancel', () => {
  it('sends quotes of one side together, and orders by a tag by themselves', () => {
    const bench = createBench({ config: { batch: true } });
    const terms = { side: 'buy', price: price(98), amount: amount(1) } as const;
    const entry = { kind: 'order', market: MARKET.id, ...terms } as const;
    bench.wish(quotes([100, 99], [110], { postOnly: false }));
    bench.wish({ ...entry, tag: 'taking', type: 'ioc' });
    bench.wish({ ...entry, tag: 'resting', type: 'limit' });
    bench.clock.advanceBy(50);
    const singles = bench.model.of('place').map(({ what }) => what);
    expect(singles).toMatchObject([{ side: 'sell' }, { type: 'ioc' }, { type: 'limit' }]);
    const batches = bench.model.of('placeBatch').map(({ what }) => what);
    expect(batches).toMatchObject([{ side: 'buy', orders: [{ price: 100 }, { price: 99 }] }]);
  });

  it('sends no more timed cancels than the rate budget has room for', () => {
    const bench = createBench({ limits: { ...CONTRACT_LIMITS, requestsPerSecond: 3 } });
    const fate = { thereMs: 50, backMs: 50 };
    bench.model.fate = () => fate;
    bench.wish(quotes([100]));
    bench.wish(quotes([100], [], { market: SECOND_MARKET.id }));
    expect(bench.model.of('cancelAllAfter')).toHaveLength(1);
    expect(bench.executor.usage().waiting).toEqual(['heartbeat']);
    bench.clock.advanceBy(5_000);
    expect(bench.model.of('cancelAllAfter')).toHaveLength(2);
    expect(bench.model.open).toHaveLength(2);
  });
});
