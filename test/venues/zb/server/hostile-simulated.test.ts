import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OrderRecord } from '../../../../src/domain/index.ts';
import { Decimal, silentLogger, VirtualClock } from '../../../../src/kernel/index.ts';
import { SimulatedExchange } from '../../../../src/sim/index.ts';
import { zbServer } from '../../../../src/venues/zb/server/index.ts';
import { answerOf } from '../../../sim/fixture.ts';
import { ADDRESS, BTC_USDT, FULL_KEY, START_MS } from './fixture.ts';
import {
  expectWellFormed,
  type HostileRequest,
  hostileRequest,
  isDone,
  LIMITS,
  targetOf,
} from './hostile-requests.ts';

const NAMES = ['main', 'other'] as const;
type Name = (typeof NAMES)[number];
const COINS = ['btc', 'usdt'] as const;
type Coin = (typeof COINS)[number];
const OPENING: Readonly<Record<Coin, string>> = { btc: '10', usdt: '100000' };
const KEYS = NAMES.map((name) => ({ ...FULL_KEY, accessKey: `access-of-${name}`, account: name }));

/** Two accounts with every permission and a balance in every wallet. */
function openHost(clock: VirtualClock, verified: Partial<Record<Name, string>>) {
  const host = new SimulatedExchange({
    clock,
    markets: [BTC_USDT],
    accounts: NAMES.map((name) => ({
      ...{ name, balances: OPENING, fundsPassword: 'secret' },
      marginBalances: { isolated: OPENING, cross: OPENING },
      permissions: { withdrawals: true },
      withdrawalAddresses: { btc: [{ address: verified[name] ?? 'elsewhere' }] },
    })),
  });
  host.anonymous('btc_usdt').replace({ bids: [[29_980, 1]], asks: [[30_020, 1]] });
  return host;
}

/** The deposit address of each account, which is the same on every exchange of these accounts. */
function depositAddresses(): Record<Name, string> {
  const host = openHost(new VirtualClock(START_MS), {});
  const of = (name: Name) => answerOf(host.account(name)!.funds.depositAddress('btc'));
  return { main: of('main'), other: of('other') };
}
const DEPOSIT_TO = depositAddresses();

/** The simulated exchange behind the wire; each account may withdraw to the other. */
function simulated() {
  const clock = new VirtualClock(START_MS);
  const receiver = { main: DEPOSIT_TO.other, other: DEPOSIT_TO.main };
  const host = openHost(clock, receiver);
  const server = zbServer({ host, keys: KEYS, clock, logger: silentLogger, limits: LIMITS });
  const answerTo = (name: Name, request: HostileRequest) => {
    const accessKey = `access-of-${name}`;
    const good = { receiveAddr: receiver[name] };
    const target = targetOf(request, { nowMs: clock.now(), accessKey, good });
    let answer = '';
    server.handle({ target, address: ADDRESS, userAgent: 'x' }).subscribe(({ body }) => {
      answer = body;
    });
    return answer;
  };
  return { clock, host, answerTo };
}

/** Sums by coin. */
class Sums {
  readonly #sums: Record<Coin, Decimal> = { btc: Decimal.ZERO, usdt: Decimal.ZERO };

  add(coin: Coin, sum: Decimal): void {
    this.#sums[coin] = this.#sums[coin].plus(sum);
  }

  get shown(): Record<Coin, string> {
    return { btc: `${this.#sums.btc}`, usdt: `${this.#sums.usdt}` };
  }
}

/** The balances of an account's wallets according to its own records. */
class NaiveAccount {
  /** Spot wallet, free and frozen together. */
  readonly spot = new Sums();
  readonly frozen = new Sums();
  readonly crossFrozen = new Sums();
  /** Fees of all wallets. */
  readonly fees = new Sums();

  constructor(host: SimulatedExchange, name: Name) {
    const account = host.account(name)!;
    for (const coin of COINS) this.spot.add(coin, Decimal.of(OPENING[coin]));
    for (let page = 1; ; page++) {
      const query = { market: 'btc_usdt', filter: 'all', page, pageSize: 100 } as const;
      const orders = answerOf(account.orderLists.list(query));
      for (const order of orders) this.#order(order);
      if (orders.length < 100) break;
    }
    for (const coin of COINS) {
      const query = { currency: coin, pageSize: 100 };
      for (const { status, amount, fee } of answerOf(account.funds.withdrawals(query)).items) {
        const sum = amount.plus(fee);
        if (status === 'submitted' || status === 'confirmed') this.frozen.add(coin, sum);
        else if (status === 'succeeded') this.spot.add(coin, sum.times(Decimal.of(-1)));
      }
      for (const { status, amount } of answerOf(account.funds.deposits(query)).items) {
        if (status === 'succeeded') this.spot.add(coin, amount);
      }
    }
  }

