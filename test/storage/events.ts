import type {
  Amount,
  CancelledOrder,
  LiveOrder,
  OrderState,
  Price,
  TradingEvent,
} from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';

export const START_MS = Date.UTC(2024, 0, 1);

export function orderOf(overrides: Partial<LiveOrder> = {}): OrderState {
  return {
    status: 'open',
    exchangeOrderId: '202401010000000001',
    market: 'btc_usdt',
    side: 'buy',
    type: 'limit',
    price: 42_000.5 as Price,
    amount: 0.01 as Amount,
    clientOrderId: 'order1',
    strategy: 'maker',
    tag: 'bid1',
    createdTime: START_MS,
    filledAmount: 0 as Amount,
    filledValue: Decimal.ZERO,
    changedTime: START_MS,
    evidence: 'answer',
    ...overrides,
  } as OrderState;
}

export function cancelledOrderOf(overrides: Partial<CancelledOrder> = {}): OrderState {
  return { ...orderOf(), status: 'cancelled', ...overrides } as OrderState;
}

export function orderEvent(order: OrderState = orderOf()): TradingEvent {
  return { kind: 'order', market: order.market, time: order.changedTime, order };
}

/** What the ledger publishes in one turn when an order fills: its last state, then the fill. */
export function filledEvents(): readonly TradingEvent[] {
  const order = { ...orderOf(), status: 'filled', filledAmount: 0.01 as Amount } as OrderState;
  const { market, strategy, clientOrderId, side, amount, price, changedTime: time } = order;
  const value = Decimal.of(price).times(Decimal.of(amount));
  const fill = {
    ...{ market, strategy, clientOrderId, side, amount, price, time, value },
    ...{ exchangeOrderId: '202401010000000001', fee: Decimal.ZERO, feeCurrency: 'btc' },
  };
  return [orderEvent(order), { kind: 'fill', time, market, fill }];
}

/** The fee of that order, reported later. */
export function lateFeeEvent(fee = '0.00001'): TradingEvent {
  const { market, strategy, clientOrderId, side, price, changedTime: time } = orderOf();
  const lateFee = {
    ...{ market, strategy, clientOrderId, side, price, time, feeCurrency: 'btc' },
    ...{ exchangeOrderId: '202401010000000001', fee: Decimal.of(fee), value: Decimal.of('0.42') },
  };
  return { kind: 'lateFee', time, market, lateFee };
}

/** A run's own event. A start that is refused never publishes `running`. */
export function runEvent(status: 'starting' | 'running'): TradingEvent {
  return { kind: 'run', time: START_MS, status, reason: 'test' };
}

export function requestEvent(time: number): TradingEvent {
  return { kind: 'request', market: 'btc_usdt', time, operation: 'place', waitedMs: 0 };
}

export function tradeEvent(id: number): TradingEvent {
  const time = START_MS + id;
  const stamps = { exchangeTime: time, receivedTime: time };
  return {
    ...{ kind: 'trade', market: 'btc_usdt', ...stamps },
    ...{ id: String(id), price: 42_000, amount: 0.5, side: 'buy' },
  };
}
