import type { MarginPort } from '../../../../exchange/index.ts';
import {
  readAcknowledged,
  readCrossAccount,
  readIsolatedAccount,
  stateParameters,
} from '../../wire/index.ts';
import type { SignedRequests } from './signed-requests.ts';

/** The margin accounts over REST. */
export function restMargin(requests: SignedRequests): MarginPort {
  return {
    /** Wire facts, getCrossAssets. */
    crossAccount: () =>
      requests.send('read the cross account', {
        parameters: () => ({ method: 'getCrossAssets' }),
        read: readCrossAccount,
      }),
    /** Named by neither contract nor wire facts: as other people's programs call it. */
    isolatedAccount: () =>
      requests.send('read the isolated account', {
        parameters: () => ({ method: 'getLeverAssetsInfo' }),
        read: readIsolatedAccount,
      }),
    /** Contract, setExpressState; its parameter is assumed. */
    setAutoBorrow: (enabled) =>
      requests.send('set automatic borrowing', {
        parameters: () => stateParameters('setExpressState', enabled),
        read: readAcknowledged,
      }),
    /** Contract, setRepayState; its parameter is assumed. */
    setAutoRepay: (enabled) =>
      requests.send('set automatic repayment', {
        parameters: () => stateParameters('setRepayState', enabled),
        read: readAcknowledged,
      }),
  };
}
