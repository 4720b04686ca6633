import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Amount, ORDER_TYPES, type Price, SIDES, type Side } from '../../src/domain/index.ts';
import { ACCOUNT_TYPES, CODES, ExchangeFailure } from '../../src/exchange/index.ts';
import { seededRandom, VirtualClock } from '../../src/kernel/index.ts';
import type { AccountOrder } from '../../src/sim/account-order.ts';
import { Accounts } from '../../src/sim/accounts.ts';
import { Currencies } from '../../src/sim/currencies.ts';
import { FeeRate } from '../../src/sim/fee-rate.ts';
import { MarginBank } from '../../src/sim/margin/index.ts';
import { marketUnits } from '../../src/sim/market-units.ts';
import { MatchingEngine, type Placement } from '../../src/sim/matching-engine.ts';
import { OrderIds } from '../../src/sim/order-ids.ts';
import { makeMarket } from '../domain/fixture.ts';
import { START_MS } from './fixture.ts';
import { SortedBook, type SortedOrder } from './sorted-book.ts';
import { WalletLedger, type WalletOrder } from './wallet-ledger.ts';

const OPERATIONS = 1_000_000;
/** The whole of the books is compared that often. */
const AUDIT_EVERY = 20_000;
const ACCOUNTS = 3;
/** Millionths, so small that the accounts do not run dry in a million operations. */
const RATES = { maker: 1, taker: 3 };
const FEES = { maker: new FeeRate(RATES.maker / 1e6), taker: new FeeRate(RATES.taker / 1e6) };
/** Open orders beyond which half of the placements become cancels: the oracle is no fast book. */
const OPEN_MAX = 60;
const HOSTILE = [Number.NaN, -1, 0, 1e300, 0.123_456_789, Number.POSITIVE_INFINITY];
const MARKET = makeMarket();
const UNITS_PER_PRICE = 100;
const UNITS_PER_AMOUNT = 10_000;
/** The value of 1 usdt that an order must have, in units of price x amount. */
const VALUE_MIN = 1_000_000;
/** What each wallet has at first: 10 btc and 1,000 usdt. */
const OPENING_UNITS = [1_000_000_000, 100_000_000_000];

/**
 * An engine with its lender beside two oracles: a sorted book that says who trades, and a ledger that
 * says what every wallet holds then. `step` does the same on all. Money that comes in and goes out:
 * see `conservation.test.ts`.
 */
class World {
  readonly clock = new VirtualClock(START_MS);
  readonly currencies = new Currencies([MARKET]);
  readonly accounts = new Accounts(this.currencies, ACCOUNTS);
  readonly units = marketUnits(MARKET, this);
  readonly oracle = new SortedBook();
  readonly rowCount = this.accounts.rowOf(ACCOUNTS, 0);
  readonly ledger = new WalletLedger(this.rowCount, RATES);
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
  unaffordable = 0;
  trades = 0;

  constructor() {
    const { accounts, ledger } = this;
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
      for (const [currency, units] of OPENING_UNITS.entries()) {
        accounts.receive(accounts.cell(row, currency), units);
        ledger.free[row]![currency] = units;
      }
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
    oracle.prices = [];
    oracle.amounts = [];
    const draw = random.next();
    const full = oracle.bids.length + oracle.asks.length > OPEN_MAX;
    if (draw < 0.1) this.#wait();
    else if (draw < (full ? 0.7 : 0.4)) this.#cancel();
    else if (draw < 0.995) this.#place();
    else this.#print();
    const traded = engine.tape.lastId > lastId;
    const news = traded ? engine.tape.after(lastId, Number.POSITIVE_INFINITY) : [];
    this.trades += news.length;
    same(news.length, oracle.prices.length, 'trades');
    for (const [at, { price, amount }] of news.entries()) {
      same(price, oracle.prices[at], 'the price of a trade');
      same(amount, oracle.amounts[at], 'the amount of a trade');
    }
  }

