import { describe, expect, test } from 'vitest';
import { CODES } from '../../../src/exchange/index.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/kernel/index.ts';
import { chainSchema } from '../../../src/sim/funds/config.ts';
import { SimulationError } from '../../../src/sim/index.ts';
import { answerOf, collect, failureOf, START_MS, walletOf } from '../fixture.ts';
import {
  fundsFixture,
  PASSWORD,
  trustingFixture,
  withdraw,
  withdrawalFixture,
  withdrawalsOf,
} from './fixture.ts';

const btcOf = ({ exchange }: ReturnType<typeof fundsFixture>, name = 'alice') =>
  walletOf(exchange, name).btc;

describe('FundsDesk.withdraw', () => {
  test('freezes amount and fee, and lets them go over submitted, confirmed and succeeded', () => {
    const fixture = fundsFixture();
    const { alice, clock, exchange } = fixture;
    const id = withdraw(alice, {});
    expect(btcOf(fixture)).toEqual(['98.9995', '1.0005']);
    expect(withdrawalsOf(alice)[0]).toMatchObject({
      id,
      status: 'submitted',
      submitTime: START_MS,
      manageTime: undefined,
      hash: '',
      merchantOrderNumber: '',
      address: answerOf(alice.funds.withdrawalAddress('btc')),
    });
    clock.advanceBy(MINUTE_MS);
    const [confirmed] = withdrawalsOf(alice);
    expect([confirmed!.status, confirmed!.manageTime]).toEqual(['confirmed', START_MS + MINUTE_MS]);
    expect(confirmed!.hash).toMatch(/^[0-9a-f]{64}$/);
    clock.advanceBy(2 * MINUTE_MS - 1);
    expect(btcOf(fixture)).toEqual(['98.9995', '1.0005']);
    clock.advanceBy(1);
    const [succeeded] = withdrawalsOf(alice);
    expect([succeeded!.status, succeeded!.hash]).toEqual(['succeeded', confirmed!.hash]);
    expect([succeeded!.amount.toString(), succeeded!.fee.toString()]).toEqual(['1', '0.0005']);
    expect(btcOf(fixture)).toEqual(['98.9995', '0']);
    expect(exchange.totalOf('btc').toString()).toBe('200');
    expect(exchange.outsideOf('btc').toString()).toBe('1.0005');
  });

  test.each(['failed', 'cancelled'] as const)('gives everything back when it %s', (status) => {
    const fixture = fundsFixture({ funds: { withdrawalOutcome: status } });
    const { alice, clock, exchange } = fixture;
    withdraw(alice, {});
    clock.advanceBy(HOUR_MS);
    expect(withdrawalsOf(alice)[0]!.status).toBe(status);
    expect(withdrawalsOf(alice)[0]!.hash === '').toBe(status === 'cancelled');
    expect(btcOf(fixture)).toEqual(['100', '0']);
    expect(exchange.outsideOf('btc').sign).toBe(0);
  });

  test('pushes balances with each step that moves money', () => {
    const { alice, clock } = fundsFixture();
    const pushes = collect(alice.accountFeed.balances());
    withdraw(alice, {});
    clock.advanceBy(HOUR_MS);
    const frozen = pushes.flatMap(({ balances }) => balances.map((one) => one.frozen.toString()));
    expect(frozen).toEqual(['1.0005', '0']);
  });
});

