import type {
  Amount,
  Fill,
  LiveOrder,
  Market,
  OpenOrder,
  OrderNews,
  OrderRecord,
  PendingOrder,
  Price,
  TradingEvent,
} from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';

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

export function makeOpen(overrides: Partial<OpenOrder> = {}): OpenOrder {
  return { ...makePending(), exchangeOrderId: '1', ...overrides, status: 'open' };
}

/** One order in every live state. */
export function liveOrders(): readonly LiveOrder[] {
  const open = makeOpen();
  const lost = { status: 'unknown', reason: 'timed out', unknownSince: 0 } as const;
  return [
    makePending(),
    open,
    { ...open, status: 'cancelling' },
    { ...makePending(), ...lost },
    { ...open, ...lost },
  ];
}

export function makeRecordNews(
  overrides: Partial<Extract<OrderNews, { kind: 'record' }>> = {},
): Extract<OrderNews, { kind: 'record' }> {
  const filledAmount = overrides.filledAmount ?? (0 as Amount);
  return {
    kind: 'record',
    time: 1,
    evidence: 'push',
    exchangeOrderId: '1',
    closed: false,
    filledAmount,
    filledValue: Decimal.of(filledAmount).times(Decimal.of(100)),
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

/** A buy of 1 at 100 without a fee, unless told otherwise; the value follows price and amount. */
export function makeFill(
  overrides: Partial<Omit<Fill, 'amount'>> & { readonly amount?: number } = {},
): Fill {
  const { side = 'buy', amount = 1, price = 100 } = overrides;
  return {
    ...{ market: 'btc_usdt', strategy: 'maker', clientOrderId: 'tw0001', exchangeOrderId: '1' },
    ...{ side, price, time: 0, fee: Decimal.ZERO, feeCurrency: side === 'buy' ? 'btc' : 'usdt' },
    value: Decimal.of(price).times(Decimal.of(amount)),
    ...overrides,
    amount: amount as Amount,
  };
}

export function fillEvent(fill: Fill): TradingEvent {
  return { kind: 'fill', time: fill.time, market: fill.market, fill };
}

/** The events of one kind, in order. */
export function ofKind<K extends TradingEvent['kind']>(
  events: readonly TradingEvent[],
  kind: K,
): Extract<TradingEvent, { kind: K }>[] {
  return events.filter((event): event is Extract<TradingEvent, { kind: K }> => event.kind === kind);
}