  #wait(): void {
    const durationMs = this.random.integer(120_000);
    this.clock.advanceBy(durationMs);
    this.ledger.advance(durationMs);
  }

  #place(): void {
    const { random, oracle, ledger } = this;
    const side = this.#pick(SIDES);
    const type = this.#pick(ORDER_TYPES);
    const price = 9_900 + random.integer(200);
    const amount = 50 + random.integer(20_000);
    const account = random.integer(ACCOUNTS);
    const hostile = random.next() < 0.02;
    const placement: Placement = {
      side,
      type,
      price: (hostile ? this.#pick(HOSTILE) : price / UNITS_PER_PRICE) as Price,
      amount: (amount / UNITS_PER_AMOUNT) as Amount,
      accountType: this.#pick(ACCOUNT_TYPES),
      borrow: random.next() < 0.5,
      repay: random.next() < 0.5,
    };
    const row = this.accounts.rowOf(account, placement.accountType!);
    const repays = placement.repay === true && placement.accountType !== 0;
    const written: WalletOrder = { row, side, price, amount, repays };
    const takes = type === 'postOnly' && oracle.wouldTake(side, price);
    const allowed = !hostile && price * amount >= VALUE_MIN && !takes;
    const predicted = allowed ? this.#affordability(written, placement) : 'refused';
    const refusal = this.#refusalOf(account, placement);
    if (predicted !== 'unknown') {
      const said = refusal === undefined ? 'accepted' : codeNameOf(refusal);
      same(said, predicted, 'the answer to a placement');
    }
    if (refusal !== undefined) return;
    const order: SortedOrder = { id: this.owners.length, side, price, remaining: amount };
    this.owners.push(account);
    ledger.place(order.id, written);
    oracle.add(order, { rests: type !== 'ioc' });
    this.#writeTrades(order.id);
    if (type === 'ioc' && order.remaining > 0) ledger.close(order.id);
    const taken = this.#find(order.id)!;
    same(taken.remaining, order.remaining, 'what remains');
    same(taken.closed, type === 'ioc' || order.remaining === 0, 'whether it is closed');
  }

  /** Whether the wallet can pay; `unknown` if the order may borrow, as only the lender knows. */
  #affordability(order: WalletOrder, { borrow, accountType }: Placement): Answer {
    if (this.ledger.canPay(order)) return 'accepted';
    return borrow === true && accountType !== 0 ? 'unknown' : 'unaffordable';
  }

  #refusalOf(account: number, placement: Placement): ExchangeFailure | undefined {
    try {
      this.engine.place(account, placement);
      return undefined;
    } catch (refusal) {
      if (!(refusal instanceof ExchangeFailure)) throw refusal;
      this.refused++;
      if (refusal.code === CODES.balance) this.unaffordable++;
      return refusal;
    }
  }

  /** Writes the trades of the book's last call down in the ledger. */
  #writeTrades(taker: number | undefined): void {
    const { prices, amounts, makers } = this.oracle;
    for (const [at, maker] of makers.entries()) {
      const fill = { price: prices[at]!, amount: amounts[at]! };
      this.ledger.trade({ maker, taker, fill });
    }
  }

  #cancel(): void {
    const { random, oracle } = this;
    const open = random.next() < 0.9 ? [...oracle.bids, ...oracle.asks] : [];
    const any = this.owners.length === 0 ? 0 : random.integer(this.owners.length);
    const id = open.length > 0 ? this.#pick(open).id : any;
    const order = this.#find(id);
    const cancelled = order !== undefined && this.engine.cancel(order.slot);
    same(cancelled, oracle.cancel(id), 'whether a cancel found its order');
    if (cancelled) this.ledger.close(id);
  }

  #print(): void {
    const takerSide = this.#pick(SIDES);
    const price = 9_900 + this.random.integer(200);
    const amount = 1 + this.random.integer(20_000);
    this.engine.print({ takerSide, price, amount });
    const taker = { id: -1, side: takerSide, price, remaining: amount };
    this.oracle.add(taker, { rests: false });
    this.#writeTrades(undefined);
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
    this.#auditWallets();
    this.#auditLoans();
  }

  /** Every wallet, the rest of the world, the fees and the lender. */
  #auditWallets(): void {
    const rows = Array.from({ length: this.rowCount }, (_, row) => row);
    const held = (of: (row: number, currency: number) => number) =>
      rows.map((row) => [of(row, 0), of(row, 1)]);
    const { accounts, ledger } = this;
    expect(held((row, currency) => accounts.available(row, currency))).toEqual(ledger.free);
    expect(held((row, currency) => accounts.frozen(row, currency))).toEqual(ledger.frozen);
    const wallets = this.rows().flatMap((row) => [...ledger.free[row]!, ...ledger.frozen[row]!]);
    expect(Math.min(...wallets)).toBeGreaterThanOrEqual(0);
  }

  #auditLoans(): void {
    for (const row of this.rows()) {
      for (const currency of [0, 1]) {
        expect(this.bank.debtOf(row, currency)).toEqual(this.ledger.debtOf(row, currency));
      }
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

type Answer = 'accepted' | 'refused' | 'unaffordable' | 'unknown';

function codeNameOf({ code }: ExchangeFailure): Answer {
  return code === CODES.balance ? 'unaffordable' : 'refused';
}

/** A cheap expectation for what is looked at a million times. */
function same(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) expect.fail(`${what}: ${actual}, the oracle says ${expected}`);
}

describe('MatchingEngine', () => {
  const { stackTraceLimit } = Error;
  // A hundred thousand refusals are thrown: most of the time would go into their stacks.
  beforeAll(() => {
    Error.stackTraceLimit = 1;
  });
  afterAll(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });

  test(`agrees with an oracle and conserves all money over ${OPERATIONS} operations`, () => {
    const world = new World();
    for (let operation = 1; operation <= OPERATIONS; operation++) {
      world.step();
      if (operation % AUDIT_EVERY === 0) world.audit();
    }
    expect(world.trades).toBeGreaterThan(OPERATIONS / 15);
    expect(world.refused).toBeGreaterThan(OPERATIONS / 1_000);
    expect(world.unaffordable).toBeGreaterThan(OPERATIONS / 1_000);
    expect(world.ledger.interestPaid).toBeGreaterThan(0);
  }, 60_000);
});