describe('FundsDesk.withdraw: what it refuses', () => {
  const wrong: [string, Parameters<typeof withdrawalFixture>[1], number][] = [
    ['an unknown currency', { currency: 'doge', address: 'D' }, 3005],
    ['an address that is not verified', { address: '1Elsewhere' }, 3005],
    ['an address of another currency', { currency: 'usdt', address: 'x' }, 3005],
    ['less than the fee', { fee: '0.0004' }, 3005],
    ['more than the fee', { fee: '0.0006' }, 3005],
    ['too small an amount', { amount: '0.0009' }, 3003],
    ['too fine an amount', { amount: '1.000000001' }, 3003],
    ['a negative amount', { amount: '-1' }, 3003],
    ['nothing', { amount: '0' }, 3003],
    ['a wrong password', { password: 'guess' }, 1005],
    ['no password', { password: '' }, 1005],
    ['more than there is', { amount: '99.9996' }, 2009],
    ['more than could be counted', { amount: '1e30' }, 2009],
  ];
  test.each(wrong)('refuses %s', (_, overrides, code) => {
    const fixture = fundsFixture();
    const { alice } = fixture;
    const request = withdrawalFixture(alice, overrides);
    expect(failureOf(alice.funds.withdraw(request))).toMatchObject({ kind: 'rejected', code });
    expect(btcOf(fixture)).toEqual(['100', '0']);
    expect(withdrawalsOf(alice)).toEqual([]);
  });

  test('takes all that there is, to the last digit', () => {
    const fixture = fundsFixture();
    withdraw(fixture.alice, { amount: '99.9995' });
    expect(btcOf(fixture)).toEqual(['0', '100']);
  });

  test('checks permission, currency, address, fee, amount, password and balance in that order', () => {
    const { alice, bob } = fundsFixture({ bob: { permissions: {} } });
    const address = answerOf(alice.funds.withdrawalAddress('btc'));
    let request = { currency: 'doge', address: '?', fee: '0', amount: '0', password: '?' };
    const refused = (repair: Partial<typeof request>, account = alice) => {
      request = { ...request, ...repair };
      return failureOf(account.funds.withdraw(withdrawalFixture(account, request))).message;
    };
    expect(refused({}, bob)).toMatch(/no permission/);
    expect(refused({})).toMatch(/currency doge/);
    expect(refused({ currency: 'btc' })).toMatch(/address is not verified/);
    expect(refused({ address })).toMatch(/fee is 0, on the chain BTC it has to be 0.0005/);
    expect(refused({ fee: '0.0005' })).toMatch(/amount is 0, above 0/);
    expect(refused({ amount: '1000' })).toMatch(/password is wrong/);
    expect(refused({ password: PASSWORD })).toMatch(/balance is not enough/);
    expect(withdraw(alice, { ...request, amount: '1' })).toMatch(/^20220122\d{10}$/);
  });
});

describe('FundsDesk.withdraw: the funds password', () => {
  const attempt = ({ alice }: ReturnType<typeof fundsFixture>, password: string) => {
    const code = (): number | undefined =>
      failureOf(alice.funds.withdraw(withdrawalFixture(alice, { password }))).code;
    return code();
  };

  test('is locked by wrong ones in a row, each time, for a while, even for the right one', () => {
    const fixture = fundsFixture({ funds: { passwordAttempts: 3, passwordLockMs: 10_000 } });
    expect([1, 2, 3, 4].map(() => attempt(fixture, 'no'))).toEqual([1005, 1005, 1005, 1004]);
    expect(attempt(fixture, PASSWORD)).toBe(1004);
    fixture.clock.advanceBy(9_999);
    expect(attempt(fixture, PASSWORD)).toBe(1004);
    expect(withdraw(fixture.bob)).toMatch(/^\d+$/);
    fixture.clock.advanceBy(1);
    expect([1, 2, 3, 4].map(() => attempt(fixture, 'no'))).toEqual([1005, 1005, 1005, 1004]);
    fixture.clock.advanceBy(10_000);
    expect(withdraw(fixture.alice)).toMatch(/^\d+$/);
  });

  test('is forgiven wrong ones by a right one', () => {
    const fixture = fundsFixture({ funds: { passwordAttempts: 2 } });
    for (let i = 0; i < 3; i++) {
      expect(attempt(fixture, 'no')).toBe(1005);
      withdraw(fixture.alice);
    }
  });
});

