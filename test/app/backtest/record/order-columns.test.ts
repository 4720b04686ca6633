import { describe, expect, test } from 'vitest';
import { orderColumns } from '../../../../src/app/backtest/record/order-columns.ts';
import type { Amount, OrderState, Price } from '../../../../src/domain/index.ts';
import { Decimal } from '../../../../src/kernel/index.ts';
import { START } from '../../../report/fixture.ts';

describe('orderColumns', () => {
  test('has a row an order, null where a state knows nothing', () => {
    const base = {
      market: 'btc_usdt',
      side: 'buy',
      type: 'limit',
      price: 100 as Price,
      amount: 2 as Amount,
      strategy: 'maker',
      tag: 'bid0',
      createdTime: START,
      changedTime: START + 5,
      evidence: 'answer',
      filledAmount: 1 as Amount,
      filledValue: Decimal.of('100.25'),
    } as const;
    const fee = Decimal.of('0.123456789');
    const orders: OrderState[] = [
      { ...base, clientOrderId: 'one', status: 'cancelled', exchangeOrderId: '7', fee },
      { ...base, clientOrderId: 'two', status: 'rejected', reason: 'too small' },
      { ...base, clientOrderId: 'none', status: 'pending', filledAmount: 0 as Amount },
    ];
    const [one, ...others] = orders.map((order) => ({ order }));
    const filled = { ...one!, feeCurrency: 'btc', liquidity: 'both' } as const;
    const columns = orderColumns([filled, ...others], new Map([['maker', 'mine']]));
    expect(columns).toMatchObject({
      clientOrderId: ['one', 'two', 'none'],
      exchangeOrderId: ['7', null, null],
      strategy: ['mine', 'mine', 'mine'],
      status: ['cancelled', 'rejected', 'pending'],
      reason: [null, 'too small', null],
      filledValue: Float64Array.of(100.25, 100.25, 100.25),
      fee: Float64Array.of(0.123456789, Number.NaN, 0),
      feeCurrency: ['btc', null, null],
      liquidity: ['both', null, null],
      createdTime: Float64Array.of(START, START, START),
      changedTime: Float64Array.of(START + 5, START + 5, START + 5),
    });
    expect(Object.values(columns).every(({ length }) => length === 3)).toBe(true);
  });
});
