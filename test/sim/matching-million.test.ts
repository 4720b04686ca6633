import { describe, expect, test } from 'vitest';
import { type Amount, ORDER_TYPES, type Price, SIDES, type Side } from '../../src/domain/index.ts';
import { ACCOUNT_TYPES, ExchangeFailure } from '../../src/exchange/index.ts';
import { seededRandom, VirtualClock } from '../../src/kernel/index.ts';
import type { AccountOrder } from '../../src/sim/account-order.ts';
import { Accounts, FEE_ROW, LENDER_ROW } from '../../src/sim/accounts.ts';
import { Currencies } from '../../src/sim/currencies.ts';
import { FeeRate } from '../../src/sim/fee-rate.ts';
import { MarginBank } from '../../src/sim/margin/index.ts';
import { marketUnits } from '../../src/sim/market-units.ts';
import { MatchingEngine, type Placement } from '../../src/sim/matching-engine.ts';
import { OrderIds } from '../../src/sim/order-ids.ts';
import { marketFixture, START_MS } from './fixture.ts';
import { SortedBook, type SortedOrder } from './sorted-book.ts';

const OPERATIONS = 1_000_000;
/** The whole of the books is compared that often. */
const AUDIT_EVERY = 20_000;
const ACCOUNTS = 3;
/** So small that the accounts do not run dry in a million operations. */
const FEES = { maker: new FeeRate(0.000_001), taker: new FeeRate(0.000_003) };
/** Open orders beyond which half of the placements become cancels: the oracle is no fast book. */
const OPEN_MAX = 60;
const HOSTILE = [Number.NaN, -1, 0, 1e300, 0.123_456_789, Number.POSITIVE_INFINITY];
const MARKET = marketFixture();
const UNITS_PER_PRICE = 100;
const UNITS_PER_AMOUNT = 10_000;

/** An engine with lender and ledgers beside the oracle; `step` does the same on both. */
class World {
  readonly clock = new VirtualClock(START_MS);
  readonly currencies = new Currencies([MARKET]);
  readonly accounts = new Accounts(this.currencies, ACCOUNTS);
  readonly units = marketUnits(MARKET, this.currencies);
  readonly oracle = new SortedBook();
  readonly random = seededRandom('a million operations');
  readonly bank = new MarginBank({
    clock: this.clock,
    accounts: this.accounts,
    markets: () => [this.engine],
  });
  readonly engine: MatchingEngine;
  readonly totals: readonly number[];
  /** Every order accepted: the account behind each id. */
  readonly owners: number[] = [];
  refused = 0;
  trades = 0;

  constructor() {
    this.engine = new MatchingEngine({
      clock: this.clock,
      units: this.units,
      accounts: this.accounts,
      fees: FEES,
      ids: new OrderIds(this.clock),
      nextOrdinal: () => this.owners.length,
      orderChanged: () => {},
      lender: this.bank,
    });
    for (const row of this.rows()) {
      this.accounts.deposit(row, { currency: this.units.quote, units: 100_000_000_000 });
      this.accounts.deposit(row, { currency: this.units.base, units: 1_000_000_000 });
    }
    this.totals = this.#totals();
  }

  /** The rows of all wallets. */
  rows(): number[] {
    const accounts = Array.from({ length: ACCOUNTS }, (_, account) => account);
    return accounts.flatMap((account) =>
      ACCOUNT_TYPES.map((accountType) => this.accounts.rowOf(account, accountType)),
    );
  }

  step(): void {
    const { random, engine, oracle } = this;
    const lastId = engine.tape.lastId;
    const draw = random.next();
    if (draw < 0.01) this.clock.advanceBy(random.integer(600_000));
    const full = oracle.bids.length + oracle.asks.length > OPEN_MAX;
    if (draw < (full ? 0.7 : 0.4)) this.#cancel();
    else if (draw < 0.995) this.#place();
    else this.#print();
    const news = engine.tape.after(lastId, Number.POSITIVE_INFINITY);
    this.trades += news.length;
    same(news.length, oracle.prices.length, 'trades');
    for (const [at, { price, amount }] of news.entries()) {
      same(price, oracle.prices[at], 'the price of a trade');
      same(amount, oracle.amounts[at], 'the amount of a trade');
    }
  }

