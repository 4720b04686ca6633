import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MarginWorth, Side } from '../../../src/domain/index.ts';
import { CODES, ExchangeFailure } from '../../../src/exchange/index.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { type SimulatedExchangeOptions, SimulationError } from '../../../src/sim/index.ts';
import { makeMarket } from '../../domain/fixture.ts';
import { answerOf, exchangeFixture, MARKET, place } from '../fixture.ts';
import { crossWorthOf, marginFixture } from './fixture.ts';
import { type Fraction, fractionOf, mayOwe, NaiveLoan, type Quote, worthOf } from './naive-bank.ts';

const ETH_BTC = makeMarket({ id: 'eth_btc', base: 'eth', quote: 'btc', minSize: 0 });
const USDT_QC = makeMarket({ id: 'usdt_qc', base: 'usdt', quote: 'qc' });

/** Usual prices and amounts. */
const MARKETS = [
  { market: MARKET, price: 100, amount: 4 },
  { market: { ...ETH_BTC, priceScale: 4 }, price: 0.1, amount: 40 },
  { market: USDT_QC, price: 5, amount: 400 },
];
const LEVERAGE = 3;
/** Millionths a day. */
const INTEREST = 20_000;

interface Step {
  readonly what: 'place' | 'cancel' | 'level' | 'print' | 'wait';
  readonly at: (typeof MARKETS)[number];
  readonly side: Side;
  /** Price and amount, as parts of their ranges. */
  readonly priced: number;
  readonly sized: number;
  readonly accountType: 1 | 2;
  readonly ioc: boolean;
  readonly borrow: boolean;
  readonly repay: boolean;
}

const part = fc.integer({ min: 0, max: 100 }).map((hundredths) => hundredths / 100);
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('place', 'place', 'place', 'cancel', 'level', 'print', 'wait'),
  at: fc.constantFrom(...MARKETS),
  side: fc.constantFrom<Side>('buy', 'sell'),
  priced: part,
  sized: part,
  accountType: fc.constantFrom<1 | 2>(1, 2),
  ioc: fc.boolean(),
  borrow: fc.boolean(),
  repay: fc.boolean(),
});

/** How often each came about. */
const seen = { lent: 0, refused: 0, repaid: 0, unpriced: 0, owing: 0 };

