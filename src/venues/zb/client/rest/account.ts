import type { AccountPort } from '../../../../exchange/index.ts';
import type { LegibleRows } from '../legible.ts';
import type { SignedRequests } from './signed-requests.ts';

/** Balances and rights over REST. */
export function restAccount(requests: SignedRequests, rows: LegibleRows): AccountPort {
  return {
    /** Contract, getAccountInfo. */
    account: () =>
      requests.send('read the account', {
        parameters: () => ({ method: 'getAccountInfo' }),
        read: (json) => rows.account(json),
      }),
  };
}