  #place(): void {
    const { random, oracle } = this;
    const side = this.#pick(SIDES);
    const type = this.#pick(ORDER_TYPES);
    const price = 9_900 + random.integer(200);
    const amount = 1 + random.integer(20_000);
    const account = random.integer(ACCOUNTS);
    oracle.prices = [];
    oracle.amounts = [];
    const hostile = random.next() < 0.02;
    const refused = !this.#accepts(account, {
      side,
      type,
      price: (hostile ? this.#pick(HOSTILE) : price / UNITS_PER_PRICE) as Price,
      amount: (amount / UNITS_PER_AMOUNT) as Amount,
      accountType: this.#pick(ACCOUNT_TYPES),
      borrow: random.next() < 0.5,
      repay: random.next() < 0.5,
    });
    if (hostile) same(refused, true, 'the refusal of a hostile order');
    if (refused) return;
    if (type === 'postOnly') same(oracle.wouldTake(side, price), false, 'a PostOnly taken');
    const order: SortedOrder = { id: this.owners.length, side, price, remaining: amount };
    this.owners.push(account);
    oracle.add(order, { rests: type !== 'ioc' });
    const taken = this.#find(order.id)!;
    same(taken.remaining, order.remaining, 'what remains');
    same(taken.closed, type === 'ioc' || order.remaining === 0, 'whether it is closed');
  }

  #accepts(account: number, placement: Placement): boolean {
    try {
      this.engine.place(account, placement);
      return true;
    } catch (refusal) {
      if (!(refusal instanceof ExchangeFailure)) throw refusal;
      this.refused++;
      return false;
    }
  }

  #cancel(): void {
    const { random, oracle } = this;
    oracle.prices = [];
    oracle.amounts = [];
    const open = random.next() < 0.9 ? [...oracle.bids, ...oracle.asks] : [];
    const any = this.owners.length === 0 ? 0 : random.integer(this.owners.length);
    const id = open.length > 0 ? this.#pick(open).id : any;
    const order = this.#find(id);
    const cancelled = order !== undefined && this.engine.cancel(order.slot);
    same(cancelled, oracle.cancel(id), 'whether a cancel found its order');
  }

  #print(): void {
    const takerSide = this.#pick(SIDES);
    const price = 9_900 + this.random.integer(200);
    const amount = 1 + this.random.integer(20_000);
    this.engine.print({ takerSide, price, amount });
    const taker = { id: -1, side: takerSide, price, remaining: amount };
    this.oracle.add(taker, { rests: false });
    this.oracle.prices = [price];
    this.oracle.amounts = [amount];
  }

  #pick<T>(values: readonly T[]): T {
    return values[this.random.integer(values.length)]!;
  }

  #find(id: number): AccountOrder | undefined {
    const account = this.owners[id];
    return account === undefined ? undefined : this.engine.orders.byOrdinal(account, id);
  }

  /** Compares everything there is. */
  audit(): void {
    expect(this.#totals()).toEqual(this.totals);
    expect(this.#levels('buy')).toEqual(levelsOf(this.oracle.bids));
    expect(this.#levels('sell')).toEqual(levelsOf(this.oracle.asks));
    this.#auditFrozen();
    this.#auditFeesAndLoans();
  }

  #auditFrozen(): void {
    const frozen = new Map(this.rows().map((row) => [row, [0, 0]]));
    for (let account = 0; account < ACCOUNTS; account++) {
      for (const order of this.engine.orders.open(account)) {
        const sums = frozen.get(order.owner)!;
        const { price, remaining, side } = order;
        if (side === 'sell') sums[this.units.base]! += remaining * this.units.baseFactor;
        else sums[this.units.quote]! += price * remaining * this.units.quoteFactor;
      }
    }
    for (const row of this.rows()) {
      const now = [0, 1].map((currency) => this.accounts.frozen(row, currency));
      expect(now).toEqual(frozen.get(row));
      for (const currency of [0, 1]) {
        expect(this.accounts.available(row, currency)).toBeGreaterThanOrEqual(0);
      }
    }
  }

  #auditFeesAndLoans(): void {
    for (const currency of [0, 1]) {
      let fees = 0;
      for (let account = 0; account < ACCOUNTS; account++) {
        fees += this.accounts.feesPaidBy(account, currency);
      }
      expect(this.accounts.available(FEE_ROW, currency)).toBe(fees);
      const principal = this.rows()
        .map((row) => this.bank.debtOf(row, currency).principal)
        .reduce((sum, units) => sum + units, 0);
      const interest = this.bank.interestPaid(currency);
      expect(this.accounts.available(LENDER_ROW, currency)).toBe(interest - principal);
    }
  }

  #totals(): number[] {
    return [0, 1].map((currency) => this.accounts.total(currency));
  }

  #levels(side: Side): number[][] {
    const ladder = this.engine.book.side(side);
    return Array.from({ length: ladder.size }, (_, depth) => {
      const { price, amount } = ladder.fromBest(depth)!;
      return [price, amount];
    });
  }
}

function levelsOf(orders: readonly SortedOrder[]): number[][] {
  const levels = new Map<number, number>();
  for (const { price, remaining } of orders) {
    levels.set(price, (levels.get(price) ?? 0) + remaining);
  }
  return Array.from(levels);
}

/** A cheap expectation for what is looked at a million times. */
function same(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) expect.fail(`${what}: ${actual}, the oracle says ${expected}`);
}

describe('MatchingEngine', () => {
  test(`agrees with an oracle and conserves all money over ${OPERATIONS} operations`, () => {
    const world = new World();
    for (let operation = 1; operation <= OPERATIONS; operation++) {
      world.step();
      if (operation % AUDIT_EVERY === 0) world.audit();
    }
    expect(world.trades).toBeGreaterThan(OPERATIONS / 10);
    expect(world.refused).toBeGreaterThan(OPERATIONS / 1_000);
    expect(world.bank.interestPaid(world.units.quote)).toBeGreaterThan(0);
  }, 60_000);
});
