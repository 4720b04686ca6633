import { nestedSuccessBody } from '../answers.ts';
import { signedOperation } from '../operation.ts';
import { currency, pageIndex, pageSize, required } from '../parameters.ts';
import { renderDeposits, renderWithdrawals } from '../render/funds.ts';

/** Neither contract nor recordings name a limit: that of the order lists is used. */
const PAGE_SIZE_MAX = 100;

const pageOfCurrency = {
  currency: required(currency),
  pageIndex,
  pageSize: pageSize(1, PAGE_SIZE_MAX),
};

/** Lists withdrawals of a currency, newest first. */
export const getWithdrawRecord = signedOperation({
  name: 'getWithdrawRecord',
  permission: 'withdrawals',
  parameters: pageOfCurrency,
  handle: ({ currency: name, pageIndex: page, pageSize: size }, { exchange }) =>
    exchange.funds.withdrawals({ currency: name, page, pageSize: size }),
  render: (page, { dialect }) => nestedSuccessBody(dialect, renderWithdrawals(page)),
});

/** Lists deposits of a currency, newest first. */
export const getChargeRecord = signedOperation({
  name: 'getChargeRecord',
  permission: 'withdrawals',
  parameters: pageOfCurrency,
  handle: ({ currency: name, pageIndex: page, pageSize: size }, { exchange }) =>
    exchange.funds.deposits({ currency: name, page, pageSize: size }),
  render: (page, { dialect }) => nestedSuccessBody(dialect, renderDeposits(page)),
});
