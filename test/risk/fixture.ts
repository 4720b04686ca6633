import fc from 'fast-check';
import type {
  Amount,
  Depth,
  Fill,
  Intent,
  LiveOrder,
  Market,
  OrderIntent,
  OrderRecord,
  OrderType,
  PendingOrder,
  Price,
  QuotesIntent,
  Side,
  TargetIntent,
  TradingEvent,
} from '../../src/domain/index.ts';
import { Bus, Decimal, VirtualClock } from '../../src/kernel/index.ts';
import {
  BalanceLedger,
  type FeeRates,
  OrderLedger,
  PositionLedger,
} from '../../src/ledger/index.ts';
import type { OrderDraft } from '../../src/risk/approved.ts';
import { RiskDay } from '../../src/risk/day.ts';
import {
  type DayStart,
  isRefusal,
  RiskGate,
  riskConfigSchema,
  TradingStateControl,
} from '../../src/risk/index.ts';
import { RuleBook } from '../../src/risk/market-rules.ts';
import {
  type Check,
  IntentReview,
  OrderReview,
  type RiskView,
  type WishingIntent,
} from '../../src/risk/review.ts';
import { makeFill, makeMarket, makePending } from '../domain/fixture.ts';

/** Limits so wide that only the check under test can say no. */
export const WIDE = {
  ...{ orderValueMax: 1e9, openValueMax: 1e9, positionValueMax: 1e9, collarFraction: 1 },
  ...{ bandFraction: 10, openOrdersPerSideMax: 1_000, openOrdersPerMarketMax: 1_000 },
  ...{ openOrdersMax: 1_000, unknownOrdersMax: 1_000, dailyLossMax: 1e9, drawdownMax: 1e9 },
};

type Limits = Parameters<typeof riskConfigSchema.parse>[0] & object;

/** A live order, sketched. */
export interface LiveSketch {
  readonly side?: Side;
  readonly type?: OrderType;
  readonly price?: number;
  readonly amount?: number;
  readonly filled?: number;
  readonly strategy?: string;
  readonly tag?: string;
  readonly market?: string;
  readonly status?: LiveOrder['status'];
  /** Whether its exchange id is known. Default: unless it is pending. */
  readonly named?: boolean;
  readonly createdTime?: number;
}

export interface RiskSetup {
  /** Limits on top of `WIDE`. */
  readonly limits?: Limits;
  readonly markets?: readonly Market[];
  readonly live?: readonly LiveSketch[];
  /** Open orders of the account that are not ours. */
  readonly foreign?: readonly LiveSketch[];
  /** Base amounts held by strategy, bought or sold at 100. Default: none. */
  readonly held?: Readonly<Record<string, number>>;
  /** Available and frozen. Default: plenty of everything. */
  readonly balances?: Readonly<Record<string, readonly [string, string]>>;
  /** Best bid and ask. Default: 99.99 and 100.01. */
  readonly book?: readonly [bid: number | undefined, ask: number | undefined];
  readonly last?: number | undefined;
  /** Whether the book shows own orders. Default: it does. */
  readonly showsOwn?: boolean;
  /** Default: none. */
  readonly feeRates?: FeeRates;
  /** Markets of the strategies that may not trade all. */
  readonly marketsOf?: RiskView['marketsOf'];
  /** Positions with which the day began. Default: not known. */
  readonly dayStart?: DayStart;
  /** Markets whose volume is told by candles. Default: none. */
  readonly candlesOf?: RiskView['candlesOf'];
  readonly plainRejects?: ReadonlySet<number>;
}

const PLENTY = { btc: ['1e9', '0'], eth: ['1e9', '0'], usdt: ['1e9', '0'] } as const;

export function makeDepth(bid: number | undefined, ask: number | undefined): Depth {
  const side = (price: number | undefined) => (price === undefined ? [] : [[price, 1] as const]);
  return { market: 'btc_usdt', exchangeTime: 0, receivedTime: 0, bids: side(bid), asks: side(ask) };
}

