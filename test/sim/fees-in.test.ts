import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OrderRecord, Side } from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import type { SimulatedExchangeOptions } from '../../src/sim/index.ts';
import { answerOf, collect, exchangeFixture, FINE, MARKET, place, walletOf } from './fixture.ts';
import { type OrderStep, takeStep } from './take-step.ts';

const market = MARKET.id;
const NAMES = ['alice', 'bob'] as const;
const OPENING = { usdt: '1000000', btc: '1000', shib: '100000000000' };

type FeesIn = NonNullable<NonNullable<SimulatedExchangeOptions['fees']>['in']>;

function exchangeWithFeesIn(feesIn: FeesIn, rates = { maker: 0.001, taker: 0.002 }) {
  return exchangeFixture({
    markets: [MARKET, FINE],
    fees: { ...rates, in: feesIn },
    accounts: NAMES.map((name) => ({
      name,
      balances: OPENING,
      marginBalances: { cross: { usdt: '1000', btc: '1' } },
    })),
  });
}

function feeOf({ alice }: ReturnType<typeof exchangeFixture>, exchangeOrderId: string): string {
  return String(answerOf(alice.trading.order({ market, exchangeOrderId })).fee);
}

describe('SimulatedExchange: fees in quote', () => {
  test('freezes the fee of a buy at the higher rate and gives back what a maker does not pay', () => {
    const world = exchangeWithFeesIn('quote');
    const id = place(world.alice, { price: 100, amount: 1 });
    expect(walletOf(world.exchange, 'alice').usdt).toEqual(['999899.8', '100.2']);
    place(world.bob, { side: 'sell', price: 100, amount: 1 });
    const { usdt, btc } = walletOf(world.exchange, 'alice');
    expect([usdt, btc, feeOf(world, id)]).toEqual([['999899.9', '0'], ['1001', '0'], '0.1']);
  });

  test('takes no more of a buy that fills in parts than was frozen for all of it', () => {
    const world = exchangeWithFeesIn('quote', { maker: 0.001234, taker: 0.001234 });
    const id = place(world.alice, { price: 100.01, amount: 0.0303 });
    expect(walletOf(world.exchange, 'alice').usdt).toEqual(['999996.9659576', '3.0340424']);
    const third = { takerSide: 'sell', price: 100.01, amount: 0.0101 } as const;
    for (let i = 0; i < 3; i++) world.liquidity.print(third);
    expect(walletOf(world.exchange, 'alice').usdt).toEqual(['999996.9659576', '0']);
    // Each part's own share is 0.0012465, rounded up.
    expect(feeOf(world, id)).toBe('0.0037394');
  });

  test('takes the fee of a sell out of the value', () => {
    const world = exchangeWithFeesIn('quote');
    place(world.bob, { price: 100, amount: 1 });
    const id = place(world.alice, { side: 'sell', price: 100, amount: 1 });
    const { usdt, btc } = walletOf(world.exchange, 'alice');
    expect([usdt, btc, feeOf(world, id)]).toEqual([['1000099.8', '0'], ['999', '0'], '0.2']);
  });

  test('gives back the fee of what a cancelled buy did not buy', () => {
    const { alice, bob, exchange } = exchangeWithFeesIn('quote');
    const exchangeOrderId = place(alice, { price: 100, amount: 3 });
    place(bob, { side: 'sell', price: 100, amount: 1 });
    expect(walletOf(exchange, 'alice').usdt).toEqual(['999699.5', '200.4']);
    answerOf(alice.trading.cancel({ market, exchangeOrderId }));
    expect(walletOf(exchange, 'alice').usdt).toEqual(['999899.9', '0']);
  });

  test('refuses a buy that cannot pay its fee', () => {
    const balances = { usdt: '100.19', btc: '1' };
    const { alice } = exchangeFixture({
      fees: { maker: 0.002, taker: 0.002, in: 'quote' },
      accounts: [{ name: 'alice', balances }],
    });
    expect(() => place(alice, { price: 100, amount: 1 })).toThrow(/balance is not enough/);
    expect(place(alice, { price: 99.98, amount: 1 })).toMatch(/^\d{18}$/);
  });

  test('bills the fee in the currency that it was taken in', () => {
    const { alice, bob } = exchangeWithFeesIn('quote');
    place(alice, { price: 100, amount: 1 });
    place(bob, { side: 'sell', price: 100, amount: 1 });
    const [bill] = answerOf(alice.funds.bills({}));
    expect(bill).toMatchObject({ type: 'trading fee', currency: 'usdt' });
    expect(String(bill!.change)).toBe('-0.1');
    expect(String(bill!.balance)).toBe('999899.9');
  });
});

