import { catchError, throwError } from 'rxjs';
import type { Page } from '../../../../domain/index.ts';
import {
  CODES,
  ExchangeFailure,
  type FundsPort,
  type RecordsQuery,
} from '../../../../exchange/index.ts';
import {
  addressParameters,
  billsParameters,
  feesParameters,
  pathOf,
  RECORDS_PAGE_SIZE,
  readAddress,
  readBills,
  readChainAddresses,
  readDeposits,
  readWithdrawalFees,
  readWithdrawals,
  readWithdrawn,
  recordsParameters,
  targetOf,
  withdrawParameters,
} from '../../wire/index.ts';
import type { HttpTransport } from '../network/transport.ts';
import { send } from './call.ts';
import { emptyAs } from './emptiness.ts';
import type { SignedRequests } from './signed-requests.ts';

interface FundsOptions {
  readonly requests: SignedRequests;
  /** For unsigned requests to the trade address. */
  readonly http: HttpTransport;
}

/** Codes of a list without records. Source: wire facts, table of codes. */
const NO_RECORDS = [3008, CODES.orderNotFound];
/** Codes of a request that should have been signed. Source: wire facts, order of checks. */
const KEY_WANTED: readonly (number | undefined)[] = [CODES.unverified, CODES.invalidArguments];

/**
 * Deposits and withdrawals over REST. Source: contract, Signed endpoints. No request is repeated.
 */
export function restFunds({ requests, http }: FundsOptions): FundsPort {
  return {
    /** Contract, getSpotBills. */
    bills: (query) =>
      requests
        .send('read bills', {
          parameters: () => billsParameters(query),
          read: readBills,
        })
        .pipe(emptyAs([], NO_RECORDS)),
    /** Contract, getUserAddress. */
    depositAddress: (currency) =>
      requests.send('read the deposit address', {
        parameters: () => addressParameters('getUserAddress', currency),
        read: readAddress,
      }),
    /** Contract, getPayinAddress. */
    depositAddresses: (currency) =>
      requests.send('read deposit addresses', {
        parameters: () => addressParameters('getPayinAddress', currency),
        read: readChainAddresses,
      }),
    /** Contract, getWithdrawAddress. */
    withdrawalAddress: (currency) =>
      requests.send('read the withdrawal address', {
        parameters: () => addressParameters('getWithdrawAddress', currency),
        read: readAddress,
      }),
    /** Contract, getWithdrawRecord. */
    withdrawals: (query) =>
      requests
        .send('read withdrawals', {
          parameters: () => recordsParameters('getWithdrawRecord', query),
          read: readWithdrawals,
        })
        .pipe(emptyAs(emptyPage(query), NO_RECORDS)),
    /** Contract, getChargeRecord. */
    deposits: (query) =>
      requests
        .send('read deposits', {
          parameters: () => recordsParameters('getChargeRecord', query),
          read: readDeposits,
        })
        .pipe(emptyAs(emptyPage(query), NO_RECORDS)),
    withdrawalFees: (currency) => withdrawalFees({ requests, http }, currency),
    /** Contract, withdraw. The funds password appears only in the request. */
    withdraw: (request) =>
      requests.send('withdraw', {
        parameters: () => withdrawParameters(request),
        read: readWithdrawn,
      }),
  };
}

/** An empty page; how much other pages hold is not known. */
function emptyPage({ page = 1, pageSize = RECORDS_PAGE_SIZE }: RecordsQuery): Page<never> {
  return { items: [], page, pageSize, totalCount: 0 };
}

/**
 * Contract, getFeeInfo: sent without a key, as its example shows, then signed if the exchange wants
 * that. Source: wire facts, REST answers.
 */
function withdrawalFees(
  { requests, http }: FundsOptions,
  currency: string | undefined,
): ReturnType<FundsPort['withdrawalFees']> {
  const action = 'read withdrawal fees';
  const signed = {
    parameters: () => feesParameters(currency),
    read: readWithdrawalFees,
  };
  const target = () => targetOf(pathOf('getFeeInfo'), { currency });
  return send(http, { action, target, read: readWithdrawalFees }).pipe(
    catchError((error: unknown) =>
      error instanceof ExchangeFailure && KEY_WANTED.includes(error.code)
        ? requests.send(action, signed)
        : throwError(() => error),
    ),
  );
}