/** Two margin wallets at the exchange, and what they owe written down beside it. */
class World {
  readonly #fixture = exchangeFixture({
    markets: MARKETS.map(({ market }) => market),
    fees: { maker: 0.001, taker: 0.002 },
    margin: { leverageMax: LEVERAGE, interestRatePerDay: INTEREST / 1_000_000 },
    accounts: [
      {
        name: 'alice',
        balances: {},
        marginBalances: { isolated: { usdt: '500', eth: '20' }, cross: { usdt: '300', qc: '900' } },
      },
      { name: 'bob', balances: {} },
    ],
  });
  readonly #loans = new Map<string, NaiveLoan>();
  readonly #orders: { market: string; exchangeOrderId: string }[] = [];

  take(one: Step): void {
    const { exchange, alice, clock } = this.#fixture;
    const { what, at, side, sized } = one;
    const book = exchange.anonymous(at.market.id);
    const amount = Number((0.01 + at.amount * sized).toFixed(2));
    if (what === 'place') this.#place(one, amount);
    else if (what === 'level') {
      const price = priceOf(one, { from: 0.97, to: 1.03 });
      book.setLevel({ side, price, amount: sized < 0.4 ? 0 : amount });
    } else if (what === 'print') {
      const price = priceOf(one, { from: 0.9, to: 1.1 });
      book.print({ takerSide: side, price, amount });
    } else if (what === 'cancel') {
      const order = this.#orders.pop();
      if (order !== undefined) accepted(() => answerOf(alice.trading.cancel(order)));
    } else {
      const durationMs = Math.round(sized * 100_000_000);
      clock.advanceBy(durationMs);
      for (const loan of this.#loans.values()) loan.wait(durationMs);
    }
    this.#writeDown();
  }

  /** Own orders rest beyond where they take: none ever meets another. */
  #place(one: Step, amount: number): void {
    const { at, side, accountType, borrow, repay, ioc } = one;
    const { id: market, base, quote } = at.market;
    const buys = side === 'buy';
    const resting = buys ? { from: 0.9, to: 0.95 } : { from: 1.05, to: 1.1 };
    const taking = buys ? { from: 0.98, to: 1.04 } : { from: 0.96, to: 1.02 };
    const price = priceOf(one, ioc ? taking : resting);
    const needed = buys ? Decimal.of(price).times(Decimal.of(amount)) : Decimal.of(amount);
    const currency = buys ? quote : base;
    const { assets } = this.#told(accountType);
    const missing = needed.minus(assets.find((asset) => asset.currency === currency)!.available);
    const quotes = this.#quotes();
    const wallet = { assets, quotes, times: BigInt(LEVERAGE - 1) };
    const lends = borrow && mayOwe({ currency, missing: String(missing) }, wallet);
    const type = ioc ? 'ioc' : 'limit';
    const terms = { market, side, type, price, amount, accountType, borrow, repay } as const;
    const exchangeOrderId = accepted(() => place(this.#fixture.alice, terms));
    if (exchangeOrderId === 'too small') return;
    expect(exchangeOrderId !== undefined).toBe(missing.sign <= 0 || lends);
    if (exchangeOrderId !== undefined) this.#orders.push({ market, exchangeOrderId });
    if (missing.sign <= 0 || !borrow) return;
    seen[lends ? 'lent' : 'refused']++;
    if (lends) this.#loan(accountType, currency).principal += unitsOf(missing);
  }

  /** Holds what is told of debts and worth against what was written down: interest goes first. */
  #writeDown(): void {
    const quotes = this.#quotes();
    for (const wallet of [1, 2] as const) {
      const { assets, worth } = this.#told(wallet);
      for (const { currency, loan, overdraft } of assets) {
        const known = this.#loan(wallet, currency);
        const left = { principal: unitsOf(loan), interest: unitsOf(overdraft) };
        const [paid, repaid] = [known.interest - left.interest, known.principal - left.principal];
        expect(paid >= 0n && repaid >= 0n).toBe(true);
        if (repaid > 0n) expect(left.interest).toBe(0n);
        if (paid + repaid > 0n) seen.repaid++;
        known.repaid(left);
      }
      const owes = assets.some(({ loan, overdraft }) => loan.plus(overdraft).sign > 0);
      if (owes) seen.owing++;
      for (const { available, transferable } of assets) {
        expect(transferable.equals(owes ? Decimal.ZERO : available)).toBe(true);
      }
      checkWorth(worth, worthOf(assets, quotes));
    }
  }

  #loan(wallet: 1 | 2, currency: string): NaiveLoan {
    const key = `${wallet} ${currency}`;
    const loan = this.#loans.get(key) ?? new NaiveLoan(BigInt(INTEREST));
    this.#loans.set(key, loan);
    return loan;
  }

  #told(wallet: 1 | 2) {
    const { margin } = this.#fixture.alice;
    const cross = answerOf(margin.crossAccount());
    if (wallet === 2) return { assets: cross.assets, worth: cross };
    const markets = answerOf(margin.isolatedAccount());
    const both = markets.flatMap(({ base, quote }) => [base, quote]);
    const assets = [...new Map(both.map((asset) => [asset.currency, asset])).values()];
    return { assets, worth: markets[0]! };
  }

  #quotes(): Quote[] {
    const data = this.#fixture.exchange.market;
    return MARKETS.map(({ market: { id: market, base, quote } }) => {
      const { bids, asks } = answerOf(data.depth({ market }));
      const newest = answerOf(data.trades({ market })).at(-1);
      const [last, bid, ask] = [newest?.price, bids[0]?.[0], asks[0]?.[0]].map(
        (price) => price && fractionOf(String(Decimal.of(price))),
      );
      if (!last && !bid && !ask) seen.unpriced++;
      return { base, quote, last: last || undefined, bid: bid || undefined, ask: ask || undefined };
    });
  }
}

