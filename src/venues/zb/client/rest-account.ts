import type { AccountPort } from '../../../exchange/index.ts';
import { readAccount } from '../wire/index.ts';
import type { SignedRequests } from './signed-requests.ts';

/** Balances and rights over REST. */
export function restAccount(requests: SignedRequests): AccountPort {
  return {
    /** Contract, getAccountInfo. */
    account: () =>
      requests.send('read the account', {
        parameters: () => ({ method: 'getAccountInfo' }),
        read: readAccount,
      }),
  };
}
