import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { SIGNED_OPERATIONS } from '../../../../src/venues/zb/server/operations/index.ts';
import {
  BTC_USDT,
  FULL_KEY,
  KEY,
  ORDER,
  type SigningChanges,
  serverFixture,
  sessionFixture,
  signedTarget,
  TICKER,
} from './fixture.ts';

/** Good values for every parameter that any operation wants. */
const GOOD: Readonly<Record<string, string>> = {
  ...ORDER,
  market: 'btc_usdt',
  tradeParams: '[[30000,0.1]]',
  id: '202202224851151555',
  fees: '0.001',
  receiveAddr: '0x1',
  safePwd: 'secret',
  state: 'true',
};
/** The operations whose `currency` is a currency and not a market. */
const OF_CURRENCY = [...SIGNED_OPERATIONS.values()]
  .map(({ name }) => name)
  .filter((name) => /Address|Record|FeeInfo|SpotBills|withdraw/.test(name));

const NONE = { assets: false, orders: false, withdrawals: false, margin: false };
const KEYS = [
  FULL_KEY,
  { ...KEY, accessKey: 'none', permissions: NONE },
  { ...KEY, accessKey: 'disabled', permissions: NONE, disabled: true, boundAddresses: ['9.9.9.9'] },
  { ...KEY, accessKey: 'bound', permissions: NONE, boundAddresses: ['9.9.9.9'] },
];
const OLD = '1645610000000';

describe.each([...SIGNED_OPERATIONS.values()])('$name', ({ name, required, permission }) => {
  const parameters = {
    ...GOOD,
    ...(OF_CURRENCY.includes(name) && { currency: 'BTC' }),
  };
  const first = required[0];
  const lacking = first === undefined ? parameters : { ...parameters, [first]: '' };

  /** From the last check to the first: each request has the faults of all later checks too. */
  const steps: readonly (readonly [number, SigningChanges, Record<string, string>])[] = [
    [1000, {}, parameters],
    ...(permission === undefined ? [] : [[1012, { accessKey: 'none' }, parameters] as const]),
    [1003, { accessKey: 'none', sign: 'x' }, parameters],
    ...(first === undefined ? [] : [[3005, { accessKey: 'none', sign: 'x' }, lacking] as const]),
    [3005, { accessKey: 'none', sign: 'x', method: 'other' }, lacking],
    [3007, { accessKey: 'none', sign: 'x', reqTime: OLD }, lacking],
    [3006, { accessKey: 'bound', sign: 'x', reqTime: OLD }, lacking],
    [4001, { accessKey: 'disabled', sign: 'x', reqTime: OLD }, lacking],
    [1003, { accessKey: 'nobody', sign: 'x', reqTime: OLD }, lacking],
    [3005, { accessKey: 'nobody', sign: '', reqTime: OLD }, lacking],
    [3005, { accessKey: '', sign: 'x', reqTime: OLD }, lacking],
    [3005, { accessKey: 'nobody', sign: 'x', reqTime: 'soon' }, lacking],
  ];

  it('makes its checks in the order of the exchange', () => {
    const { call } = serverFixture({ keys: KEYS });
    const codes = steps.map(([, changes, values]) => call(name, values, changes).code);
    const wanted = steps.map(([code]) => code);
    // Successful answers that are an order or an account have no code.
    expect(codes.map((code) => code ?? 1000)).toEqual(wanted);
  });

  it('minds the lock of the address and the rate of the key before the key itself', () => {
    const limits = { enforced: true, requestsPerSecond: 1, requestsPerMinute: 2 };
    const { call } = serverFixture({
      keys: KEYS,
      limits: { ...limits, candleIntervalMs: 0, lockMs: 1_000 },
    });
    const code = () => call(name, lacking, { accessKey: 'disabled', sign: 'x' }).code;
    expect([code(), code(), code()]).toEqual([4001, 4002, 4001]);
    expect(call(name, lacking, { accessKey: 'nobody' }).code).toBe(1003);
  });

  it('refuses a parameter that comes twice', () => {
    const { ask } = serverFixture({ keys: KEYS });
    expect(ask(`${signedTarget(name, parameters)}&method=${name}`).code).toBe(3005);
  });
});

describe('old names of currencies', () => {
  const OLD_NAMES = ['bchabc', 'bchsv', 'hsr', 'nxwc', 'HSR'];
  const ofMarket = [...SIGNED_OPERATIONS.values()].filter(
    ({ name, required }) =>
      !OF_CURRENCY.includes(name) && (required.includes('currency') || required.includes('market')),
  );
  const refusalsOf = (name: string, parameters: Record<string, string>) => {
    const { call } = serverFixture({ keys: KEYS });
    return call(name, { ...GOOD, ...parameters });
  };

  it.each(OF_CURRENCY)('are refused as the currency of %s', (name) => {
    for (const old of OLD_NAMES) {
      expect(refusalsOf(name, { currency: old })).toEqual({
        code: 3005,
        message: expect.stringMatching(/is now (bch|bsv|hc|xwc)/),
      });
    }
  });

  it.each(ofMarket)('are refused in the market of $name', ({ name }) => {
    for (const old of OLD_NAMES.flatMap((currency) => [`${currency}_usdt`, `btc_${currency}`])) {
      expect(refusalsOf(name, { currency: old, market: old })).toEqual({
        code: 1001,
        message: expect.stringMatching(/is now (bch|bsv|hc|xwc)/),
      });
    }
  });

  it('make no market, and are in no way of the others', () => {
    const old = { ...BTC_USDT, id: 'hsr_usdt', base: 'hsr' };
    const tickers = () => of([{ ...TICKER, market: old.id }, TICKER]);
    const listed = { keys: KEYS, markets: [old, BTC_USDT], market: { tickers } };
    const { ask } = serverFixture(listed);
    expect(Object.keys(ask('/data/v1/markets'))).toEqual([BTC_USDT.id]);
    expect(Object.keys(ask('/data/v1/allTicker'))).toEqual([BTC_USDT.id]);
    const { add, heard } = sessionFixture(listed);
    add('hsrusdt_ticker');
    expect(heard()).toMatchObject([{ code: 1007 }]);
  });
});