describe('FundsDesk.withdraw: chains', () => {
  const chain = (name: string, settings: object = {}) =>
    chainSchema.parse({ name, withdrawalFee: '1', minWithdrawal: '2', ...settings });

  test('are chosen by the address; where two share it, by the fee', () => {
    const chains = [chain('A'), chain('B', { withdrawalFee: '3' })];
    const { alice, clock } = fundsFixture({
      currencies: { btc: { chains } },
      alice: {
        withdrawalAddresses: { btc: [{ address: 'same' }, { address: 'same', chain: 'B' }] },
      },
    });
    withdraw(alice, { address: 'same', fee: '3', amount: '2' });
    withdraw(alice, { address: 'same', fee: '1', amount: '2' });
    clock.advanceBy(HOUR_MS);
    expect(withdrawalsOf(alice).map(({ fee }) => fee.toString())).toEqual(['1', '3']);
  });

  test('may be closed, one or all', () => {
    const chains = [chain('A', { canWithdraw: false }), chain('B')];
    const { alice } = fundsFixture({
      currencies: { btc: { chains }, xrp: { chains: [chain('C', { canWithdraw: false })] } },
      alice: { withdrawalAddresses: { btc: [{ address: 'a' }, { address: 'b', chain: 'B' }] } },
    });
    const code = (overrides: Parameters<typeof withdrawalFixture>[1]) =>
      failureOf(alice.funds.withdraw(withdrawalFixture(alice, overrides)));
    expect(code({ address: 'a', fee: '1', amount: '2' })).toMatchObject({ code: CODES.general });
    expect(code({ currency: 'xrp' })).toMatchObject({ code: CODES.general });
    withdraw(alice, { address: 'b', fee: '1', amount: '2' });
  });

  test('carry money to another account of the exchange like to any other address', () => {
    const fixture = fundsFixture();
    const { bob, exchange, clock } = fixture;
    const address = answerOf(bob.funds.depositAddress('btc'));
    const verified = fundsFixture({ alice: { withdrawalAddresses: { btc: [{ address }] } } });
    const request = withdrawalFixture(fixture.alice, { address });
    expect(failureOf(fixture.alice.funds.withdraw(request)).code).toBe(CODES.invalidArguments);
    withdraw(verified.alice, { address });
    verified.clock.advanceBy(3 * MINUTE_MS);
    const [incoming] = answerOf(verified.bob.funds.deposits({ currency: 'btc' })).items;
    expect(incoming).toMatchObject({ status: 'waiting', internal: false, address });
    expect(incoming!.hash).toBe(withdrawalsOf(verified.alice)[0]!.hash);
    verified.clock.advanceBy(20 * MINUTE_MS);
    expect(btcOf(verified, 'bob')).toEqual(['101', '0']);
    expect(verified.exchange.outsideOf('btc').toString()).toBe('0.0005');
    expect([exchange.outsideOf('btc').sign, clock.now()]).toEqual([0, START_MS]);
  });
});

describe('FundsDesk.withdraw: within the exchange', () => {
  test('refuses an address that is not verified, whoever it belongs to', () => {
    const fixture = fundsFixture();
    const { alice, bob } = fixture;
    const address = answerOf(bob.funds.depositAddress('btc'));
    for (const fee of ['0', '0.0005']) {
      const request = withdrawalFixture(alice, { address, fee, internal: true });
      expect(failureOf(alice.funds.withdraw(request))).toMatchObject({
        code: CODES.invalidArguments,
        message: 'Cannot withdraw: the address is not verified',
      });
    }
    expect([btcOf(fixture), btcOf(fixture, 'bob')]).toEqual([
      ['100', '0'],
      ['100', '0'],
    ]);
  });

  test('moves money at once and charges nothing', () => {
    const fixture = trustingFixture('xrp');
    const { alice, bob, exchange } = fixture;
    const address = answerOf(bob.funds.depositAddress('xrp'));
    for (const fee of ['0', '0.1']) {
      withdraw(alice, { currency: 'xrp', address, fee, amount: '20', internal: true });
    }
    const [gone] = withdrawalsOf(alice, 'xrp');
    expect([gone!.status, gone!.fee.toString(), gone!.manageTime]).toEqual([
      'succeeded',
      '0',
      START_MS,
    ]);
    const [come] = answerOf(bob.funds.deposits({ currency: 'xrp' })).items;
    expect(come).toMatchObject({ status: 'succeeded', internal: true, address, confirmations: 0 });
    expect([walletOf(exchange, 'alice').xrp, walletOf(exchange, 'bob').xrp]).toEqual([
      ['4960', '0'],
      ['5040', '0'],
    ]);
    expect(exchange.outsideOf('xrp').sign).toBe(0);
  });

  test('tells the receiver by a push', () => {
    const { alice, bob } = trustingFixture('btc');
    const pushes = collect(bob.accountFeed.balances());
    const address = answerOf(bob.funds.depositAddress('btc'));
    withdraw(alice, { address, internal: true });
    expect(pushes.map(({ balances }) => balances[0]!.available.toString())).toEqual(['101']);
  });

  test('goes over a chain to a verified address elsewhere, and to oneself not at all', () => {
    const fixture = fundsFixture();
    const { alice } = fixture;
    withdraw(alice, { internal: true });
    expect(btcOf(fixture)).toEqual(['98.9995', '1.0005']);
    const address = answerOf(alice.funds.depositAddress('btc'));
    const request = withdrawalFixture(alice, { address, internal: true });
    expect(failureOf(alice.funds.withdraw(request)).code).toBe(CODES.invalidArguments);
  });
});

