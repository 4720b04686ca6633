import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../../src/kernel/index.ts';
import { readIsolatedAccount, WireError } from '../../../../src/venues/zb/wire/index.ts';

/** As other people's programs know it, with a few of the fields that nobody reads. */
const LEVER = {
  ...{ key: 'btcusdt', showName: 'BTC/USDT', level: 1, leverMultiple: '5.00', repayLock: false },
  ...{ riskRate: '-', totalConvertUSD: '20.49273433', netConvertUSD: '20.49', loanInConvertUSD: 0 },
  ...{ cShowName: 'BTC', cAvailable: '0.5', cFreeze: '0.25', cLoanIn: '0.1', cOverdraft: '0.0001' },
  ...{ fShowName: 'USDT', fAvailable: '20.49273433', fFreeze: 0, fLoanIn: '0.00' },
  ...{ fOverdraft: '0.00', couldTransferOutCoin: '0.2', couldTransferOutFiat: '20.49273433' },
};
const read = (change: object) => {
  const datas = { leverPerm: true, levers: [{ ...LEVER, ...change }] };
  return readIsolatedAccount({ code: 1000, message: { des: 'success', isSuc: true, datas } });
};

describe('readIsolatedAccount', () => {
  test('reads what is held and owed of both currencies of a market', () => {
    expect(read({})).toEqual([
      {
        market: 'btc_usdt',
        base: {
          ...{ currency: 'btc', available: Decimal.of('0.5'), frozen: Decimal.of('0.25') },
          ...{ loan: Decimal.of('0.1'), overdraft: Decimal.of('0.0001') },
          transferable: Decimal.of('0.2'),
        },
        quote: {
          ...{ currency: 'usdt', available: Decimal.of('20.49273433'), frozen: Decimal.of(0) },
          ...{ loan: Decimal.of('0.00'), overdraft: Decimal.of('0.00') },
          transferable: Decimal.of('20.49273433'),
        },
        ...{ total: Decimal.of('20.49273433'), net: Decimal.of('20.49'), loan: Decimal.of(0) },
        riskRate: undefined,
      },
    ]);
    expect(read({ riskRate: '1.25' })[0]!.riskRate).toBe(1.25);
  });

  test.each([{ cShowName: '' }, { fFreeze: '-' }, { netConvertUSD: null }, { riskRate: 'high' }])(
    'refuses %j',
    (change) => {
      expect(() => read(change)).toThrow(WireError);
    },
  );

  test.each([{}, { message: 'ok' }, { message: { datas: {} } }])(
    'refuses %j as a whole',
    (rest) => {
      expect(() => readIsolatedAccount({ code: 1000, ...rest })).toThrow(WireError);
    },
  );
});
