import { describe, expect, test } from 'vitest';
import { CODES } from '../../../src/exchange/index.ts';
import { SimulationError } from '../../../src/sim/index.ts';
import { answerOf, failureOf } from '../fixture.ts';
import { fundsFixture } from './fixture.ts';

const addressesOf = (
  { alice, bob }: ReturnType<typeof fundsFixture>,
  currencies = ['btc', 'usdt', 'xrp'],
) =>
  [alice, bob].flatMap(({ funds }) =>
    currencies.flatMap((currency) =>
      answerOf(funds.depositAddresses(currency)).map(({ address, memo }) => `${address} ${memo}`),
    ),
  );

describe('FundsDesk.depositAddresses', () => {
  test('are one a chain, told apart by a memo where the chain knows them', () => {
    const { alice, bob } = fundsFixture();
    const chains = answerOf(alice.funds.depositAddresses('usdt'));
    expect(chains.map(({ chain, memo, canDeposit }) => [chain, memo, canDeposit])).toEqual([
      ['TRC20', undefined, true],
      ['ERC20', undefined, true],
      ['OMNI', undefined, true],
    ]);
    expect(chains[0]!.address).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/);
    expect(chains[1]!.address).toMatch(/^0x[0-9a-f]{40}$/);
    const [hers] = answerOf(alice.funds.depositAddresses('xrp'));
    const [his] = answerOf(bob.funds.depositAddresses('xrp'));
    expect(hers!.address).toBe(his!.address);
    expect(hers!.memo).toMatch(/^\d{7}$/);
    expect(hers!.memo).not.toBe(his!.memo);
  });

  test('differ between accounts, currencies and seeds, and are the same for the same', () => {
    const addresses = addressesOf(fundsFixture());
    expect(new Set(addresses).size).toBe(10);
    expect(addressesOf(fundsFixture())).toEqual(addresses);
    expect(addressesOf(fundsFixture({ seed: 'tradewind' }))).toEqual(addresses);
    const others = addressesOf(fundsFixture({ seed: 7 }));
    expect(others.filter((address) => addresses.includes(address))).toEqual([]);
  });
});

describe('FundsDesk.depositAddress', () => {
  test('is the one of the main chain', () => {
    const { alice } = fundsFixture();
    const [main] = answerOf(alice.funds.depositAddresses('usdt'));
    expect(answerOf(alice.funds.depositAddress('usdt'))).toBe(main!.address);
    const [memoed] = answerOf(alice.funds.depositAddresses('xrp'));
    const text = `${memoed!.address}_${memoed!.memo}`;
    expect(answerOf(alice.funds.depositAddress('xrp'))).toBe(text);
  });

  test('is refused where it was never created', () => {
    const { alice, bob, exchange } = fundsFixture({ alice: { withoutDepositAddress: ['btc'] } });
    expect(failureOf(alice.funds.depositAddress('btc')).code).toBe(CODES.general);
    expect(failureOf(alice.funds.depositAddresses('btc')).code).toBe(CODES.general);
    expect(answerOf(bob.funds.depositAddress('btc'))).toMatch(/^1/);
    const deposit = { currency: 'btc', amount: '1' };
    expect(() => exchange.creditDeposit('alice', deposit)).toThrow(/there is no address/);
  });

  test('needs the permission for funds and a currency that there is', () => {
    const { alice, bob } = fundsFixture({ bob: { permissions: {} } });
    expect(failureOf(bob.funds.depositAddress('btc')).code).toBe(CODES.noPermission);
    expect(failureOf(bob.funds.withdrawalAddress('btc')).code).toBe(CODES.noPermission);
    expect(failureOf(alice.funds.depositAddress('doge')).code).toBe(CODES.invalidArguments);
    expect(failureOf(alice.funds.depositAddress('constructor')).code).toBe(CODES.invalidArguments);
  });
});

describe('FundsDesk.withdrawalAddress', () => {
  test('is made up unless it is configured', () => {
    const { alice, bob } = fundsFixture({
      alice: {
        withdrawalAddresses: { btc: [{ address: '1Her' }], xrp: [{ address: 'r', memo: '5' }] },
      },
    });
    expect(answerOf(alice.funds.withdrawalAddress('btc'))).toBe('1Her');
    expect(answerOf(alice.funds.withdrawalAddress('xrp'))).toBe('r_5');
    expect(answerOf(bob.funds.withdrawalAddress('btc'))).toMatch(/^1.{33}$/);
    expect(answerOf(bob.funds.withdrawalAddress('xrp'))).toMatch(/^r.{33}_\d{7}$/);
  });

  test.each([
    [{ doge: [{ address: 'D' }] }, /no such currency/],
    [{ btc: [{ address: '1', chain: 'TRC20' }] }, /no chain TRC20/],
    [{ btc: [{ address: '1', memo: '7' }] }, /knows no memo/],
    [{ xrp: [{ address: 'r' }] }, /needs a memo/],
  ])('refuses to be %j', (withdrawalAddresses, message) => {
    const open = () => fundsFixture({ alice: { withdrawalAddresses } });
    expect(open).toThrow(SimulationError);
    expect(open).toThrow(message);
  });
});

describe('FundsDesk.withdrawalFees', () => {
  test('are told of one currency or of all, without a permission', () => {
    const { alice } = fundsFixture({ alice: { permissions: { withdrawals: false } } });
    const fees = answerOf(alice.funds.withdrawalFees('usdt'));
    expect([...fees.keys()]).toEqual(['usdt']);
    expect(
      fees.get('usdt')!.map(({ chain, mainChain, fee }) => `${chain} ${mainChain} ${fee}`),
    ).toEqual(['TRC20 TRX 1', 'ERC20 ETH 5', 'OMNI BTC 10']);
    expect([...answerOf(alice.funds.withdrawalFees()).keys()].sort()).toEqual([
      'btc',
      'usdt',
      'xrp',
    ]);
    expect(failureOf(alice.funds.withdrawalFees('doge')).code).toBe(CODES.invalidArguments);
  });
});