function priceOf({ at, priced }: Step, { from, to }: { from: number; to: number }): number {
  return Number((at.price * (from + (to - from) * priced)).toFixed(at.market.priceScale));
}

function unitsOf(money: Decimal): bigint {
  return money.round(8, 'down').units;
}

/** Inverse prices are rounded to 24 places, and the risk rate to 8. */
function checkWorth(
  { total, net, loan, riskRate }: MarginWorth,
  naive: { total: Fraction; debt: Fraction },
): void {
  expect(isNear(total, naive.total)).toBe(true);
  expect(isNear(loan, naive.debt)).toBe(true);
  expect(net.plus(loan).equals(total)).toBe(true);
  expect(riskRate).toBe(loan.sign > 0 ? total.dividedBy(loan, 8, 'down').toNumber() : undefined);
}

function isNear(told: Decimal, { over, under }: Fraction): boolean {
  const scaled = (over * 10n ** 24n) / under;
  const difference = told.round(24, 'down').units - scaled;
  return (difference < 0n ? -difference : difference) < 10n ** 10n;
}

/** The answer, undefined where it is refused, `too small` where the market's least is not met. */
function accepted<T>(action: () => T): T | 'too small' | undefined {
  try {
    return action();
  } catch (refusal) {
    if (!(refusal instanceof ExchangeFailure)) throw refusal;
    return refusal.code === CODES.invalidAmount ? 'too small' : undefined;
  }
}

describe('Valuation', () => {
  test('values currencies over another market, and both ways round', () => {
    const markets = [MARKET, ETH_BTC, USDT_QC];
    const wallet = { eth: '4', qc: '10' };
    const accounts = [{ name: 'alice', balances: {}, marginBalances: { cross: wallet } }];
    const { alice, exchange } = marginFixture({ markets, accounts });
    exchange.anonymous('eth_btc').print({ takerSide: 'buy', price: 0.05, amount: 1 });
    const book = exchange.anonymous('usdt_qc');
    book.setLevel({ side: 'buy', price: 4, amount: 1 });
    book.setLevel({ side: 'sell', price: 5, amount: 1 });
    // 4 eth at 0.05 btc, a btc at its bid of 99, and 10 qc at 5 qc the usdt.
    expect(crossWorthOf(alice)).toMatchObject({ total: '21.8', net: '21.8' });
  });
});

describe('Valuation.unit', () => {
  const markets = [makeMarket({ id: 'eth_btc', base: 'eth', quote: 'btc' }), MARKET];
  const accounts = [{ name: 'alice', balances: {}, marginBalances: { cross: { btc: '3' } } }];

  /** What 3 btc are worth where a btc has the price of 100 usdt. */
  const worthIn = (overrides: Partial<SimulatedExchangeOptions>) => {
    const { exchange } = exchangeFixture({ markets, accounts, ...overrides });
    const sold = { takerSide: 'sell', price: 100, amount: 1 } as const;
    for (const { id } of overrides.markets ?? markets) exchange.anonymous(id).print(sold);
    return crossWorthOf(exchange.account('alice')!).total;
  };

  test('is usdt wherever it stands, else the quote currency of the first market', () => {
    expect(worthIn({})).toBe('300');
    const others = [markets[0]!, makeMarket({ id: 'btc_qc', quote: 'qc' })];
    expect(worthIn({ markets: others })).toBe('3');
  });

  test('is another where that is set, one that the exchange has', () => {
    expect(worthIn({ margin: { unitOfAccount: 'btc' } })).toBe('3');
    expect(() => worthIn({ margin: { unitOfAccount: 'eur' } })).toThrow(SimulationError);
  });
});

describe('MarginBank: lending, interest and worth', () => {
  test('agree with fractions and sums over the milliseconds, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), (steps) => {
        const world = new World();
        for (const one of steps) world.take(one);
      }),
      { seed: 20_220_122, numRuns: 25 },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(25);
  });
});
