import { describe, expect, test } from 'vitest';
import { ExchangeFailure } from '../../../../src/exchange/index.ts';
import {
  readAddress,
  readChainAddresses,
  WireError,
} from '../../../../src/venues/zb/wire/index.ts';

const nested = (datas: unknown) => ({ code: '1000', message: { des: 'ok', isSuc: true, datas } });
const ADDRESS = {
  blockChain: 'trx',
  canDeposit: true,
  canWithdraw: false,
  isUseMemo: false,
  address: 'TXabc',
};
const ACCOUNT = {
  blockChain: 'eos',
  canDeposit: true,
  canWithdraw: true,
  isUseMemo: true,
  account: 'exchange',
  memo: '0042',
};

describe('readAddress', () => {
  test('reads the key of the nested data', () => {
    expect(readAddress(nested({ key: '0xAbC_1' }))).toBe('0xAbC_1');
  });

  test('is refused where there is none yet', () => {
    const read = () => readAddress(nested({ key: '' }));
    expect(read).toThrow(ExchangeFailure);
    expect(read).toThrow(/there is none/);
  });

  test.each([
    nested({}),
    nested(null),
    nested({ key: 5 }),
    { code: 1000, message: 'ok' },
    nested([]),
  ])('refuses %j', (json) => {
    expect(() => readAddress(json)).toThrow(WireError);
  });
});

describe('readChainAddresses', () => {
  test('reads an address, or an account with its memo', () => {
    expect(
      readChainAddresses(nested([ADDRESS, ACCOUNT, { ...ADDRESS, blockChain: null }])),
    ).toEqual([
      { chain: 'trx', address: 'TXabc', memo: undefined, canDeposit: true, canWithdraw: false },
      { chain: 'eos', address: 'exchange', memo: '0042', canDeposit: true, canWithdraw: true },
      { chain: undefined, address: 'TXabc', memo: undefined, canDeposit: true, canWithdraw: false },
    ]);
  });

  test.each([
    { ...ADDRESS, address: '' },
    { ...ADDRESS, address: undefined },
    { ...ADDRESS, isUseMemo: 'false' },
    { ...ADDRESS, canDeposit: undefined },
    { ...ACCOUNT, memo: '' },
    { ...ACCOUNT, account: undefined },
    'TXabc',
  ])('never gives half an address: %j', (item) => {
    expect(() => readChainAddresses(nested([item]))).toThrow(WireError);
  });
});