/** Everything that risk looks at, with knobs that a test may turn at any time. */
export function makeRisk(setup: RiskSetup = {}) {
  const clock = new VirtualClock(1_000_000_000_000);
  const bus = new Bus<TradingEvent>();
  const all = setup.markets ?? [makeMarket(), makeMarket({ id: 'eth_usdt', base: 'eth' })];
  const markets = new Map(all.map((market) => [market.id, market]));
  const { feeRates = { maker: 0, taker: 0 } } = setup;
  const orders = new OrderLedger({ clock, bus, markets, feeRates });
  const balances = new BalanceLedger({ clock, bus });
  const positions = new PositionLedger({ bus, markets, bookings: orders.bookings });
  const [bid, ask] = setup.book ?? [99.99, 100.01];
  const depth = { ...makeDepth(bid, ask), receivedTime: clock.now() };
  const knobs = { depth: depth as Depth | undefined, last: setup.last, fresh: true, beat: true };
  const config = riskConfigSchema.parse({ ...WIDE, ...setup.limits });
  const state = new TradingStateControl({ clock, bus });
  const view: RiskView = {
    ...{ clock, bus, markets, orders, balances, positions, state, config, feeRates },
    dayStart: setup.dayStart,
    candlesOf: setup.candlesOf,
    ...(setup.plainRejects && { plainRejects: setup.plainRejects }),
    prices: {
      showsOwn: setup.showsOwn ?? true,
      depth: () => knobs.depth,
      last: () => knobs.last,
      isFresh: () => knobs.fresh,
      freshUntilMs: () => Number.POSITIVE_INFINITY,
    },
    heartbeat: { confirmed: () => knobs.beat },
    rules: new RuleBook(markets, config),
    day: new RiskDay(clock),
    marketsOf: setup.marketsOf ?? new Map(),
  };
  (setup.live ?? []).forEach((sketch, index) => {
    orders.restore(makeLive(index, { createdTime: 0, ...sketch }));
  });
  for (const id of markets.keys()) orders.resetForeign(id, foreignIn(id, setup.foreign ?? []));
  for (const [strategy, held] of Object.entries(setup.held ?? {})) {
    if (held !== 0) positions.restore(makeHeld({ strategy, held, price: 100 }));
  }
  const told = Object.entries(setup.balances ?? PLENTY).map(([currency, [available, frozen]]) => ({
    ...{ currency, available: Decimal.of(available), frozen: Decimal.of(frozen) },
  }));
  balances.update(told, 'query');
  return { view, knobs, clock, bus, orders, balances, positions, state };
}

function foreignIn(id: string, sketches: readonly LiveSketch[]): OrderRecord[] {
  const records = sketches.map(({ named: _, ...sketch }, index): OrderRecord => {
    const { clientOrderId, ...order } = makeLive(index, { ...sketch, status: 'open' });
    return { ...order, exchangeOrderId: `foreign${index}`, closed: false, exchangeTime: 0 };
  });
  return records.filter(({ market }) => market === id);
}

function makeLive(index: number, sketch: LiveSketch): LiveOrder {
  const { side = 'buy', price = 90, amount = 1, filled = 0, status = 'open' } = sketch;
  const { named = status !== 'pending', createdTime = 0 } = sketch;
  const base = {
    ...{ market: sketch.market ?? 'btc_usdt', side, type: sketch.type ?? 'limit' },
    ...{ price: price as Price, amount: amount as Amount, clientOrderId: `live${index}` },
    ...{ strategy: sketch.strategy ?? 'maker', tag: sketch.tag ?? `tag${index}`, createdTime },
    ...{ filledAmount: filled as Amount, filledValue: Decimal.of(price * filled) },
    ...{ changedTime: createdTime, evidence: 'answer' as const },
  };
  const id = named ? { exchangeOrderId: `${1_000 + index}` } : {};
  const exchangeOrderId = `${1_000 + index}`;
  switch (status) {
    case 'pending':
      return { ...base, status };
    case 'unknown':
      return { ...base, ...id, status, reason: 'timed out', unknownSince: 0 };
    case 'open':
    case 'cancelling':
      return { ...base, exchangeOrderId, status };
    default:
      return status satisfies never;
  }
}

