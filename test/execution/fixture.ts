import type {
  Depth,
  Intent,
  LiveOrder,
  Market,
  OrderState,
  Quote,
  QuotesIntent,
  Refusal,
  TradingEvent,
} from '../../src/domain/index.ts';
import type { RateLimits } from '../../src/exchange/index.ts';
import {
  Executor,
  executionConfigSchema,
  Heartbeat,
  RateBudget,
} from '../../src/execution/index.ts';
import type { ExecutorMemory, ExecutorOptions } from '../../src/execution/ports.ts';
import { Bus, type Logger, silentLogger, VirtualClock } from '../../src/kernel/index.ts';
import { BalanceLedger, OrderLedger, PositionLedger } from '../../src/ledger/index.ts';
import { seal } from '../../src/risk/approved.ts';
import type { OrderDraft, RiskGate } from '../../src/risk/index.ts';
import { makeMarket, ofKind } from '../domain/fixture.ts';
import { amount, ExchangeModel, price } from './exchange-model.ts';

export const MARKET = makeMarket({ minAmount: 0.001 });
export const SECOND_MARKET: Market = { ...MARKET, id: 'eth_usdt', base: 'eth' };

export interface BenchOptions {
  readonly config?: Record<string, unknown>;
  readonly markets?: readonly Market[];
  readonly limits?: RateLimits;
  /** Refuses orders. Default: none. */
  readonly refuse?: (draft: OrderDraft) => Refusal | undefined;
  /** The orders that take an exit's room. Default: none. */
  readonly roomTakers?: RiskGate['roomTakers'];
  /** When the pace of orders lets the next one pass. Default: at once. */
  readonly paceOpensMs?: () => number;
  /** The orders that must not stay. Default: none. */
  readonly unwelcome?: () => readonly LiveOrder[];
  /** When time alone makes an order unwelcome. Default: never. */
  readonly unwelcomeFromMs?: () => number;
  /** Best bid and ask in the first market. Default: no book is known. */
  readonly book?: readonly [bid: number, ask: number];
  readonly startMs?: number;
  /** Whether no push is ever lost. Default: some may be. */
  readonly pushesTellAll?: boolean;
  /** Rates for fills whose fee is not told. Default: no fees. */
  readonly feeRates?: ConstructorParameters<typeof OrderLedger>[0]['feeRates'];
  /** How many final orders the ledger remembers. Default: its own. */
  readonly finalOrdersMax?: number;
  /** Default: a silent one. */
  readonly logger?: Logger;
  /** Whether the heartbeat gets a sign of life each second. Default: true. */
  readonly lively?: boolean;
  readonly idPrefix?: string;
  readonly model?: ExchangeModel;
  readonly clock?: VirtualClock;
}

/** Bus, ledgers and the model of the exchange, on virtual time. */
function createGround(options: BenchOptions) {
  const { markets = [MARKET, SECOND_MARKET], startMs = 1_700_000_000_000, limits } = options;
  const clock = options.clock ?? new VirtualClock(startMs);
  const model =
    options.model ?? new ExchangeModel(clock, limits ? { markets, limits } : { markets });
  const bus = new Bus<TradingEvent>();
  const events: TradingEvent[] = [];
  bus.record((event) => events.push(event));
  const marketMap = new Map(markets.map((market) => [market.id, market]));
  const { feeRates = { maker: 0, taker: 0 }, finalOrdersMax } = options;
  const orders = new OrderLedger({
    ...{ clock, bus, markets: marketMap, feeRates },
    ...(finalOrdersMax === undefined ? {} : { finalOrdersMax }),
  });
  const positions = new PositionLedger({ bus, markets: marketMap, bookings: orders.bookings });
  const balances = new BalanceLedger({ clock, bus });
  model.pushes.subscribe((order) => {
    const receivedTime = clock.now();
    const { market, exchangeTime } = order;
    bus.publish({ kind: 'orderPush', market, order, exchangeTime, receivedTime });
  });
  return { clock, model, bus, events, markets: marketMap, orders, positions, balances };
}

/**
 * Gives the heartbeat a sign of life each second without waking the executor, which has to know its
 * times.
 */
function keepAlive(heartbeat: Heartbeat, clock: VirtualClock): void {
  heartbeat.signOfLife();
  clock.schedule(function live() {
    heartbeat.signOfLife();
    this.schedule(undefined, 1_000);
  }, 1_000);
}

/** Views on what happened. */
function viewsOf({ events, model, orders, positions }: ReturnType<typeof createGround>) {
  return {
    ofKind: <K extends TradingEvent['kind']>(kind: K) => ofKind(events, kind),
    statuses: (clientOrderId: string) =>
      events.flatMap((event) =>
        event.kind === 'order' && event.order.clientOrderId === clientOrderId
          ? [event.order.status]
          : [],
      ),
    live: (): readonly LiveOrder[] => [...orders.allLive()],
    /** The position in a market. Default: the first market, all strategies. */
    held: (strategy?: string, market = MARKET.id): number =>
      positions.position(market, strategy).amount.toNumber(),
    /** The prices of the orders resting at the exchange. */
    openPrices: (): number[] => model.open.map(({ record }) => record.price),
    state: (clientOrderId: string): OrderState => orders.get(clientOrderId)!,
  };
}

const NO_MEMORY: ExecutorMemory = {
  ...{ orders: [], guessedOrders: [], recentOrders: [], endedOrders: [] },
  ...{ requestTimes: [], pastExchangeOrderIds: [], aliveTimes: new Map(), isOwned: () => true },
};

