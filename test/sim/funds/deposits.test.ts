import { describe, expect, test } from 'vitest';
import { CODES } from '../../../src/exchange/index.ts';
import { MINUTE_MS } from '../../../src/kernel/index.ts';
import { chainSchema } from '../../../src/sim/funds/config.ts';
import { SimulationError } from '../../../src/sim/index.ts';
import { answerOf, collect, failureOf, START_MS, walletOf } from '../fixture.ts';
import { fundsFixture } from './fixture.ts';

const depositsOf = ({ alice }: ReturnType<typeof fundsFixture>, currency = 'btc') =>
  answerOf(alice.funds.deposits({ currency })).items;

const stateOf = (fixture: ReturnType<typeof fundsFixture>) => {
  const [deposit] = depositsOf(fixture);
  return [deposit!.status, deposit!.confirmations, walletOf(fixture.exchange, 'alice').btc![0]];
};

describe('SimulatedExchange.creditDeposit', () => {
  test('waits for its confirmations on the clock and then is in the wallet', () => {
    const fixture = fundsFixture();
    const { exchange, clock, alice } = fixture;
    const id = exchange.creditDeposit('alice', { currency: 'btc', amount: '0.12345678' });
    expect(depositsOf(fixture)[0]).toMatchObject({
      id,
      currency: 'btc',
      address: answerOf(alice.funds.depositAddress('btc')),
      description: 'waiting for confirmations',
      internal: false,
      submitTime: START_MS,
    });
    expect(id).toMatch(/^20220122\d{10}$/);
    expect(depositsOf(fixture)[0]!.hash).toMatch(/^[0-9a-f]{64}$/);
    clock.advanceBy(10 * MINUTE_MS - 1);
    expect(stateOf(fixture)).toEqual(['waiting', 0, '100']);
    clock.advanceBy(1);
    expect(stateOf(fixture)).toEqual(['waiting', 1, '100']);
    clock.advanceBy(10 * MINUTE_MS - 1);
    expect(stateOf(fixture)).toEqual(['waiting', 1, '100']);
    clock.advanceBy(1);
    expect(stateOf(fixture)).toEqual(['succeeded', 2, '100.12345678']);
    expect(exchange.totalOf('btc').toString()).toBe('200');
    expect(exchange.outsideOf('btc').toString()).toBe('-0.12345678');
  });

  test('pushes the balance when it arrives', () => {
    const { exchange, clock, alice } = fundsFixture();
    const pushes = collect(alice.accountFeed.balances());
    exchange.creditDeposit('alice', { currency: 'btc', amount: '1' });
    expect(pushes).toHaveLength(0);
    clock.advanceBy(20 * MINUTE_MS);
    expect(pushes).toHaveLength(1);
    expect(
      pushes[0]!.balances.map(({ currency, available }) => `${currency} ${available}`),
    ).toEqual(['btc 101']);
    exchange.creditDeposit('alice', { currency: 'btc', amount: '1', internal: true });
    expect(pushes[1]!.balances.map(({ available }) => `${available}`)).toEqual(['102']);
  });

  test('comes at once and without a chain from within the exchange', () => {
    const fixture = fundsFixture();
    fixture.exchange.creditDeposit('alice', { currency: 'btc', amount: '1', internal: true });
    expect(stateOf(fixture)).toEqual(['succeeded', 0, '101']);
    expect(depositsOf(fixture)[0]).toMatchObject({ internal: true, hash: '' });
  });

  test('takes the chain that is named, each at its own pace', () => {
    const fixture = fundsFixture();
    const { exchange, clock, alice } = fixture;
    exchange.creditDeposit('alice', { currency: 'usdt', amount: '5', chain: 'ERC20' });
    const [, erc20] = answerOf(alice.funds.depositAddresses('usdt'));
    expect(depositsOf(fixture, 'usdt')[0]!.address).toBe(erc20!.address);
    clock.advanceBy(12 * 13_000 - 1);
    expect(depositsOf(fixture, 'usdt')[0]!.status).toBe('waiting');
    clock.advanceBy(1);
    expect(depositsOf(fixture, 'usdt')[0]!.status).toBe('succeeded');
  });

  test.each(['operator', 'call', 'settings'])('fails by the word of the %s', (who) => {
    const fixture = fundsFixture(who === 'settings' ? { funds: { depositOutcome: 'failed' } } : {});
    const { exchange, clock } = fixture;
    const outcome = who === 'call' ? 'failed' : undefined;
    const id = exchange.creditDeposit('alice', { currency: 'btc', amount: '1', outcome });
    clock.advanceBy(10 * MINUTE_MS);
    if (who === 'operator') exchange.failDeposit('alice', id);
    clock.advanceBy(60 * MINUTE_MS);
    expect(stateOf(fixture)).toEqual(['failed', 1, '100']);
    expect(() => exchange.failDeposit('alice', id)).toThrow(SimulationError);
  });
});