  #order(order: OrderRecord): void {
    const { side, price, amount, filledAmount, filledValue, fee = Decimal.ZERO } = order;
    const [received, given]: [Coin, Coin] = side === 'buy' ? ['btc', 'usdt'] : ['usdt', 'btc'];
    const filled = { btc: Decimal.of(String(filledAmount)), usdt: filledValue };
    this.fees.add(received, fee);
    if (order.accountType === 0) {
      this.spot.add(received, filled[received].minus(fee));
      this.spot.add(given, filled[given].times(Decimal.of(-1)));
    }
    if (order.closed) return;
    const rest = Decimal.of(String(amount)).minus(filled.btc);
    const cost = side === 'buy' ? rest.times(Decimal.of(String(price))) : rest;
    if (order.accountType === 0) this.frozen.add(given, cost);
    if (order.accountType === 2) this.crossFrozen.add(given, cost);
  }
}

/** Checks that balances agree with the records, none is negative, and no money came or went. */
function expectSound(host: SimulatedExchange): void {
  const fees = new Sums();
  for (const name of NAMES) {
    const records = new NaiveAccount(host, name);
    const [spot, frozen, crossFrozen] = [new Sums(), new Sums(), new Sums()];
    for (const balance of host.inspect(name).balances) {
      const coin = balance.currency as Coin;
      expect([balance.available.sign, balance.frozen.sign]).not.toContain(-1);
      spot.add(coin, balance.available.plus(balance.frozen));
      frozen.add(coin, balance.frozen);
    }
    for (const asset of answerOf(host.account(name)!.margin.crossAccount()).assets) {
      expect([asset.available.sign, asset.frozen.sign, asset.loan.sign]).not.toContain(-1);
      crossFrozen.add(asset.currency as Coin, asset.frozen);
    }
    expect(spot.shown).toEqual(records.spot.shown);
    expect(frozen.shown).toEqual(records.frozen.shown);
    expect(crossFrozen.shown).toEqual(records.crossFrozen.shown);
    for (const coin of COINS) fees.add(coin, Decimal.of(records.fees.shown[coin]));
  }
  for (const coin of COINS) {
    expect(`${host.feesOf(coin)}`).toBe(fees.shown[coin]);
    // Three wallets per account.
    const opened = Decimal.of(OPENING[coin]).times(Decimal.of(3 * NAMES.length));
    expect(`${host.totalOf(coin)}`).toBe(`${opened}`);
  }
}

/** What has happened, to know that the sequences have tried it. */
function storiesOf(host: SimulatedExchange): string[] {
  return NAMES.flatMap((name) => {
    const { funds, orderLists } = host.account(name)!;
    const orders = answerOf(
      orderLists.list({ market: 'btc_usdt', filter: 'all', pageSize: 100 }),
    ).filter(({ filledAmount }) => filledAmount > 0);
    const deposits = answerOf(funds.deposits({ currency: 'btc' })).items;
    return [
      ...orders.map(({ accountType, side }) => `${side} on ${accountType}`),
      ...deposits.map(({ internal }) => (internal ? 'transfer' : 'deposit')),
    ];
  });
}

/** A good request, so that the hostile ones meet wallets in use. */
const faultless = fc
  .tuple(hostileRequest, fc.constantFrom('order', 'order', 'orderMoreV2', 'withdraw'))
  .map(([request, name]) => ({ ...request, name, given: {}, missing: [], repeated: undefined }));

describe('every operation of the simulated exchange', () => {
  it('answers hostile requests of two accounts, and every balance is what its records say', () => {
    const step = fc.tuple(
      fc.constantFrom(...NAMES),
      fc.oneof(hostileRequest, faultless),
      fc.oneof({ weight: 9, arbitrary: fc.nat(30_000) }, fc.constant(1_200_000)),
    );
    const done = new Set<string>();
    const stories = new Set<string>();
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
        const { clock, host, answerTo } = simulated();
        for (const [name, request, waitMs] of steps) {
          const body = answerTo(name, request);
          expectWellFormed(request.name, body);
          if (isDone(body)) done.add(request.name);
          clock.advanceBy(waitMs);
        }
        expectSound(host);
        clock.advanceBy(3_600_000);
        expectSound(host);
        for (const story of storiesOf(host)) stories.add(story);
      }),
      { seed: 8, numRuns: 200 },
    );
    const wanted = ['order', 'orderMoreV2', 'cancelAllOrdersAfter', 'setExpressState', 'withdraw'];
    expect([...done]).toEqual(expect.arrayContaining(wanted));
    const sides = [0, 1, 2].flatMap((account) => [`buy on ${account}`, `sell on ${account}`]);
    expect([...stories].sort()).toEqual([...sides, 'deposit', 'transfer'].sort());
  });
});
