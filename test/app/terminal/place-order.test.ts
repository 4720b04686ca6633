import fc from 'fast-check';
import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { type OrderWish, placeOrder, prepareOrder } from '../../../src/app/terminal/place-order.ts';
import { Decimal, isOnScale } from '../../../src/kernel/index.ts';
import { fakeVenue, MARKET, orderRecord } from './fixture.ts';

function wish(overrides: Partial<OrderWish> = {}): OrderWish {
  return {
    market: 'btc_usdt',
    side: 'buy',
    type: 'limit',
    price: Decimal.of('50000.25'),
    amount: Decimal.of('0.01'),
    account: 'spot',
    borrow: false,
    repay: false,
    ...overrides,
  };
}

describe('prepareOrder', () => {
  it('makes a client id, values the order exactly, and knows how to look it up', async () => {
    const { wish: prepared, value, lookUp } = await prepareOrder(fakeVenue(), wish());
    expect(prepared.clientOrderId).toBe('twmade0001');
    expect(value.toString()).toBe('500.0025');
    expect(lookUp).toBe(
      "npx tradewind orders show --market btc_usdt --client-id twmade0001 --venue-config 'my live.yaml'",
    );
  });

  it.each<[string, Partial<OrderWish>, string]>([
    ['price', { price: Decimal.of('50000.123') }, 'the price is 50000.123, a multiple of 0.01'],
    ['price of nothing', { price: Decimal.ZERO }, 'the price is 0, a multiple of 0.01 above 0'],
    ['amount', { amount: Decimal.of('0.000001') }, 'the amount is 0.000001, a multiple of 0.00001'],
    ['least amount', { amount: Decimal.of('0.00009') }, 'at least 0.0001 is wanted'],
    ['least value', { price: Decimal.of('1') }, 'the value is 0.01 usdt, at least 1 is wanted'],
    ['size', { amount: Decimal.of('1e30') }, 'a multiple of 0.00001 above 0 is wanted'],
    ['client id', { clientOrderId: 'a-b' }, '4 to 36 letters or digits are wanted'],
    ['borrowing', { borrow: true }, '--account isolated or cross is wanted'],
    ['repaying', { repay: true }, 'neither borrows nor repays (--repay)'],
    ['market', { market: 'btc_usd' }, 'Cannot use market "btc_usd": it is unknown, did you mean'],
  ])('refuses a wrong %s before anything is sent', async (_what, overrides, message) => {
    const venue = fakeVenue();
    const refusal = { reason: 'refused', message: expect.stringContaining(message) };
    await expect(prepareOrder(venue, wish(overrides))).rejects.toMatchObject(refusal);
    expect(venue.sent.filter(({ call }) => call === 'place')).toEqual([]);
  });

  it.each([
    [false, 'open'],
    [true, 'over'],
  ])('refuses a client id that an order has, closed: %s', async (closed, state) => {
    const venue = fakeVenue();
    venue.calls.order = [of(orderRecord({ closed }))];
    await expect(prepareOrder(venue, wish({ clientOrderId: 'mine0001' }))).rejects.toMatchObject({
      reason: 'refused',
      message:
        'Cannot place the order on btc_usdt: an order with the client id "mine0001" is there already ' +
        `(${state}, 0 of 0.01 filled), another id is wanted`,
    });
    const { wish: prepared } = await prepareOrder(venue, wish({ clientOrderId: 'mine0002' }));
    expect(prepared.clientOrderId).toBe('mine0002');
  });

  it('asks the exchange of no id that was just made', async () => {
    const venue = fakeVenue();
    await prepareOrder(venue, wish());
    expect(venue.sent.map(({ call }) => call)).not.toContain('order');
  });

  it('takes the least amount and the least value', async () => {
    const least = { amount: Decimal.of('0.0001'), price: Decimal.of('10000') };
    expect(`${(await prepareOrder(fakeVenue(), wish(least))).value}`).toBe('1');
  });

  it('takes exactly the prices and amounts that are on scale', async () => {
    const units = fc.bigInt({ min: 1n, max: 10n ** 12n });
    const scales = fc.integer({ min: 0, max: 8 });
    await fc.assert(
      fc.asyncProperty(units, scales, async (count, scale) => {
        const price = new Decimal(count, scale);
        const value = price.times(Decimal.of(1_000));
        fc.pre(value.compare(Decimal.of(1)) >= 0);
        const taken = await prepareOrder(fakeVenue(), wish({ price, amount: Decimal.of(1_000) }))
          .then(() => true)
          .catch(() => false);
        expect(taken).toBe(isOnScale(price.toNumber(), MARKET.priceScale));
      }),
      { seed: 1, numRuns: 200 },
    );
  });
});

describe('placeOrder', () => {
  it('sends what was prepared, once', async () => {
    const venue = fakeVenue();
    const options = { account: 'cross', borrow: true, type: 'postOnly' } as const;
    const prepared = await prepareOrder(venue, wish(options));
    expect(await placeOrder(venue, prepared)).toEqual({ exchangeOrderId: '42' });
    expect(venue.sent.filter(({ call }) => call === 'place')).toEqual([
      {
        call: 'place',
        argument: {
          ...{ market: 'btc_usdt', side: 'buy', type: 'postOnly', price: 50_000.25, amount: 0.01 },
          ...{ clientOrderId: 'twmade0001', accountType: 2, borrow: true, repay: false },
        },
      },
    ]);
  });

  it.each([
    ['unknown', {}, 'unknown'],
    ['rejected', { code: 2009 }, 'refused'],
    ['rejected', { code: 1012 }, 'exchange'],
    ['limited', { code: 4002 }, 'exchange'],
    ['unsent', {}, 'exchange'],
  ] as const)('ends %s %o as %s, and never sends it again', async (kind, options, reason) => {
    const venue = fakeVenue();
    const prepared = await prepareOrder(venue, wish());
    venue.fail('place', kind, options);
    await expect(placeOrder(venue, prepared)).rejects.toMatchObject({ reason });
    expect(venue.sent.filter(({ call }) => call === 'place')).toHaveLength(1);
  });

  it('tells of an unknown outcome how to look it up', async () => {
    const venue = fakeVenue();
    const prepared = await prepareOrder(venue, wish());
    venue.fail('place', 'unknown', { message: 'Cannot tell the outcome of GET' });
    await expect(placeOrder(venue, prepared)).rejects.toThrow(
      `venue.test: Cannot tell the outcome of GET\nThe order may or may not rest. Do not repeat it; wait some seconds, then look it up:\n  ${prepared.lookUp}`,
    );
  });
});
