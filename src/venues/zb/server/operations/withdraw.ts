import { CODES } from '../../../../exchange/index.ts';
import type { Decimal } from '../../../../kernel/index.ts';
import { refuse, successBody } from '../answers.ts';
import { readSum } from '../money.ts';
import { signedOperation } from '../operation.ts';
import { currency, defaulting, flag, invalid, type Reader, required, text } from '../parameters.ts';

/** The amount that is to arrive. */
const amount: Reader<Decimal> = (value) => {
  const sum = readSum(value);
  return sum !== undefined && sum.sign > 0
    ? sum
    : refuse(CODES.invalidAmount, 'Invalid amount: a number above 0 wanted');
};

/** The network's fee, which may be 0. */
const fee: Reader<Decimal> = (value, name) => readSum(value) ?? invalid(name, 'a number from 0 on');

/** Sends money away. The password goes only to the host: it is in no message and no log. */
export const withdraw = signedOperation({
  name: 'withdraw',
  permission: 'withdrawals',
  parameters: {
    currency: required(currency),
    amount: required(amount),
    fees: required(fee),
    itransfer: defaulting(flag, false),
    receiveAddr: required(text),
    safePwd: required(text),
  },
  handle: (values, { exchange }) =>
    exchange.funds.withdraw({
      currency: values.currency,
      amount: values.amount,
      fee: values.fees,
      address: values.receiveAddr,
      password: values.safePwd,
      internal: values.itransfer,
    }),
  render: ({ withdrawalId }, { dialect }) =>
    successBody(dialect, `"id":${JSON.stringify(withdrawalId)}`),
});