export function makeHeld(options: {
  readonly strategy: string;
  readonly held: number;
  readonly price: number;
}): Fill {
  const { strategy, held, price } = options;
  const side = held > 0 ? 'buy' : 'sell';
  return makeFill({ strategy, side, price, amount: Math.abs(held), feeCurrency: 'usdt' });
}

/** A buy of 1 at 100 by the strategy `maker`. */
export function makeDraft(overrides: Partial<Record<keyof OrderDraft, unknown>> = {}): OrderDraft {
  return {
    ...{ market: 'btc_usdt', side: 'buy', type: 'limit', price: 100, amount: 1 },
    ...{ strategy: 'maker', tag: 'bid0', clientOrderId: 'draft1' },
    ...overrides,
  } as OrderDraft;
}

/** A draft that has passed, as the ledger's pending order. */
export function pendingOf(draft: OrderDraft, createdTime = 0): PendingOrder {
  return { ...makePending({ createdTime, changedTime: createdTime }), ...draft };
}

/** A gate with a ledger of the orders that pass it, whose answers the test gives. */
export function makeTrader(setup: RiskSetup = {}) {
  const quiet = { referenceAgeMaxMs: 1e12, duplicateWindowMs: 1, ordersPerWindowMax: 1e6 };
  const limits = { ...quiet, strategyOrdersPerWindowMax: 1e6, ...setup.limits };
  const risk = makeRisk({ ...setup, limits });
  const { clock, orders } = risk;
  const gate = new RiskGate(risk.view);
  let made = 0;
  const answer = () => ({ time: clock.now(), evidence: 'answer' as const });
  const told = (
    id: string,
    { filled, ...rest }: { filled: number; closed: boolean; fee?: Decimal },
  ) => {
    const { price } = orders.get(id)!;
    const filledValue = Decimal.of(price).times(Decimal.of(filled));
    const record = { ...rest, filledAmount: filled as Amount, filledValue };
    return orders.apply(id, {
      kind: 'record',
      exchangeOrderId: `at${id}`,
      ...record,
      ...answer(),
    });
  };
  return {
    ...risk,
    gate,
    /** Sends an order. Returns its id if it left, else the code of the refusal. */
    send: (overrides: Parameters<typeof makeDraft>[0] = {}): string => {
      const verdict = gate.order(makeDraft({ clientOrderId: `order${made++}`, ...overrides }));
      if (isRefusal(verdict)) return verdict.code;
      orders.create(pendingOf(verdict.value, clock.now()));
      return verdict.value.clientOrderId;
    },
    take: (id: string) => told(id, { filled: 0, closed: false }),
    cancelled: (id: string) => told(id, { filled: 0, closed: true }),
    /** Tells the order's total fill. Default: all of it. */
    fill: (id: string, filled: number = orders.get(id)!.amount) =>
      told(id, { filled, closed: false }),
    /** Tells the fee of the order's fills so far. */
    tellFee: (id: string, fee: number) =>
      told(id, { filled: orders.get(id)!.filledAmount, closed: false, fee: Decimal.of(fee) }),
    reject: (id: string) =>
      orders.apply(id, { kind: 'rejected', reason: 'prohibited', code: 3010, ...answer() }),
    lose: (id: string) => orders.apply(id, { kind: 'lost', reason: 'no answer', ...answer() }),
  };
}

/** Prices and amounts; a price alone has an amount of 1. */
type Levels = readonly (number | readonly [price: number, amount: number])[];

export function makeQuotes(bids: Levels, asks: Levels): QuotesIntent {
  const quotes = (levels: Levels) =>
    levels.map((level) => {
      const [price, amount] = typeof level === 'number' ? [level, 1] : level;
      return { price: price as Price, amount: amount as Amount };
    });
  const market = 'btc_usdt';
  return { kind: 'quotes', market, bids: quotes(bids), asks: quotes(asks), postOnly: true };
}

