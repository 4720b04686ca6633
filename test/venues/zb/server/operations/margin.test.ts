import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { FULL_KEY, KEY, serverFixture } from '../fixture.ts';
import { CROSS } from '../funds-fixture.ts';

const fixture = (options: Parameters<typeof serverFixture>[0] = {}) =>
  serverFixture({ keys: [FULL_KEY], ...options });

describe('getCrossAssets', () => {
  it('shows the fields of the recording', () => {
    expect(fixture().call('getCrossAssets')).toEqual({
      code: 1000,
      message: '操作成功',
      result: {
        loanIn: 10,
        total: 71.167,
        riskRate: '7.1167',
        net: 61.167,
        list: [
          {
            fundType: expect.any(Number),
            loanIn: 0.1,
            amount: 1.5,
            freeze: 0.25,
            overdraft: 0.0001,
            key: 'BTC',
            canTransferOut: 0.7,
          },
        ],
      },
    });
  });

  it('has no rate without a loan', () => {
    const crossAccount = () => of({ ...CROSS, assets: [], riskRate: undefined });
    const { result } = fixture({ margin: { crossAccount } }).call('getCrossAssets');
    expect(result).toMatchObject({ riskRate: '-', list: [] });
  });
});

describe('getLeverAssetsInfo', () => {
  it('shows a lever a market, every value a text', () => {
    expect(fixture().call('getLeverAssetsInfo')).toEqual({
      code: 1000,
      message: {
        ...{ des: '操作成功', isSuc: true },
        datas: {
          leverPerm: true,
          levers: [
            {
              ...{ key: 'btcusdt', showName: 'BTC/USDT', riskRate: '7.1167' },
              ...{ totalConvertUSD: '71.167', netConvertUSD: '61.167', loanInConvertUSD: '10' },
              ...{ cEnName: 'BTC', cShowName: 'BTC', cUnitTag: 'BTC', cAvailable: '1.5' },
              ...{ cFreeze: '0.25', cLoanIn: '0.1', cOverdraft: '0.0001' },
              ...{ fEnName: 'USDT', fShowName: 'USDT', fUnitTag: 'USDT', fAvailable: '12.5' },
              ...{ fFreeze: '0.25', fLoanIn: '0.1', fOverdraft: '0.0001' },
              ...{ couldTransferOutCoin: '0.7', couldTransferOutFiat: '0.7' },
            },
          ],
        },
      },
    });
  });
});

describe('setExpressState and setRepayState', () => {
  it.each([
    ['setExpressState', 'setAutoBorrow'],
    ['setRepayState', 'setAutoRepay'],
  ])('switch on and off: %s', (name, port) => {
    const { call, called } = fixture();
    const code = (state: string) => call(name, { state }).code;
    expect(['true', '1', 'false', '0'].map(code)).toEqual([1000, 1000, 1000, 1000]);
    expect([code(''), code('2'), call(name).code]).toEqual([3005, 3005, 3005]);
    expect(called(port)).toEqual([true, true, false, false]);
    expect(call(name, { state: '1' })).toEqual({ code: 1000, message: '操作成功' });
  });
});

describe('the right to margin', () => {
  it.each(['getCrossAssets', 'getLeverAssetsInfo', 'setExpressState', 'setRepayState'])(
    'is needed for %s',
    (name) => {
      const { call, called } = fixture({ keys: [KEY] });
      expect(call(name, { state: '1' }).code).toBe(1012);
      const ports = ['crossAccount', 'isolatedAccount', 'setAutoBorrow', 'setAutoRepay'];
      expect(ports.flatMap(called)).toEqual([]);
    },
  );
});
