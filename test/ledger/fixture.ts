import { Subject } from 'rxjs';
import type {
  Amount,
  Booking,
  Fill,
  Market,
  OrderCharges,
  OrderRecord,
  PendingOrder,
  Price,
  TradingEvent,
} from '../../src/domain/index.ts';
import { Bus, Decimal, type Logger, silentLogger, VirtualClock } from '../../src/kernel/index.ts';
import { BalanceLedger, OrderLedger, PositionLedger } from '../../src/ledger/index.ts';

/** A market with two decimals of price and four of amount. */
export function makeMarket(overrides: Partial<Market> = {}): Market {
  return {
    ...{ id: 'btc_usdt', base: 'btc', quote: 'usdt', priceScale: 2, amountScale: 4 },
    ...{ minAmount: 0.0001, minSize: 1 },
    ...overrides,
  };
}

export function makePending(overrides: Partial<PendingOrder> = {}): PendingOrder {
  return {
    ...{ market: 'btc_usdt', side: 'buy', type: 'limit', price: 100 as Price, amount: 1 as Amount },
    ...{ clientOrderId: 'tw0001', strategy: 'maker', tag: 'bid0', createdTime: 0, changedTime: 0 },
    ...{ filledAmount: 0 as Amount, filledValue: Decimal.ZERO, evidence: 'request' },
    status: 'pending',
    ...overrides,
  };
}

/** The exchange's record; the value filled defaults to the amount filled at the price. */
export function makeRecord(overrides: Partial<OrderRecord> = {}): OrderRecord {
  const { price = 100, filledAmount = 0 as Amount } = overrides;
  return {
    ...{ market: 'btc_usdt', side: 'buy', type: 'limit', price: 100 as Price, amount: 1 as Amount },
    ...{ exchangeOrderId: '1', filledAmount, closed: false, exchangeTime: 0 },
    filledValue: Decimal.of(price).times(Decimal.of(filledAmount)),
    ...overrides,
  };
}

export function makeFill(overrides: Partial<Fill> = {}): Fill {
  const { side = 'buy', amount = 1 as Amount, price = 100 } = overrides;
  return {
    ...{ market: 'btc_usdt', strategy: 'maker', clientOrderId: 'tw0001', exchangeOrderId: '1' },
    ...{ side, amount, price, time: 0 },
    value: Decimal.of(price).times(Decimal.of(amount)),
    fee: Decimal.ZERO,
    feeCurrency: side === 'buy' ? 'btc' : 'usdt',
    ...overrides,
  };
}

export interface LedgerOptions {
  readonly markets?: readonly Market[];
  readonly maker?: number;
  readonly taker?: number;
  /** The currency that fees are charged in. Default: that which a fill brings in. */
  readonly feesIn?: 'received' | 'base' | 'quote';
  /** What orders are charged beyond the rates. Default: nothing. */
  readonly charges?: OrderCharges;
  readonly scales?: ReadonlyMap<string, number>;
  readonly finalOrdersMax?: number;
  readonly forgottenIdsMax?: number;
  /** Default: nobody hears. */
  readonly logger?: Logger;
}

/** A logger that keeps its warnings. */
export function makeWarnings() {
  const warnings: string[] = [];
  const warn = (_fields: object, message: string) => void warnings.push(message);
  return { warnings, logger: { ...silentLogger, warn } };
}

/** All three ledgers on one bus, and every event that they publish. */
export function makeLedgers(options: LedgerOptions = {}) {
  const { maker = 0.002, taker = 0.002, feesIn = 'received', charges, scales } = options;
  const { finalOrdersMax, forgottenIdsMax, logger } = options;
  const clock = new VirtualClock();
  const bus = new Bus<TradingEvent>();
  const events: TradingEvent[] = [];
  bus.record((event) => events.push(event));
  const all = options.markets ?? [makeMarket(), makeMarket({ id: 'eth_usdt', base: 'eth' })];
  const markets = new Map(all.map((market) => [market.id, market]));
  const orders = new OrderLedger({
    ...{ clock, bus, markets, feeRates: { maker, taker, in: feesIn, charges, scales } },
    ...{ finalOrdersMax, forgottenIdsMax },
    ...(logger === undefined ? {} : { logger }),
  });
  const positions = new PositionLedger({ bus, markets, bookings: orders.bookings });
  const balances = new BalanceLedger({ clock, bus });
  return { clock, bus, events, markets, orders, positions, balances };
}

/** A position ledger that is told its fills directly. */
export function makePositions(markets: readonly Market[] = [makeMarket()]) {
  const bus = new Bus<TradingEvent>();
  const bookings = new Subject<Booking>();
  const byId = new Map(markets.map((market) => [market.id, market]));
  return { bus, bookings, positions: new PositionLedger({ bus, markets: byId, bookings }) };
}

/** The events of one kind, in order. */
export function ofKind<K extends TradingEvent['kind']>(
  events: readonly TradingEvent[],
  kind: K,
): Extract<TradingEvent, { kind: K }>[] {
  return events.filter((event): event is Extract<TradingEvent, { kind: K }> => event.kind === kind);
}
