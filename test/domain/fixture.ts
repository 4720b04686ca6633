import type {
  Amount,
  LiveOrder,
  Market,
  OpenOrder,
  OrderNews,
  PendingOrder,
  Price,
} from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';

/** A market with two decimals of price and four of amount. */
export function makeMarket(overrides: Partial<Market> = {}): Market {
  return {
    id: 'btc_usdt',
    base: 'btc',
    quote: 'usdt',
    priceScale: 2,
    amountScale: 4,
    minAmount: 0.0001,
    minSize: 1,
    ...overrides,
  };
}

export function makePending(overrides: Partial<PendingOrder> = {}): PendingOrder {
  return {
    market: 'btc_usdt',
    side: 'buy',
    type: 'limit',
    price: 100 as Price,
    amount: 1 as Amount,
    clientOrderId: 'tw0001',
    strategy: 'maker',
    tag: 'bid0',
    createdTime: 0,
    filledAmount: 0 as Amount,
    filledValue: Decimal.ZERO,
    changedTime: 0,
    evidence: 'request',
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
