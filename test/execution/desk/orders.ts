import type { LiveOrder, Side } from '../../../src/domain/index.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { amount, price } from '../exchange-model.ts';

interface OrderOptions {
  readonly side?: Side;
  readonly at: number;
  readonly size?: number;
  readonly filled?: number;
  readonly status?: LiveOrder['status'];
}

let ids = 0;

/** A live order of quotes; its id is new each time. */
export function createOrder({
  side = 'buy',
  at,
  size = 1,
  filled = 0,
  status = 'open',
}: OrderOptions) {
  const id = `order${++ids}`;
  return {
    ...{ market: 'btc_usdt', side, type: 'postOnly', price: price(at), amount: amount(size) },
    ...{ clientOrderId: id, strategy: 'maker', tag: 'quotes/bid/0', createdTime: 0 },
    ...{ filledAmount: amount(filled), filledValue: Decimal.ZERO, changedTime: 0 },
    ...{ evidence: 'answer', status, reason: '', unknownSince: 0 },
    ...(status === 'pending' || status === 'unknown' ? {} : { exchangeOrderId: `x${id}` }),
  } as LiveOrder;
}

export const quote = (at: number, size = 1) => ({ price: price(at), amount: amount(size) });
