import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../../src/kernel/index.ts';
import { readWithdrawalFees, WireError } from '../../../../src/venues/zb/wire/index.ts';

const TRON = {
  chainName: 'TRC20',
  canWithdraw: true,
  fee: 1,
  mainChainName: 'TRX',
  canDeposit: false,
};
const read = (result: unknown) => readWithdrawalFees({ code: 1000, message: 'success', result });

describe('readWithdrawalFees', () => {
  test('reads chains by the small name of their currency', () => {
    const fees = read({
      USDT: [TRON, { ...TRON, fee: '0.00000001', mainChainName: null }],
      BTC: [],
    });
    expect([...fees.keys()]).toEqual(['usdt', 'btc']);
    expect(fees.get('usdt')).toEqual([
      {
        chain: 'TRC20',
        mainChain: 'TRX',
        fee: Decimal.of(1),
        canDeposit: false,
        canWithdraw: true,
      },
      {
        chain: 'TRC20',
        mainChain: '',
        fee: Decimal.of('0.00000001'),
        canDeposit: false,
        canWithdraw: true,
      },
    ]);
  });

  test.each([
    null,
    [],
    { USDT: TRON },
    { USDT: [5] },
    { USDT: [{ ...TRON, fee: 'free' }] },
    { USDT: [{ ...TRON, canDeposit: 1 }] },
  ])('refuses %j', (result) => {
    expect(() => read(result)).toThrow(WireError);
  });
});
