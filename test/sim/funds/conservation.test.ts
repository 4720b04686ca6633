import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Side } from '../../../src/domain/index.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { answerOf, exchangeFixture, MARKET, place } from '../fixture.ts';
import { accountFixture, withdrawalFixture, withdrawalsOf } from './fixture.ts';
import { type Coin, NaiveLedger, type Party } from './naive-ledger.ts';

type Account = Exclude<Party, 'world'>;
const ACCOUNTS: readonly Account[] = ['alice', 'bob'];
const COINS: readonly Coin[] = ['btc', 'usdt'];
const OPENING: Readonly<Record<Coin, string>> = { btc: '3', usdt: '300' };
const FEES: Readonly<Record<Coin, string>> = { btc: '0.0005', usdt: '1' };
const ELSEWHERE = 'Elsewhere';

/** What the sequences must bring about between them. */
const STORIES = [
  'buy',
  'deposit',
  'deposit failed',
  'deposit succeeded',
  'opening balance',
  'sell',
  'trading fee',
  'transfer in',
  'transfer out',
  'withdrawal',
  'withdrawal cancelled',
  'withdrawal cancelled to an own address',
  'withdrawal failed',
  'withdrawal failed to an own address',
  'withdrawal fee',
  'withdrawal returned',
  'withdrawal succeeded',
  'withdrawal succeeded to an own address',
];

interface Sum {
  readonly account: Account;
  readonly coin: Coin;
  readonly units: bigint;
}
interface Terms {
  readonly side: Side;
  readonly price: number;
  readonly amount: number;
}

/** The exchange and the ledger side by side: every step is done on both. */
class World {
  readonly #ledger = new NaiveLedger();
  readonly #fixture = openFixture();
  /** Ids of the exchange's orders at the places of the ledger's; none for the world's. */
  readonly #orderIds: (string | undefined)[] = [];

  constructor() {
    for (const account of ACCOUNTS) {
      for (const coin of COINS) {
        this.#ledger.free.set(`${account} ${coin}`, unitsOf(Decimal.of(OPENING[coin])));
      }
    }
  }