describe('SimulatedExchange: fees in base', () => {
  test('freezes the fee of a sell beside its amount, and takes that of a buy out of it', () => {
    const world = exchangeWithFeesIn('base');
    const id = place(world.alice, { side: 'sell', price: 100, amount: 1 });
    expect(walletOf(world.exchange, 'alice').btc).toEqual(['998.998', '1.002']);
    place(world.bob, { price: 100, amount: 1 });
    const { usdt, btc } = walletOf(world.exchange, 'alice');
    expect([usdt, btc, feeOf(world, id)]).toEqual([['1000100', '0'], ['998.999', '0'], '0.001']);
    expect(walletOf(world.exchange, 'bob')).toMatchObject({
      usdt: ['999900', '0'],
      btc: ['1000.998', '0'],
    });
  });
});

interface Step extends Omit<OrderStep, 'market'> {
  readonly fine: boolean;
  readonly cross: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  who: fc.constantFrom('alice', 'bob', 'alice', 'bob', 'print', 'level', 'cancel'),
  fine: fc.boolean(),
  cross: fc.integer({ min: 0, max: 4 }).map((draw) => draw === 0),
  side: fc.constantFrom('buy', 'sell'),
  type: fc.constantFrom('limit', 'limit', 'ioc', 'postOnly'),
  price: fc.integer({ min: 9_990, max: 10_010 }),
  amount: fc.integer({ min: 100, max: 99_999 }),
});

function act(world: ReturnType<typeof exchangeFixture>, one: Step): void {
  const { fine, cross, price: ticks, amount: units, ...rest } = one;
  const market = fine ? FINE.id : MARKET.id;
  const price = ticks / (fine ? 1e10 : 100);
  const amount = units / (fine ? 100 : 10_000);
  const loans = cross ? { accountType: 2 as const, borrow: true, repay: true } : {};
  takeStep(world, { ...rest, ...loans, market, price, amount });
}

const setting = fc.record({
  feesIn: fc.constantFrom<FeesIn>('received', 'quote', 'base'),
  maker: fc.integer({ min: 0, max: 30_000 }).map((millionths) => millionths / 1e6),
  taker: fc.integer({ min: 0, max: 30_000 }).map((millionths) => millionths / 1e6),
});
type Setting = typeof setting extends fc.Arbitrary<infer T> ? T : never;

const isOnTop = (side: Side, feesIn: FeesIn) => feesIn === (side === 'buy' ? 'quote' : 'base');

describe('SimulatedExchange: fees in any currency', () => {
  test('lose no unit, and freeze what open orders and their fees need, no unit more', () => {
    const seen = { fees: 0, frozen: 0 };
    fc.assert(
      fc.property(setting, fc.array(step, { minLength: 10, maxLength: 60 }), (rates, steps) => {
        const world = exchangeWithFeesIn(rates.feesIn, rates);
        const { exchange } = world;
        const currencies = Object.keys(OPENING);
        const opening = currencies.map((name) => String(exchange.totalOf(name)));
        for (const one of steps) {
          act(world, one);
          expect(currencies.map((name) => String(exchange.totalOf(name)))).toEqual(opening);
          for (const name of NAMES) seen.frozen += checkFrozen(exchange.inspect(name), rates);
        }
        for (const [name, foreign] of [
          ['quote', 'btc'],
          ['base', 'usdt'],
        ] as const) {
          if (rates.feesIn === name) expect(String(exchange.feesOf(foreign))).toBe('0');
        }
        if (exchange.feesOf(rates.feesIn === 'base' ? 'btc' : 'usdt').sign > 0) seen.fees++;
      }),
      { seed: 20_220_122, numRuns: 120 },
    );
    expect(seen.fees).toBeGreaterThan(60);
    expect(seen.frozen).toBeGreaterThan(1_000);
  });

  test('move what the records of the orders say, fee and all', () => {
    let traded = 0;
    fc.assert(
      fc.property(setting, fc.array(step, { minLength: 10, maxLength: 60 }), (rates, steps) => {
        const world = exchangeWithFeesIn(rates.feesIn, rates);
        const pushes = NAMES.map((name) => collect(world[name].accountFeed.orders(market)));
        for (const one of steps) act(world, { ...one, fine: false, cross: false });
        for (const [at, name] of NAMES.entries()) {
          const newest = new Map(pushes[at]!.map(({ order }) => [order.exchangeOrderId, order]));
          const filled = [...newest.values()].filter(({ filledAmount }) => filledAmount > 0);
          traded += filled.length;
          const held = heldAfter(filled, rates);
          for (const { currency, available, frozen } of world.exchange.inspect(name).balances) {
            if (currency === 'shib') continue;
            expect(String(available.plus(frozen))).toBe(String(held[currency as 'usdt' | 'btc']));
          }
          for (const order of filled) expectFairFee(order, rates);
        }
      }),
      { seed: 7, numRuns: 120 },
    );
    expect(traded).toBeGreaterThan(500);
  });
});

