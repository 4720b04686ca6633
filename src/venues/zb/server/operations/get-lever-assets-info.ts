import { nestedSuccessBody } from '../answers.ts';
import { signedOperation } from '../operation.ts';
import { renderIsolatedAccount } from '../render/margin.ts';

/**
 * Shows what the isolated margin account holds and owes, market by market.
 *
 * ASSUMED. Neither contract nor wire facts name it; programs of other people call it and read the
 * fields that are rendered here.
 */
export const getLeverAssetsInfo = signedOperation({
  name: 'getLeverAssetsInfo',
  permission: 'margin',
  parameters: {},
  handle: (_values, { exchange }) => exchange.margin.isolatedAccount(),
  render: (markets, { dialect }) => nestedSuccessBody(dialect, renderIsolatedAccount(markets)),
});
