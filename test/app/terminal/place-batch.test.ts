import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  type BatchTerms,
  placeBatch,
  prepareBatch,
} from '../../../src/app/terminal/place-batch.ts';
import type { Amount, Price } from '../../../src/domain/index.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { type FakeVenue, fakeVenue, orderRecord } from './fixture.ts';

function terms(price: string, amount: string): BatchTerms {
  return { price: Decimal.of(price), amount: Decimal.of(amount) };
}

const THREE = [terms('50000', '0.01'), terms('49000', '0.02'), terms('50000.00', '0.010')];

function batch(venue: FakeVenue, orders: readonly BatchTerms[] = THREE) {
  const wish = { market: 'btc_usdt', side: 'buy', account: 'cross', orders } as const;
  return prepareBatch(venue, wish);
}

/** A venue that took orders of these ids and tells them so. */
function venueThatTook(orders: readonly { id: string; price: number; amount: number }[]) {
  const venue = fakeVenue({
    orders: orders.map(({ id, price, amount }) =>
      orderRecord({ exchangeOrderId: id, price: price as Price, amount: amount as Amount }),
    ),
  });
  const exchangeOrderIds = orders.map(({ id }) => id);
  venue.calls.placeBatch = [of({ exchangeOrderIds, remark: 'not all' })];
  return venue;
}

async function outcomesOf(venue: FakeVenue) {
  const { orders } = await placeBatch(venue, await batch(venue));
  return orders.map(({ outcome, id }) => [outcome, id]);
}

describe('prepareBatch', () => {
  it('sums up what is asked for, and sends nothing', async () => {
    const venue = fakeVenue();
    const { amount, value } = await batch(venue);
    expect([`${amount}`, `${value}`]).toEqual(['0.04', '1980']);
    expect(venue.sent.map(({ call }) => call)).toEqual(['markets']);
  });

  it.each([
    [[], 'it holds 0 orders, 1 to 20 are wanted'],
    [Array(21).fill(THREE[0]), 'it holds 21 orders'],
    [[THREE[0]!, terms('50000.001', '0.01')], 'order 2 of 2: the price is 50000.001'],
    [[terms('50000', '0.000001')], 'order 1 of 1: the amount is 0.000001'],
  ])('refuses a batch that breaks a rule: %#', async (orders, message) => {
    await expect(batch(fakeVenue(), orders)).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining(message),
    });
  });
});

describe('placeBatch', () => {
  it('sends one request and gives each order its id', async () => {
    const venue = fakeVenue();
    expect(await outcomesOf(venue)).toEqual(['100', '101', '102'].map((id) => ['placed', id]));
    expect(venue.sent.slice(1, 2)).toEqual([
      {
        call: 'placeBatch',
        argument: {
          ...{ market: 'btc_usdt', side: 'buy', accountType: 2 },
          orders: [
            { price: 50_000, amount: 0.01 },
            { price: 49_000, amount: 0.02 },
            { price: 50_000, amount: 0.01 },
          ],
        },
      },
    ]);
  });
});

describe('placeBatch, of whose ids it is told,', () => {
  it('finds out which is whose where all were taken, in turn where reads do not tell', async () => {
    const orders = [
      { id: '7', price: 49_000, amount: 0.02 },
      { id: '8', price: 50_000, amount: 0.01 },
      { id: '9', price: 50_000, amount: 0.01 },
    ];
    const told = venueThatTook(orders);
    expect(await outcomesOf(told)).toEqual(['8', '7', '9'].map((id) => ['placed', id]));
    const silent = venueThatTook(orders);
    silent.fail('order', 'unknown');
    expect(await outcomesOf(silent)).toEqual(['7', '8', '9'].map((id) => ['placed', id]));
  });

  it('finds out which were refused by what the orders of the ids say', async () => {
    const venue = venueThatTook([
      { id: '8', price: 49_000, amount: 0.02 },
      { id: '9', price: 50_000, amount: 0.01 },
    ]);
    expect(await outcomesOf(venue)).toEqual([
      ['placed', '9'],
      ['placed', '8'],
      ['refused', undefined],
    ]);
  });

  it('tells orders apart that have but their price, or but their amount, in common', async () => {
    const orders = [terms('50000', '0.01'), terms('50000', '0.02'), terms('49000', '0.02')];
    const venue = venueThatTook([{ id: '8', price: 50_000, amount: 0.02 }]);
    const { orders: placed } = await placeBatch(venue, await batch(venue, orders));
    expect(placed.map(({ outcome }) => outcome)).toEqual(['refused', 'placed', 'refused']);
    const other = venueThatTook([{ id: '8', price: 49_000, amount: 0.02 }]);
    const { orders: others } = await placeBatch(other, await batch(other, orders));
    expect(others.map(({ outcome }) => outcome)).toEqual(['refused', 'refused', 'placed']);
  });

  it('looks again where reads lag', async () => {
    const venue = venueThatTook([{ id: '8', price: 49_000, amount: 0.02 }]);
    for (const _ of [1, 2]) venue.fail('order', 'rejected', { code: 3001 });
    expect(await outcomesOf(venue)).toEqual([
      ['refused', undefined],
      ['placed', '8'],
      ['refused', undefined],
    ]);
  });

  it('calls unknown what it cannot tell', async () => {
    const venue = venueThatTook([
      { id: '8', price: 49_000, amount: 0.02 },
      { id: '9', price: 50_000, amount: 0.01 },
    ]);
    venue.fail('order', 'unknown');
    expect(await outcomesOf(venue)).toEqual([
      ['placed', '9'],
      ['unknown', undefined],
      ['unknown', undefined],
    ]);
    const strange = venueThatTook([{ id: '8', price: 1, amount: 1 }]);
    expect(await outcomesOf(strange)).toEqual(Array(3).fill(['unknown', undefined]));
    expect(await outcomesOf(venueThatTook([]))).toEqual(Array(3).fill(['unknown', undefined]));
  });

  it('is unknown, with the list to look at, where the answer was lost', async () => {
    const venue = fakeVenue();
    venue.fail('placeBatch', 'unknown');
    await expect(placeBatch(venue, await batch(venue))).rejects.toMatchObject({
      reason: 'unknown',
      message: expect.stringContaining(
        "orders list --market btc_usdt --venue-config 'my live.yaml'",
      ),
    });
  });
});