/** Checks the frozen money of a spot wallet. Returns how many orders have some there. */
function checkFrozen(
  { balances, openOrders }: ReturnType<ReturnType<typeof exchangeFixture>['exchange']['inspect']>,
  { feesIn, maker, taker }: Setting,
): number {
  const rate = Decimal.of(Math.max(maker, taker));
  const needed = new Map(balances.map(({ currency }) => [currency, Decimal.ZERO]));
  const orders = [...openOrders.values()].flat().filter(({ accountType }) => accountType === 0);
  for (const { market: id, side, price, amount, filledAmount } of orders) {
    const [base, quote] = id.split('_') as [string, string];
    const currency = side === 'buy' ? quote : base;
    const scale = balances.find((balance) => balance.currency === currency)!.frozen.scale;
    const left = Decimal.of(amount).minus(Decimal.of(filledAmount));
    const cost = side === 'buy' ? left.times(Decimal.of(price)).round(scale, 'up') : left;
    const fee = isOnTop(side, feesIn) ? cost.times(rate).round(scale, 'up') : Decimal.ZERO;
    needed.set(currency, needed.get(currency)!.plus(cost).plus(fee));
  }
  for (const { currency, available, frozen } of balances) {
    expect(available.sign).toBeGreaterThanOrEqual(0);
    expect([currency, String(frozen)]).toEqual([currency, String(needed.get(currency))]);
  }
  return orders.length;
}

/** What a wallet must hold after those orders. */
function heldAfter(orders: readonly OrderRecord[], { feesIn }: Setting) {
  let usdt = Decimal.of(OPENING.usdt);
  let btc = Decimal.of(OPENING.btc);
  for (const { side, filledAmount, filledValue, fee } of orders) {
    const amount = Decimal.of(filledAmount);
    usdt = side === 'buy' ? usdt.minus(filledValue!) : usdt.plus(filledValue!);
    btc = side === 'buy' ? btc.plus(amount) : btc.minus(amount);
    const inQuote = feesIn === 'quote' || (feesIn === 'received' && side === 'sell');
    if (inQuote) usdt = usdt.minus(fee!);
    else btc = btc.minus(fee!);
  }
  return { usdt, btc };
}

/** A fee lies between those of the two rates, but for the rounding of its fills. */
function expectFairFee(order: OrderRecord, { feesIn, maker, taker }: Setting): void {
  const { side, filledAmount, filledValue, fee } = order;
  const inQuote = feesIn === 'quote' || (feesIn === 'received' && side === 'sell');
  const charged = inQuote ? filledValue! : Decimal.of(filledAmount);
  const rounding = Decimal.of('0.0000006');
  const least = charged.times(Decimal.of(Math.min(maker, taker))).minus(rounding);
  const most = charged.times(Decimal.of(Math.max(maker, taker))).plus(rounding);
  expect(fee!.compare(least)).toBeGreaterThanOrEqual(0);
  expect(fee!.compare(most)).toBeLessThanOrEqual(0);
}
