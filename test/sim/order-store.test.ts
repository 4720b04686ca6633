import { describe, expect, test } from 'vitest';
import { OrderStore } from '../../src/sim/order-store.ts';
import { bookOf, exchangeFixture, place } from './fixture.ts';

const TERMS = {
  account: 2,
  accountType: 1,
  owner: 3,
  side: 'buy',
  type: 'ioc',
  price: 2 ** 50,
  amount: 2 ** 50 + 1,
  clientOrderId: 'mine1234',
  repays: true,
  time: 1_642_852_800_000,
} as const;

function allOf(store: OrderStore, slot: number) {
  return {
    account: store.account(slot),
    accountType: store.accountType(slot),
    owner: store.owner(slot),
    side: store.isBuy(slot) ? 'buy' : 'sell',
    type: store.type(slot),
    price: store.price(slot),
    amount: store.amount(slot),
    clientOrderId: store.clientOrderId(slot),
    repays: store.repays(slot),
    time: store.time(slot),
  };
}

describe('OrderStore', () => {
  test('keeps every field while it grows', () => {
    const store = new OrderStore();
    const slots = Array.from({ length: 5_000 }, (_, ordinal) => {
      const slot = store.addOfAccount(TERMS);
      store.setOrdinal(slot, ordinal);
      return slot;
    });
    expect(new Set(slots).size).toBe(5_000);
    for (const [ordinal, slot] of slots.entries()) {
      expect(store.ordinal(slot)).toBe(ordinal);
      expect(allOf(store, slot)).toEqual(TERMS);
    }
  });

  test('gives a slot to another order with nothing left of the one before', () => {
    const store = new OrderStore();
    const slot = store.addOfAccount(TERMS);
    store.setRemaining(slot, TERMS.amount - 3);
    store.recordFill(slot, { tradeId: 9, price: 2, amount: 3, value: 6, fee: 1, time: 5 });
    store.close(slot);
    expect([store.filledValue(slot), store.fee(slot)]).toEqual([6, 1]);
    store.free(slot);
    const other = { ...TERMS, side: 'sell', type: 'limit', repays: false, accountType: 0 } as const;
    expect(store.addOfAccount({ ...other, clientOrderId: undefined })).toBe(slot);
    expect(allOf(store, slot)).toEqual({ ...other, clientOrderId: undefined });
    expect([store.filledValue(slot), store.fee(slot), store.hasFilled(slot)]).toEqual([
      0,
      0,
      false,
    ]);
    expect([store.isClosed(slot), store.isPooled(slot), store.level(slot)]).toEqual([
      false,
      false,
      0,
    ]);
  });

  test('never lets the id of a gone anonymous order name another order', () => {
    const { alice, exchange, liquidity } = exchangeFixture();
    const terms = { side: 'sell', type: 'limit', price: 100, amount: 1 } as const;
    const id = liquidity.addOrder(terms)!;
    place(alice, { price: 100, amount: 1 });
    for (let round = 0; round < 3_000; round++) {
      liquidity.cancelOrder(liquidity.addOrder(terms)!);
      liquidity.setLevel({ side: 'sell', price: 101, amount: round % 3 });
    }
    place(alice, { side: 'sell', price: 102, amount: 1 });
    const before = bookOf(exchange);
    expect(liquidity.cancelOrder(id)).toBe(false);
    expect(bookOf(exchange)).toEqual(before);
  });
});