describe('FundsDesk.withdraw: within the exchange, what it minds', () => {
  test('goes over a chain to an own address, verified as it is', () => {
    const [own] = answerOf(fundsFixture().alice.funds.depositAddresses('btc'));
    const { address } = own!;
    const fixture = fundsFixture({ alice: { withdrawalAddresses: { btc: [{ address }] } } });
    withdraw(fixture.alice, { address, internal: true });
    expect(btcOf(fixture)).toEqual(['98.9995', '1.0005']);
    fixture.clock.advanceBy(HOUR_MS);
    expect(btcOf(fixture)).toEqual(['99.9995', '0']);
  });

  test('refuses what the receiving wallet has no room for, changing nothing', () => {
    const { alice, bob, exchange, clock } = trustingFixture('usdt');
    exchange.creditDeposit('bob', { currency: 'usdt', amount: '89000000' });
    clock.advanceBy(HOUR_MS);
    const address = answerOf(bob.funds.depositAddress('usdt'));
    const terms = { currency: 'usdt', address, fee: '0', internal: true };
    const request = withdrawalFixture(alice, { ...terms, amount: '100000' });
    expect(failureOf(alice.funds.withdraw(request))).toMatchObject({ code: CODES.general });
    expect(walletOf(exchange, 'alice').usdt).toEqual(['1000000', '0']);
    withdraw(alice, { ...terms, amount: '70000' });
    expect(walletOf(exchange, 'bob').usdt).toEqual(['90070000', '0']);
  });

  test('asks for password and balance as any other', () => {
    const fixture = trustingFixture('btc');
    const { alice, bob } = fixture;
    const address = answerOf(bob.funds.depositAddress('btc'));
    const code = (overrides: object) =>
      failureOf(
        alice.funds.withdraw(withdrawalFixture(alice, { address, internal: true, ...overrides })),
      ).code;
    expect([code({ password: 'no' }), code({ amount: '101' })]).toEqual([1005, CODES.balance]);
    expect([btcOf(fixture), btcOf(fixture, 'bob')]).toEqual([
      ['100', '0'],
      ['100', '0'],
    ]);
  });
});

describe('SimulatedExchange.stepWithdrawal', () => {
  test('takes a step ahead of time, and the clock does not take it again', () => {
    const fixture = fundsFixture();
    const { alice, exchange, clock } = fixture;
    const id = withdraw(alice, {});
    const pushes = collect(alice.accountFeed.balances());
    exchange.stepWithdrawal('alice', { id, status: 'confirmed' });
    exchange.stepWithdrawal('alice', { id, status: 'succeeded' });
    expect(pushes).toHaveLength(1);
    clock.advanceBy(HOUR_MS);
    expect(withdrawalsOf(alice)[0]).toMatchObject({ status: 'succeeded', manageTime: START_MS });
    expect(btcOf(fixture)).toEqual(['98.9995', '0']);
  });

  test('lets a confirmed one succeed in its time', () => {
    const fixture = fundsFixture();
    const id = withdraw(fixture.alice, {});
    fixture.exchange.stepWithdrawal('alice', { id, status: 'confirmed' });
    fixture.clock.advanceBy(2 * MINUTE_MS);
    expect(withdrawalsOf(fixture.alice)[0]!.status).toBe('succeeded');
  });

  test('refuses what cannot be, changing nothing', () => {
    const fixture = fundsFixture();
    const { alice, exchange } = fixture;
    const id = withdraw(alice, {});
    const step = (name: string, status: 'confirmed' | 'cancelled' | 'failed') => () =>
      exchange.stepWithdrawal(name, { id, status });
    expect(step('bob', 'failed')).toThrow(SimulationError);
    expect(step('nobody', 'failed')).toThrow(SimulationError);
    exchange.stepWithdrawal('alice', { id, status: 'confirmed' });
    expect(step('alice', 'confirmed')).toThrow(SimulationError);
    expect(step('alice', 'cancelled')).toThrow(SimulationError);
    exchange.stepWithdrawal('alice', { id, status: 'failed' });
    expect(step('alice', 'failed')).toThrow(/none such is on its way there/);
    expect(btcOf(fixture)).toEqual(['100', '0']);
  });
});
