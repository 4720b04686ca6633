import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type OrderCharges, type OrderType, SIDES } from '../../src/domain/index.ts';
import { CODES } from '../../src/exchange/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import {
  answerOf,
  exchangeFixture,
  FINE,
  failureOf,
  MARKET,
  place,
  requestFixture,
  walletOf,
} from './fixture.ts';
import { NaiveCharges, type NaiveRates, unitsOf } from './naive-charges.ts';
import { takeStep } from './take-step.ts';

const { id: market } = MARKET;

interface Charges {
  readonly perOrder?: number;
  readonly perUnit?: number;
  readonly least?: number;
  readonly most?: number;
  readonly buyTax?: number;
  readonly sellTax?: number;
  readonly scale?: number;
}

function chargesOf({
  perOrder = 0,
  perUnit = 0,
  least = 0,
  scale,
  ...rates
}: Charges): OrderCharges {
  const fractions = Object.entries(rates).map(([name, rate]) => [name, Decimal.of(rate)]);
  return {
    ...{ perOrder: Decimal.of(perOrder), perUnit: Decimal.of(perUnit), least: Decimal.of(least) },
    ...Object.fromEntries(fractions),
    scale,
  };
}

/** Alice, whose orders are charged, and Bob, who is rich. */
function charging(
  charges: Charges,
  { rate = 0, usdt = '100000', btc = '1000' }: { rate?: number; usdt?: string; btc?: string } = {},
) {
  const world = exchangeFixture({
    fees: { maker: rate, taker: rate, in: 'quote', charges: chargesOf(charges) },
    accounts: [
      { name: 'alice', balances: { usdt, btc } },
      { name: 'bob', balances: { usdt: '1000000', btc: '1000' } },
    ],
  });
  const { exchange, alice } = world;
  return {
    ...world,
    /** Alice's money, free and frozen. */
    money: () => walletOf(exchange, 'alice').usdt,
    feeOf: (exchangeOrderId: string) =>
      String(answerOf(alice.trading.order({ market, exchangeOrderId })).fee),
    print: (side: 'buy' | 'sell', amount: number, price = 100) =>
      exchange.anonymous(market).print({ takerSide: side, price, amount }),
  };
}

describe('SimulatedExchange: an order with a least fee', () => {
  // PerShare(cost=0.0075, min_trade_cost=1.0).calculate of zipline-reloaded 3.2.1, fill by fill.
  test.each(SIDES)('charges its fills as zipline does: a %s', (side) => {
    const { alice, feeOf, print } = charging({ perUnit: 0.0075, least: 1 });
    const id = place(alice, { side, price: 100, amount: 247 });
    const fees = [30, 50, 40, 20, 100, 7].map((amount) => {
      const before = Number(feeOf(id));
      print(side === 'buy' ? 'sell' : 'buy', amount);
      return Number((Number(feeOf(id)) - before).toFixed(8));
    });
    expect(fees).toEqual([1, 0, 0, 0.05, 0.75, 0.0525]);
  });

  test('freezes what the whole of a buy may be charged, and gives back what it was not', () => {
    const { alice, money, print } = charging({ perUnit: 0.5, least: 1 }, { usdt: '1000' });
    const id = place(alice, { price: 100, amount: 4 });
    expect(money()).toEqual(['598', '402']);
    print('sell', 1);
    expect(money()).toEqual(['598', '301']);
    answerOf(alice.trading.cancel({ market, exchangeOrderId: id }));
    expect(money()).toEqual(['899', '0']);
  });
});

describe('SimulatedExchange: an order with a fee of its own', () => {
  test('is charged once, with its first fill, beside its share', () => {
    const { alice, feeOf, print } = charging({ perOrder: 2.5 }, { rate: 0.001 });
    const id = place(alice, { price: 100, amount: 3 });
    expect(feeOf(id)).toBe('0');
    const fees = [1, 2].map((amount) => {
      print('sell', amount);
      return feeOf(id);
    });
    expect(fees).toEqual(['2.6', '2.8']);
  });

  test('spends all the money to the last unit, and not a unit more', () => {
    const charges = { perOrder: 2.5, perUnit: 0.01 };
    const exact = charging(charges, { rate: 0.001, usdt: '302.83' });
    place(exact.alice, { price: 100, amount: 3 });
    expect(exact.money()).toEqual(['0', '302.83']);
    exact.print('sell', 3);
    expect(exact.money()).toEqual(['0', '0']);
    const short = charging(charges, { rate: 0.001, usdt: '302.82999999' });
    const failure = failureOf(short.alice.trading.place(requestFixture({ amount: 3 })));
    expect(failure).toMatchObject({ kind: 'rejected', code: CODES.balance });
  });

  test('is charged no more than its part of the value, whatever is least', () => {
    const { alice, feeOf, print } = charging({ perUnit: 0.005, least: 1, most: 0.005 });
    const id = place(alice, { price: 100, amount: 10 });
    const fees = [1, 1, 8].map((amount) => {
      print('sell', amount);
      return feeOf(id);
    });
    expect(fees).toEqual(['0.5', '1', '1']);
  });
});

