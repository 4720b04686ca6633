import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/kernel/index.ts';
import { marketOf, SimulatedExchange, simulationSchema } from '../../../src/sim/index.ts';
import { answerOf, START_MS } from '../fixture.ts';

/** An exchange as `app` opens it: with all that the schema made of the settings. */
function openFrom(settings: object) {
  const config = simulationSchema.parse(settings);
  const accounts = config.accounts as ConstructorParameters<
    typeof SimulatedExchange
  >[0]['accounts'];
  const markets = config.markets.map(marketOf);
  return new SimulatedExchange({ ...config, accounts, markets, clock: new VirtualClock(START_MS) });
}

describe('simulationSchema: funds', () => {
  test('needs nothing', () => {
    const { funds, currencies, accounts } = simulationSchema.parse({});
    expect(funds).toEqual({
      reviewMs: 60_000,
      transferMs: 120_000,
      withdrawalOutcome: 'succeeded',
      depositOutcome: 'succeeded',
      passwordAttempts: 5,
      passwordLockMs: 3_600_000,
    });
    expect(currencies).toEqual({});
    expect(accounts[0]).toMatchObject({ fundsPassword: 'funds-password' });
  });

  test('opens currencies, chains, addresses and passwords as configured', () => {
    const exchange = openFrom({
      seed: 5,
      currencies: {
        doge: { fullName: 'Dogecoin', chains: [{ name: 'DOGE', withdrawalFee: '2' }] },
      },
      accounts: [
        {
          name: 'main',
          permissions: { withdrawals: true },
          fundsPassword: 'secret',
          withdrawalAddresses: { doge: [{ address: 'DMine' }] },
          withoutDepositAddress: ['btc'],
        },
      ],
    });
    const { funds } = exchange.account('main')!;
    const [fee] = answerOf(funds.withdrawalFees('doge')).get('doge')!;
    expect(`${fee!.chain} ${fee!.fee}`).toBe('DOGE 2');
    expect(answerOf(funds.withdrawalAddress('doge'))).toBe('DMine');
    expect(() => answerOf(funds.depositAddress('btc'))).toThrow(/created first/);
    exchange.creditDeposit('main', { currency: 'doge', amount: '100', internal: true });
    expect(exchange.outsideOf('doge').toString()).toBe('-100');
  });

  test.each([
    [{ currencies: { btc: { decimals: 9 } } }],
    [{ currencies: { btc: { chains: [] } } }],
    [{ currencies: { BTC: {} } }],
    [{ currencies: { btc: { chains: [{ name: 'A', withdrawalFee: 1 }] } } }],
    [{ currencies: { btc: { chains: [{ name: 'A_B' }] } } }],
    [{ funds: { withdrawalOutcome: 'lost' } }],
    [{ funds: { passwordAttempts: 0 } }],
    [{ accounts: [{ name: 'a', fundsPassword: '' }] }],
    [{ accounts: [{ name: 'a', withdrawalAddresses: { btc: [] } }] }],
    [{ accounts: [{ name: 'a', withdrawalAddresses: { btc: ['1'] } }] }],
  ])('refuses %j', (settings) => {
    expect(simulationSchema.safeParse(settings).success).toBe(false);
  });
});
