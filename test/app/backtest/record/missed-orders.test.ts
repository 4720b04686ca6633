import { describe, expect, it } from 'vitest';
import { MissedOrders } from '../../../../src/app/backtest/record/missed-orders.ts';
import type { Amount, OrderState, Price } from '../../../../src/domain/index.ts';
import { Decimal } from '../../../../src/kernel/index.ts';
import { makeMarket, makeOpen } from '../../../domain/fixture.ts';

/** An order to buy 2 at 100, of which a part filled for so much. */
function ended(status: 'cancelled' | 'filled', filled = 0, value = '0'): OrderState {
  const terms = { price: 100 as Price, amount: 2 as Amount };
  const traded = { filledAmount: filled as Amount, filledValue: Decimal.of(value) };
  return { ...makeOpen({ ...terms, ...traded }), status } as OrderState;
}

function missedOf(...orders: readonly OrderState[]): [number, string] {
  const market = makeMarket();
  const missed = new MissedOrders(new Map([[market.id, market]]));
  for (const order of orders) missed.add({ order });
  return [missed.count, String(missed.value)];
}

describe('MissedOrders', () => {
  it('takes the unfilled part at the order’s own price, however good the filled one was', () => {
    expect(missedOf(ended('cancelled', 0.5, '45'))).toEqual([1, '150']);
    expect(missedOf(ended('cancelled'), ended('cancelled', 1.5, '140'))).toEqual([2, '250']);
  });

  it('is worth what its currency was worth as each order was made, where that is known', () => {
    const market = makeMarket();
    const missed = new MissedOrders(new Map([[market.id, market]]));
    missed.add({ order: ended('cancelled'), rate: 1.5 });
    missed.add({ order: ended('cancelled', 1), rate: undefined });
    expect([missed.count, String(missed.value)]).toEqual([2, '400']);
    missed.add({ order: ended('cancelled'), rate: Number.NaN });
    missed.add({ order: ended('cancelled'), rate: 2 });
    expect([missed.count, missed.value]).toEqual([4, undefined]);
  });

  it('counts neither what filled whole nor what lives', () => {
    expect(missedOf(ended('filled', 2, '190'), makeOpen())).toEqual([0, '0']);
  });
});