  order({ account, ioc, ...terms }: Terms & { account: Account; ioc: boolean }): void {
    const { price, amount } = terms;
    const type = ioc ? 'ioc' : 'limit';
    const scaled = { ...terms, type, price: price / 100, amount: amount / 10_000 } as const;
    const id = accepted(() => place(this.#fixture[account], scaled));
    const whole = { price: BigInt(price), amount: BigInt(amount) };
    const taken = this.#ledger.place({ party: account, side: terms.side, ioc, ...whole });
    expect(id !== undefined).toBe(taken);
    if (taken) this.#orderIds.push(id);
  }

  world({ side, price, amount }: Terms): void {
    const scaled = { price: price / 100, amount: amount / 10_000 };
    this.#fixture.liquidity.addOrder({ side, type: 'limit', ...scaled });
    const whole = { price: BigInt(price), amount: BigInt(amount) };
    this.#ledger.place({ party: 'world', side, ioc: false, ...whole });
    this.#orderIds.push(undefined);
  }

  cancel(pick: number): void {
    const at = pick % Math.max(1, this.#orderIds.length);
    const exchangeOrderId = this.#orderIds[at];
    const order = this.#ledger.orders[at];
    if (exchangeOrderId === undefined || order === undefined) return;
    const { trading } = this.#fixture[order.party as Account];
    const reference = { market: MARKET.id, exchangeOrderId };
    const cancelled = accepted(() => answerOf(trading.cancel(reference)));
    expect(cancelled !== undefined).toBe(this.#ledger.cancel(order));
  }

  deposit({ account, coin, units, fails }: Sum & { fails: boolean }): void {
    const outcome = fails ? 'failed' : 'succeeded';
    const amount = moneyOf(units);
    this.#fixture.exchange.creditDeposit(account, { currency: coin, amount, outcome });
    this.#ledger.deposit({ party: account, coin, amount: units }, fails);
  }

  failDeposit(pick: number): void {
    const { deposits } = this.#ledger;
    const deposit = deposits[pick % Math.max(1, deposits.length)];
    if (deposit === undefined) return;
    const { party, coin: currency } = deposit;
    const same = deposits.filter((one) => one.party === party && one.coin === currency);
    const { funds } = this.#fixture[party as Account];
    const { items } = answerOf(funds.deposits({ currency, pageSize: 100 }));
    const { id, status } = items
      .filter(({ internal }) => !internal)
      .at(-1 - same.indexOf(deposit))!;
    expect(status).toBe(deposit.status);
    const failed = accepted(() => this.#fixture.exchange.failDeposit(party, id) ?? true);
    expect(failed !== undefined).toBe(deposit.status === 'waiting');
    if (failed) deposit.status = 'failed';
  }

  withdraw({ account, coin: currency, units, to }: Sum & { to: Account | undefined }): void {
    const from = this.#fixture[account];
    const address =
      to === undefined ? ELSEWHERE : answerOf(this.#fixture[to].funds.depositAddress(currency));
    const fee = FEES[currency];
    const terms = { currency, address, fee, amount: moneyOf(units).toString() };
    const id = accepted(() => answerOf(from.funds.withdraw(withdrawalFixture(from, terms))));
    const parts = { party: account, coin: currency, amount: units, to };
    const taken = this.#ledger.withdraw({ ...parts, fee: unitsOf(Decimal.of(fee)) });
    expect(id !== undefined).toBe(taken);
  }

  transfer({ account, coin: currency, units: amount }: Sum): void {
    const from = this.#fixture[account];
    const to = account === 'alice' ? 'bob' : 'alice';
    const address = answerOf(this.#fixture[to].funds.depositAddress(currency));
    const text = moneyOf(amount).toString();
    const terms = { currency, address, fee: '0', amount: text, internal: true };
    const id = accepted(() => answerOf(from.funds.withdraw(withdrawalFixture(from, terms))));
    const moved = this.#ledger.transfer({ from: account, to, coin: currency, amount });
    expect(id !== undefined).toBe(moved);
  }

  step(pick: number, status: 'confirmed' | 'succeeded' | 'failed' | 'cancelled'): void {
    const { withdrawals } = this.#ledger;
    const withdrawal = withdrawals[pick % Math.max(1, withdrawals.length)];
    if (withdrawal === undefined) return;
    const { party, coin } = withdrawal;
    const same = withdrawals.filter((one) => one.party === party && one.coin === coin);
    const overChains = withdrawalsOf(this.#fixture[party as Account], coin).filter(
      ({ fee }) => fee.sign > 0,
    );
    const { id, status: before } = overChains.at(-1 - same.indexOf(withdrawal))!;
    expect(before).toBe(withdrawal.status);
    const stepped = accepted(
      () => this.#fixture.exchange.stepWithdrawal(party, { id, status }) ?? true,
    );
    expect(stepped !== undefined).toBe(this.#ledger.step(withdrawal, status));
  }

  wait(durationMs: number): void {
    this.#fixture.clock.advanceBy(durationMs);
    this.#ledger.advance(durationMs);
  }

  /** Every balance to the last digit, what is taken and gone, and the sum of it all. */
  check(): void {
    const { exchange } = this.#fixture;
    for (const account of ACCOUNTS) {
      const { balances } = exchange.inspect(account);
      for (const { currency, available, frozen } of balances) {
        const coin = currency as Coin;
        expect(unitsOf(available)).toBe(this.#ledger.freeOf(account, coin));
        expect(unitsOf(frozen)).toBe(this.#ledger.frozenOf(account, coin));
        const billed = unitsOf(available) + unitsOf(frozen) - this.#ledger.leaving(account, coin);
        const [newest] = answerOf(this.#fixture[account].funds.bills({ currency }));
        expect(unitsOf(newest!.balance)).toBe(billed);
      }
    }
    for (const coin of COINS) {
      expect(unitsOf(exchange.feesOf(coin))).toBe(this.#ledger.fees[coin]);
      expect(unitsOf(exchange.outsideOf(coin))).toBe(this.#ledger.outside[coin]);
      const opening = unitsOf(Decimal.of(OPENING[coin]));
      expect(unitsOf(exchange.totalOf(coin))).toBe(opening * BigInt(ACCOUNTS.length));
    }
  }

  /** Each bill follows from the one before. */
  checkBills(): void {
    for (const account of ACCOUNTS) {
      for (const currency of COINS) {
        let balance = 0n;
        for (const bill of this.#billsOf(account, currency)) {
          balance += unitsOf(bill.change);
          expect(unitsOf(bill.balance)).toBe(balance);
        }
      }
    }
  }

  /** What has come about. */
  *stories(): Generator<string> {
    for (const { status, to } of this.#ledger.withdrawals) {
      yield `withdrawal ${status}${to === undefined ? '' : ' to an own address'}`;
    }
    for (const { status } of this.#ledger.deposits) yield `deposit ${status}`;
    for (const account of ACCOUNTS) {
      for (const coin of COINS) for (const { type } of this.#billsOf(account, coin)) yield type;
    }
  }

  /** Oldest first. */
  #billsOf(account: Account, currency: Coin) {
    const { funds } = this.#fixture[account];
    const pages = Array.from({ length: 20 }, (_, at) =>
      answerOf(funds.bills({ currency, page: at + 1, pageSize: 50 })),
    );
    return pages.flat().reverse();
  }
}

/** Both accounts may withdraw to an address elsewhere and to the deposit addresses of both. */
function openFixture() {
  const open = (addresses: Readonly<Record<Coin, { address: string }[]>> | undefined) =>
    exchangeFixture({
      fees: { maker: 0.001, taker: 0.002 },
      accounts: ACCOUNTS.map((name) =>
        accountFixture({
          name,
          balances: OPENING,
          ...(addresses && { withdrawalAddresses: addresses }),
        }),
      ),
    });
  const { alice, bob } = open(undefined);
  const verified = (currency: Coin) => [
    { address: ELSEWHERE },
    ...[alice, bob].map(({ funds }) => ({ address: answerOf(funds.depositAddress(currency)) })),
  ];
  return open({ btc: verified('btc'), usdt: verified('usdt') });
}

/** The answer of an action, undefined when it is refused for what it asks. */
function accepted<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (refusal) {
    const { name } = refusal as Error;
    if (name === 'ExchangeFailure' || name === 'SimulationError') return undefined;
    throw refusal;
  }
}

function unitsOf(money: Decimal): bigint {
  return money.round(8, 'down').units;
}

function moneyOf(units: bigint): Decimal {
  return new Decimal(units, 8);
}

const account = fc.constantFrom(...ACCOUNTS);
const terms = {
  side: fc.constantFrom<Side>('buy', 'sell'),
  price: fc.integer({ min: 9_800, max: 10_200 }),
  amount: fc.integer({ min: 200, max: 12_000 }),
};
const sum = fc
  .record({ account, coin: fc.constantFrom(...COINS), cents: fc.integer({ min: 1, max: 20_000 }) })
  .map(({ account, coin, cents }): Sum => {
    const [least, step] = coin === 'btc' ? [100_000n, 10_007n] : [1_000_000_000n, 1_000_003n];
    return { account, coin, units: least + BigInt(cents) * step };
  });
const pick = fc.nat(1_000);
const status = fc.constantFrom('confirmed', 'succeeded', 'failed', 'cancelled');
const ms = fc.constantFrom(1, 30_000, 60_000, 120_000, 600_000);

type Step = (world: World) => void;
const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .record({ ...terms, account, ioc: fc.boolean() })
    .map((order) => (it: World) => it.order(order)),
  fc
    .record({ ...terms, account, ioc: fc.boolean() })
    .map((order) => (it: World) => it.order(order)),
  fc.record(terms).map((order) => (it: World) => it.world(order)),
  pick.map((at) => (it: World) => it.cancel(at)),
  fc.tuple(sum, fc.boolean()).map(
    ([one, fails]) =>
      (it: World) =>
        it.deposit({ ...one, fails }),
  ),
  pick.map((at) => (it: World) => it.failDeposit(at)),
  fc.tuple(sum, fc.constantFrom<Account | undefined>(undefined, ...ACCOUNTS)).map(
    ([one, to]) =>
      (it: World) =>
        it.withdraw({ ...one, to }),
  ),
  sum.map((one) => (it: World) => it.transfer(one)),
  fc.tuple(pick, status).map(
    ([at, to]) =>
      (it: World) =>
        it.step(at, to),
  ),
  ms.map((durationMs) => (it: World) => it.wait(durationMs)),
);

describe('SimulatedExchange: conservation of money', () => {
  test('agrees with a naive ledger to the last digit over any sequence', () => {
    const sequence = fc.array(step, { maxLength: 90, size: 'max' });
    const seen = new Set<string>();
    fc.assert(
      fc.property(sequence, (steps) => {
        const world = new World();
        world.check();
        for (const one of steps) {
          one(world);
          world.check();
        }
        world.wait(86_400_000);
        world.check();
        world.checkBills();
        for (const story of world.stories()) seen.add(story);
      }),
      { seed: 20_220_122, numRuns: 60 },
    );
    expect([...seen].sort()).toEqual(STORIES);
  });
});