describe('SimulatedExchange: an order that is taxed', () => {
  test.each([
    ['buy', ['1', '1', '1.2']],
    ['sell', ['1.5', '2', '6.2']],
  ] as const)('pays that on top of the least and the most: a %s', (side, wanted) => {
    const { alice, feeOf, print } = charging({
      perUnit: 0.12,
      least: 1,
      most: 0.01,
      sellTax: 0.005,
    });
    const id = place(alice, { side, price: 100, amount: 10 });
    const fees = [1, 1, 8].map((amount) => {
      print(side === 'buy' ? 'sell' : 'buy', amount);
      return feeOf(id);
    });
    expect(fees).toEqual(wanted);
  });

  test('pays whole cents of both, to the nearest', () => {
    const { alice, feeOf, print } = charging({ scale: 2, buyTax: 0.00035 }, { rate: 0.00014 });
    const id = place(alice, { price: 100, amount: 1 });
    const fees = [0.2, 0.2, 0.6].map((amount) => {
      print('sell', amount);
      return feeOf(id);
    });
    // Shares of 0.0028, 0.0056 and 0.014, taxes of 0.007, 0.014 and 0.035.
    expect(fees).toEqual(['0.01', '0.02', '0.05']);
  });

  test('freezes the tax of a buy', () => {
    const { alice, money, print } = charging({ buyTax: 0.005 }, { usdt: '201' });
    place(alice, { price: 100, amount: 2 });
    expect(money()).toEqual(['0', '201']);
    print('sell', 1);
    expect(money()).toEqual(['0', '100.5']);
  });
});

describe('SimulatedExchange: a sell that is charged', () => {
  test('pays out of what it brings in, and the rest with its next fills', () => {
    const { alice, money, feeOf, print } = charging({ perOrder: 5 }, { usdt: '0' });
    const id = place(alice, { side: 'sell', price: 100, amount: 1 });
    const seen = [0.02, 0.02, 0.02].map((amount) => {
      print('buy', amount);
      return [feeOf(id), money()![0]];
    });
    expect(seen).toEqual([
      ['2', '0'],
      ['4', '0'],
      ['5', '1'],
    ]);
  });

  test('pays out of what is free where that brings too little in', () => {
    const { alice, money, feeOf, print } = charging({ perOrder: 5 }, { usdt: '3' });
    const id = place(alice, { side: 'sell', price: 100, amount: 1 });
    print('buy', 0.03);
    expect([feeOf(id), money()]).toEqual(['5', ['1', '0']]);
  });

  test('is refused where all of it is worth less than its fee', () => {
    const { alice, exchange } = charging({ perOrder: 5 });
    const place = (amount: number) =>
      alice.trading.place(requestFixture({ side: 'sell', price: 100, amount }));
    const failure = failureOf(place(0.0499));
    expect(failure).toMatchObject({ kind: 'rejected', code: CODES.invalidAmount });
    expect(failure.message).toContain('worth less than its fee');
    expect(walletOf(exchange, 'alice').btc).toEqual(['1000', '0']);
    expect(answerOf(place(0.05)).exchangeOrderId).toMatch(/^\d{18}$/);
  });
});

test('SimulatedExchange charges no order in a currency that its fees are not taken in', () => {
  const charges = chargesOf({ perOrder: 1 });
  const open = (fees: { in?: 'received' | 'base' }) => () =>
    exchangeFixture({ fees: { maker: 0, taker: 0, ...fees, charges } });
  expect(open({})).toThrow(
    'Cannot charge orders in the quote currency: fees are taken in received, quote is wanted',
  );
  expect(open({ in: 'base' })).toThrow(/taken in base, quote is wanted$/);
});

const NAMES = ['alice', 'bob'] as const;

