import type { BillsQuery, RecordsQuery, WithdrawRequest } from '../../../exchange/index.ts';
import { writtenTime } from './dates.ts';
import { WireError } from './errors.ts';
import type { MethodParameters } from './requests.ts';

/**
 * `getSpotBills`. Both ends of the span are rounded down to whole seconds: bills of the
 * seconds in which it begins and ends may be among the answer though outside of it.
 *
 * @throws {WireError} when a time cannot be written.
 */
export function billsParameters(query: BillsQuery): MethodParameters {
  const { currency, startTime, endTime, older, page, pageSize } = query;
  return {
    ...(currency === undefined ? {} : { currency }),
    ...(older === undefined ? {} : { dataType: older ? '1' : '0' }),
    ...(endTime === undefined ? {} : { endDate: writtenTime(endTime) }),
    method: 'getSpotBills',
    ...(page === undefined ? {} : { pageIndex: String(page) }),
    ...(pageSize === undefined ? {} : { pageSize: String(pageSize) }),
    ...(startTime === undefined ? {} : { startDate: writtenTime(startTime) }),
  };
}

/** `getUserAddress`, `getPayinAddress` and `getWithdrawAddress`. */
export function addressParameters(
  method: 'getUserAddress' | 'getPayinAddress' | 'getWithdrawAddress',
  currency: string,
): MethodParameters {
  return { currency, method };
}

/** Default number of records on a page. Source: `RecordsQuery`. */
export const RECORDS_PAGE_SIZE = 10;

/** `getWithdrawRecord` and `getChargeRecord`. */
export function recordsParameters(
  method: 'getWithdrawRecord' | 'getChargeRecord',
  { currency, page = 1, pageSize = RECORDS_PAGE_SIZE }: RecordsQuery,
): MethodParameters {
  return { currency, method, pageIndex: String(page), pageSize: String(pageSize) };
}

/** `getFeeInfo`, when it is sent signed. */
export function feesParameters(currency: string | undefined): MethodParameters {
  return { ...(currency === undefined ? {} : { currency }), method: 'getFeeInfo' };
}

/**
 * `withdraw`. Errors never contain the funds password.
 *
 * @throws {WireError} when an amount is none, or address or password are empty.
 */
export function withdrawParameters(request: WithdrawRequest): MethodParameters {
  const { amount, fee, address, password } = request;
  if (amount.sign <= 0) refuse(`the amount is ${amount}, a positive one is wanted`);
  if (fee.sign < 0) refuse(`the fee is ${fee}, one from 0 on is wanted`);
  if (address === '') refuse('the address is empty, a verified one is wanted');
  if (password === '') refuse('the funds password is empty, it is wanted');
  return {
    amount: amount.toString(),
    currency: request.currency,
    fees: fee.toString(),
    itransfer: request.internal === true ? '1' : '0',
    method: 'withdraw',
    receiveAddr: address,
    safePwd: password,
  };
}

function refuse(why: string): never {
  throw new WireError(`Cannot withdraw: ${why}`);
}