export function makeTarget(position: number, overrides: Partial<TargetIntent> = {}): TargetIntent {
  return { kind: 'target', market: 'btc_usdt', position, slippage: 0.002, ...overrides };
}

export function makeOrderIntent(overrides: Partial<Record<string, unknown>> = {}): OrderIntent {
  const { side, type, price, amount, tag } = makeDraft();
  const market = 'btc_usdt';
  return { kind: 'order', market, side, type, price, amount, tag, ...overrides } as OrderIntent;
}

export function reviewOrder(view: RiskView, draft: OrderDraft = makeDraft()): OrderReview {
  return new OrderReview({ view, rules: view.rules.of(draft.market)!, strategy: 'maker' }, draft);
}

export function reviewIntent(view: RiskView, intent: Intent, strategy = 'maker'): IntentReview {
  const rules = view.rules.of(intent.market)!;
  return new IntentReview({ view, rules, strategy }, intent as WishingIntent);
}

/** The code of the check if it objects to the review, else undefined. */
export function codeOf(
  { code, ask, onOrder }: Check,
  review: IntentReview | OrderReview,
): string | undefined {
  const objection = review instanceof OrderReview ? (ask ?? onOrder)?.(review) : ask?.(review);
  return objection && code;
}

const side = fc.constantFrom<Side>('buy', 'sell');
const cents = fc.integer({ min: 9_000, max: 11_000 });
const parts = fc.integer({ min: 1, max: 30_000 });

/** Price and amount in whole units of the default market, and the side. */
export const anyOrderUnits = fc.record({ side, priceUnits: cents, amountUnits: parts });

export type OrderUnits = typeof anyOrderUnits extends fc.Arbitrary<infer T> ? T : never;

/** Live orders of any state and strategy; amounts are multiples of 4 units, filled in quarters. */
export const anyLive = fc.array(
  fc.record({
    ...{
      side,
      priceUnits: cents,
      amountUnits: fc.integer({ min: 1, max: 5_000 }).map((n) => 4 * n),
    },
    filledQuarters: fc.integer({ min: 0, max: 3 }),
    status: fc.constantFrom('pending', 'open', 'cancelling', 'unknown'),
    strategy: fc.constantFrom('maker', 'other'),
    named: fc.boolean(),
  }) satisfies fc.Arbitrary<unknown>,
  { maxLength: 6 },
) as fc.Arbitrary<LiveUnits[]>;

export interface LiveUnits extends OrderUnits {
  readonly filledQuarters: number;
  readonly status: LiveOrder['status'];
  readonly strategy: string;
  readonly named: boolean;
}

/** The open amount of an order, in units. */
export function restOf({ amountUnits, filledQuarters }: LiveUnits): number {
  return (amountUnits * (4 - filledQuarters)) / 4;
}

export function sketchOf(live: LiveUnits): LiveSketch {
  const { side: itsSide, status, strategy, priceUnits, amountUnits, filledQuarters } = live;
  const filled = (amountUnits / 4) * filledQuarters;
  return {
    ...{ side: itsSide, status, strategy, named: status === 'unknown' ? live.named : true },
    ...{ price: priceUnits / 100, amount: amountUnits / 10_000, filled: filled / 10_000 },
  };
}

export function draftOf(units: OrderUnits): OrderDraft {
  const { side: itsSide, priceUnits, amountUnits } = units;
  return makeDraft({ side: itsSide, price: priceUnits / 100, amount: amountUnits / 10_000 });
}

/** The sum of a number over a list. */
export function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

/**
 * Whole units: small ones, large ones, and some whose products just fill the digits of a double.
 */
export const wholeUnits = fc.oneof(
  fc.nat(1_000),
  fc.integer({ min: 2 ** 25, max: 2 ** 27 }),
  fc.integer({ min: 0, max: 2 ** 51 }),
);