const step = fc.record({
  who: fc.constantFrom('alice', 'bob', 'alice', 'bob', 'print', 'level', 'cancel'),
  fine: fc.boolean(),
  side: fc.constantFrom(...SIDES),
  type: fc.constantFrom<OrderType[]>('limit', 'limit', 'ioc', 'postOnly'),
  price: fc.integer({ min: 9_990, max: 10_010 }),
  amount: fc.oneof(fc.integer({ min: 10, max: 2_000 }), fc.integer({ min: 100, max: 99_999 })),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const millionths = (max: number) => fc.integer({ min: 0, max }).map(BigInt);
const charged: fc.Arbitrary<NaiveRates> = fc.record({
  ...{ maker: millionths(20_000), taker: millionths(20_000) },
  perOrder: fc.constantFrom(0n, 1n, 250_000_000n, 33_333_333n),
  perUnit: fc.constantFrom(0n, 1n, 500_000n, 12_345_678n),
  least: fc.constantFrom(0n, 100_000_000n, 500_000_001n),
  most: fc.constantFrom(undefined, undefined, 1n, 10_000n, 33_333n),
  buyTax: fc.constantFrom(0n, 0n, 1n, 5_000n),
  sellTax: fc.constantFrom(0n, 0n, 500n, 10_000n),
  scale: fc.constantFrom(undefined, undefined, 0, 2, 8),
});

function worldOf(rates: NaiveRates, usdt: string) {
  const exact = (units: bigint, scale: number) => new Decimal(units, scale).toNumber();
  const fees = { maker: exact(rates.maker, 6), taker: exact(rates.taker, 6) };
  const { perOrder, perUnit, least, most, buyTax, sellTax, scale } = rates;
  const charges = chargesOf({
    ...{ perOrder: exact(perOrder, 8), perUnit: exact(perUnit, 8), least: exact(least, 8) },
    ...(most !== undefined && { most: exact(most, 6) }),
    ...(buyTax > 0n && { buyTax: exact(buyTax, 6) }),
    ...(sellTax > 0n && { sellTax: exact(sellTax, 6) }),
    ...(scale !== undefined && { scale }),
  });
  return exchangeFixture({
    markets: [MARKET, FINE],
    fees: { ...fees, in: 'quote', charges },
    accounts: NAMES.map((name) => ({
      name,
      balances: { usdt, btc: '1000', shib: '100000000000' },
    })),
  });
}

/** Does a step: whether a sell was refused for its fee. */
function act(world: ReturnType<typeof worldOf>, one: Step): boolean {
  const { fine, price: ticks, amount: units, ...rest } = one;
  const market = fine ? FINE.id : MARKET.id;
  const price = ticks / (fine ? 1e10 : 100);
  const amount = units / (fine ? 0.01 : 10_000);
  const refusal = takeStep(world, { ...rest, market, price, amount });
  return refusal?.message.includes('worth less than its fee') ?? false;
}

test('SimulatedExchange charges, freezes and moves what a naive reckoning of all fills does', () => {
  const seen = { fees: 0, frozen: 0, refused: 0 };
  const usdts = fc.constantFrom('1000000', '700', '3');
  const steps = fc.array(step, { minLength: 10, maxLength: 60 });
  fc.assert(
    fc.property(charged, usdts, steps, (rates, usdt, all) => {
      const world = worldOf(rates, usdt);
      const { exchange } = world;
      const naive = NAMES.map((name) => {
        const one = new NaiveCharges(rates, usdt);
        for (const id of [MARKET.id, FINE.id]) {
          world[name].accountFeed.orders(id).subscribe((push) => {
            const fee = one.push(push);
            expect(unitsOf(push.order.fee!)).toBe(fee);
            if (fee > 0n) seen.fees++;
          });
        }
        return one;
      });
      for (const taken of all) {
        const isRefused = act(world, taken);
        if (isRefused) seen.refused++;
        if ((taken.who === 'alice' || taken.who === 'bob') && taken.side === 'sell') {
          const { price, amount, fine } = taken;
          const value = BigInt(price) * BigInt(amount) * (fine ? 1n : 100n);
          const base = BigInt(amount) * (fine ? 100n * 100_000_000n : 10_000n);
          if (isRefused) expect(naive[0]!.feeOf({ amount: base, value })).toBeGreaterThan(value);
        }
        for (const [at, name] of NAMES.entries()) {
          const one = naive[at]!;
          one.rest();
          const { balances } = exchange.inspect(name);
          const { available, frozen } = balances.find(({ currency }) => currency === 'usdt')!;
          expect(unitsOf(frozen)).toBe(one.frozen);
          expect(unitsOf(available)).toBe(one.money - one.frozen);
          expect(available.sign).toBeGreaterThanOrEqual(0);
          if (frozen.sign > 0) seen.frozen++;
        }
        expect(String(exchange.totalOf('usdt'))).toBe(String(2 * Number(usdt)));
      }
    }),
    { seed: 20_220_122, numRuns: 300 },
  );
  expect(seen.fees).toBeGreaterThan(1_000);
  expect(seen.frozen).toBeGreaterThan(1_000);
  expect(seen.refused).toBeGreaterThan(50);
});