describe('SimulatedExchange.creditDeposit: what it takes', () => {
  test('fails from within the exchange too where the operator says so', () => {
    const fixture = fundsFixture();
    const deposit = { currency: 'btc', amount: '1', internal: true, outcome: 'failed' } as const;
    fixture.exchange.creditDeposit('alice', deposit);
    expect(stateOf(fixture)).toEqual(['failed', 0, '100']);
  });

  test('arrives at once where no confirmations are asked for', () => {
    const chains = [chainSchema.parse({ name: 'X', confirmations: 0 })];
    const fixture = fundsFixture({ currencies: { btc: { chains } } });
    fixture.exchange.creditDeposit('alice', { currency: 'btc', amount: '1' });
    expect(stateOf(fixture)).toEqual(['succeeded', 0, '101']);
  });

  test.each([
    ['nobody', { currency: 'btc', amount: '1' }, /Cannot find the account/],
    ['alice', { currency: 'doge', amount: '1' }, /Cannot use the currency doge/],
    ['alice', { currency: 'btc', amount: '0' }, /above 0/],
    ['alice', { currency: 'btc', amount: '-1' }, /above 0/],
    ['alice', { currency: 'btc', amount: '0.000000001' }, /at most 8 decimal places/],
    ['alice', { currency: 'btc', amount: '1', chain: 'TRC20' }, /no address on the chain TRC20/],
    ['alice', { currency: 'usdt', amount: '89500000' }, /more than 2\^53 units/],
    ['alice', { currency: 'usdt', amount: '1e40' }, /from 0 to/],
  ])('refuses for %s %j', (name, deposit, message) => {
    const { exchange } = fundsFixture();
    const credit = () => exchange.creditDeposit(name, deposit);
    expect(credit).toThrow(SimulationError);
    expect(credit).toThrow(message);
    expect(exchange.totalOf('btc').toString()).toBe('200');
  });

  test('is refused where its wallet has no room, whatever others hold', () => {
    const { exchange, clock } = fundsFixture();
    const deposit = { currency: 'usdt', amount: '80000000' };
    for (const name of ['alice', 'bob']) exchange.creditDeposit(name, deposit);
    clock.advanceBy(60 * MINUTE_MS);
    for (const name of ['alice', 'bob']) expect(walletOf(exchange, name).usdt![0]).toBe('81000000');
    expect(() => exchange.creditDeposit('bob', deposit)).toThrow(/more than 2\^53 units/);
    expect(exchange.totalOf('usdt').toString()).toBe('2000000');
  });

  test('fails in the end where the one before it took the room', () => {
    const { exchange, clock, alice } = fundsFixture();
    const deposit = { currency: 'usdt', amount: '45000000' };
    exchange.creditDeposit('alice', deposit);
    exchange.creditDeposit('alice', deposit);
    clock.advanceBy(60 * MINUTE_MS);
    const { items } = answerOf(alice.funds.deposits({ currency: 'usdt' }));
    expect(items.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
    expect(walletOf(exchange, 'alice').usdt![0]).toBe('46000000');
  });
});

describe('FundsDesk.deposits', () => {
  test('are paged, newest first, of the account and currency alone', () => {
    const { exchange, alice, bob } = fundsFixture();
    const ids = Array.from({ length: 12 }, () =>
      exchange.creditDeposit('alice', { currency: 'btc', amount: '1' }),
    );
    exchange.creditDeposit('alice', { currency: 'usdt', amount: '1' });
    const page = answerOf(alice.funds.deposits({ currency: 'btc', page: 2, pageSize: 5 }));
    expect(page.items.map(({ id }) => id)).toEqual(ids.toReversed().slice(5, 10));
    expect(page).toMatchObject({ page: 2, pageSize: 5, totalCount: 12 });
    expect(answerOf(bob.funds.deposits({ currency: 'btc' }))).toMatchObject({
      items: [],
      totalCount: 0,
    });
    const code = (query: object) =>
      failureOf(alice.funds.deposits({ currency: 'btc', ...query })).code;
    expect([code({ page: 0 }), code({ pageSize: 101 }), code({ currency: 'doge' })]).toEqual([
      CODES.invalidArguments,
      CODES.invalidArguments,
      CODES.invalidArguments,
    ]);
  });

  test('forget the oldest finished ones of very many, none that waits', () => {
    const { exchange, alice } = fundsFixture();
    const waiting = exchange.creditDeposit('alice', { currency: 'btc', amount: '1' });
    const deposit = { currency: 'btc', amount: '0.0001', internal: true };
    for (let i = 0; i < 2_500; i++) exchange.creditDeposit('alice', deposit);
    const { totalCount } = answerOf(alice.funds.deposits({ currency: 'btc' }));
    expect(totalCount).toBeLessThan(2_002);
    const page = Math.ceil(totalCount / 100);
    const { items } = answerOf(alice.funds.deposits({ currency: 'btc', page, pageSize: 100 }));
    expect(items.at(-1)!.id).toBe(waiting);
    expect(() => exchange.failDeposit('bob', waiting)).toThrow(SimulationError);
    exchange.failDeposit('alice', waiting);
  });
});
