import { of } from 'rxjs';
import type {
  Bill,
  ChainAddress,
  CrossAccount,
  Deposit,
  IsolatedMarket,
  OrderRecord,
  Withdrawal,
  WithdrawalFee,
} from '../../../../src/domain/index.ts';
import type { FundsPort, MarginPort, OrderListsPort } from '../../../../src/exchange/index.ts';
import { Decimal } from '../../../../src/kernel/index.ts';

/** 2022-02-23 10:10:10 UTC. */
const TIME = 1_645_611_010_000;

export const BILL: Bill = {
  id: '9007199254740993123',
  currency: 'usdt',
  change: Decimal.of('-12.50'),
  balance: Decimal.of('987.123456789012345678'),
  time: TIME,
  type: 'Sell "x"',
  remark: '备注',
};

export const ADDRESSES: readonly ChainAddress[] = [
  {
    chain: 'TRC20',
    address: 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7',
    memo: undefined,
    canDeposit: true,
    canWithdraw: false,
  },
  { chain: 'EOS', address: 'exchange', memo: '42', canDeposit: false, canWithdraw: true },
];

export const WITHDRAWAL: Withdrawal = {
  id: '2016042556231',
  amount: Decimal.of('0.010'),
  fee: Decimal.of('0.00000000000000000001'),
  status: 'confirmed',
  submitTime: TIME,
  manageTime: TIME + 1_000,
  address: '14fxEPirL9fyfw1i9EF439Pq6gQ5xijUmp_"memo"',
  merchantOrderNumber: '',
  hash: '7ce842',
};

export const DEPOSIT: Deposit = {
  id: '558',
  currency: 'btc',
  amount: Decimal.of('123456789.123456789'),
  address: '1FKN1DZqCm8HaTujDioRL2Aezdh7Qj7xxx',
  confirmations: 3,
  description: 'Successfully Confirm',
  hash: '7ce842de',
  internal: true,
  status: 'succeeded',
  submitTime: TIME,
};

export const FEE: WithdrawalFee = {
  chain: 'TRC20',
  mainChain: 'TRX',
  fee: Decimal.of('0.80'),
  canDeposit: true,
  canWithdraw: false,
};

export const CROSS: CrossAccount = {
  assets: [
    {
      currency: 'btc',
      available: Decimal.of('1.5'),
      frozen: Decimal.of('0.25'),
      loan: Decimal.of('0.1'),
      overdraft: Decimal.of('0.0001'),
      transferable: Decimal.of('0.7'),
    },
  ],
  total: Decimal.of('71.167'),
  net: Decimal.of('61.167'),
  loan: Decimal.of('10'),
  riskRate: 7.1167,
};

const { assets: _, ...WORTH } = CROSS;
export const ISOLATED: IsolatedMarket = {
  market: 'btc_usdt',
  base: CROSS.assets[0]!,
  quote: { ...CROSS.assets[0]!, currency: 'usdt', available: Decimal.of('12.50') },
  ...WORTH,
};

/** A page of one item of 21. */
function pageOf<T>(
  item: T,
  { page = 1, pageSize = 10 }: { page?: number | undefined; pageSize?: number | undefined },
) {
  return of({ items: [item], page, pageSize, totalCount: 21 });
}

export function fakeFunds(changes: Partial<FundsPort> = {}): FundsPort {
  return {
    bills: () => of([BILL]),
    depositAddress: () => of('0x"1"'),
    depositAddresses: () => of(ADDRESSES),
    withdrawalAddress: () => of('0x2'),
    withdrawals: (query) => pageOf(WITHDRAWAL, query),
    deposits: (query) => pageOf(DEPOSIT, query),
    withdrawalFees: () => of(new Map([['usdt', [FEE]]])),
    withdraw: () => of({ withdrawalId: '2016042556231' }),
    ...changes,
  };
}

export function fakeOrderLists(
  orders: readonly OrderRecord[],
  changes: Partial<OrderListsPort> = {},
): OrderListsPort {
  return { list: () => of(orders), ...changes };
}

export function fakeMargin(changes: Partial<MarginPort> = {}): MarginPort {
  return {
    crossAccount: () => of(CROSS),
    isolatedAccount: () => of([ISOLATED]),
    setAutoBorrow: () => of(undefined),
    setAutoRepay: () => of(undefined),
    ...changes,
  };
}