/** An executor with everything around it, on virtual time, against a model of the exchange. */
export function createBench(options: BenchOptions = {}) {
  const ground = createGround(options);
  const { clock, model, events } = ground;
  const config = executionConfigSchema.parse(options.config ?? {});
  const heartbeat = new Heartbeat({ clock, limits: model.limits, config: config.heartbeat });
  const budget = new RateBudget({ clock, limits: model.limits, config: config.budget });
  const depths = new Map<string, Depth>();
  if (options.book !== undefined) depths.set(MARKET.id, depthOf(...options.book));
  const drafts: OrderDraft[] = [];
  const commits: number[] = [];
  const halts: string[] = [];
  const written: number[] = [];
  const journal = {
    commitOrders: () => void commits.push(events.length),
    commit: () => void written.push(events.length),
  };
  let ids = 0;
  let alive = true;
  const gate: ExecutorOptions['gate'] = {
    order: (draft) => {
      drafts.push(draft);
      return options.refuse?.(draft) ?? seal(draft);
    },
    roomTakers: (...asked) => options.roomTakers?.(...asked) ?? [],
    paceOpensMs: () => options.paceOpensMs?.() ?? clock.now(),
    cancel: (order) => seal(order),
    unwelcome: () => options.unwelcome?.() ?? [],
    unwelcomeFromMs: () => options.unwelcomeFromMs?.() ?? Number.POSITIVE_INFINITY,
    whyUnwelcome: () => ({ cause: 'staleData', reason: 'its data are stale' }),
  };
  const executor = new Executor({
    ...{ ...ground, gate, heartbeat, budget, journal, config },
    exchange: model.port(() => alive),
    prices: {
      showsOwn: true,
      depth: (market) => depths.get(market),
      last: () => undefined,
    },
    nextClientOrderId: () => `${options.idPrefix ?? 'run1'}x${++ids}`,
    pushesTellAll: options.pushesTellAll,
    logger: options.logger ?? silentLogger,
    onHalt: (reason) => halts.push(reason),
  });
  // As in the engine, which subscribes to the pushes after the executor.
  ground.bus.on('orderPush').subscribe(({ order }) => ground.orders.record(order, 'push'));
  if (options.lively !== false) keepAlive(heartbeat, clock);
  return {
    ...{ ...ground, ...viewsOf(ground), config, heartbeat, budget, executor },
    ...{ depths, drafts, commits, written, halts, journal },
    wish: (intent: Intent, strategy = 'maker') => executor.wish(strategy, seal(intent)),
    /**
     * Takes over what an earlier run left. Default: nothing was left, and any order may be wished
     * for.
     */
    restore: (memory: Partial<ExecutorMemory>) => executor.restore({ ...NO_MEMORY, ...memory }),
    /** Kills the process: none of its requests reaches the exchange any more. */
    kill: () => {
      alive = false;
    },
  };
}

export type Bench = ReturnType<typeof createBench>;

/** A price and an amount; a price alone has an amount of 1. */
type Level = number | readonly [price: number, amount: number];

function quote(level: Level): Quote {
  const [at, of] = typeof level === 'number' ? [level, 1] : level;
  return { price: price(at), amount: amount(of) };
}

export function quotes(
  bids: readonly Level[],
  asks: readonly Level[] = [],
  options: { market?: string; postOnly?: boolean } = {},
): QuotesIntent {
  const { market = MARKET.id, postOnly = true } = options;
  return { kind: 'quotes', market, bids: bids.map(quote), asks: asks.map(quote), postOnly };
}

export function target(
  position: number,
  options: { priceLimit?: number; slippage?: number; market?: string } = {},
): Intent {
  const { market = MARKET.id, slippage = 0.002, priceLimit } = options;
  const limit = priceLimit === undefined ? {} : { priceLimit: price(priceLimit) };
  return { kind: 'target', market, position, slippage, ...limit };
}

export function depthOf(bid: number, ask: number, market = MARKET.id): Depth {
  return { market, bids: [[bid, 5]], asks: [[ask, 5]], exchangeTime: 0, receivedTime: 0 };
}

/** Lets all answers and pushes arrive. */
export const settle = (bench: Bench) => bench.clock.advanceBy(50);

/** A wish for one buy of 1. */
export function order(options: { tag?: string; at?: number; type?: 'limit' | 'ioc' } = {}): Intent {
  const { tag = 'entry', at = 100, type = 'limit' } = options;
  const terms = { side: 'buy', type, price: price(at), amount: amount(1) } as const;
  return { kind: 'order', market: MARKET.id, tag, ...terms };
}

/** The next process, which knows these orders of the former one and reads what the exchange has. */
export function restarted(orders: readonly LiveOrder[], options: BenchOptions): Bench {
  const bench = createBench({ idPrefix: 'second', ...options });
  bench.restore({ orders });
  bench.executor.reconcile('start');
  return bench;
}

/** A process that was killed with two quotes. */
export function killed() {
  const clock = new VirtualClock(1_700_000_000_000);
  const model = new ExchangeModel(clock, { markets: [MARKET] });
  model.pushDelayMs = undefined;
  const shared = { clock, model, markets: [MARKET] };
  const first = createBench({ ...shared, idPrefix: 'first' });
  first.wish(quotes([100, 99]));
  clock.advanceBy(50);
  const orders = first.live();
  const requestTimes = first.ofKind('request').map(({ time }) => time);
  first.kill();
  return { clock, model, first, orders, requestTimes, shared };
}
