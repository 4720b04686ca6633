import { nestedSuccessBody, successBody } from '../answers.ts';
import { signedOperation } from '../operation.ts';
import { flag, required } from '../parameters.ts';
import { renderCrossAccount, renderIsolatedAccount } from '../render/margin.ts';

/** Shows what the cross margin account holds and owes. */
export const getCrossAssets = signedOperation({
  name: 'getCrossAssets',
  permission: 'margin',
  parameters: {},
  handle: (_values, { exchange }) => exchange.margin.crossAccount(),
  render: (account, { dialect }) => successBody(dialect, `"result":${renderCrossAccount(account)}`),
});

/**
 * Shows what the isolated margin account holds and owes, market by market.
 *
 * ASSUMED. Neither contract nor wire facts name it; other people's programs call it and read the
 * fields that are rendered here.
 */
export const getLeverAssetsInfo = signedOperation({
  name: 'getLeverAssetsInfo',
  permission: 'margin',
  parameters: {},
  handle: (_values, { exchange }) => exchange.margin.isolatedAccount(),
  render: (markets, { dialect }) => nestedSuccessBody(dialect, renderIsolatedAccount(markets)),
});

/**
 * ASSUMED. The contract names setExpressState and setRepayState and shows neither parameters nor
 * answers (Endpoints, note 3), and no recording of them is known. What is assumed: the parameter
 * `state`, after the methods' own names; `true` or `1` switches on, `false` or `0` off, as with
 * `enableExpress` of `order`; the answer of success contains nothing else.
 */
const parameters = { state: required(flag) };

/** Switches on or off that orders automatically borrow what is missing. */
export const setExpressState = signedOperation({
  name: 'setExpressState',
  permission: 'margin',
  parameters,
  handle: ({ state }, { exchange }) => exchange.margin.setAutoBorrow(state),
  render: (_answer, { dialect }) => successBody(dialect),
});

/** Switches on or off that proceeds automatically repay loans. */
export const setRepayState = signedOperation({
  name: 'setRepayState',
  permission: 'margin',
  parameters,
  handle: ({ state }, { exchange }) => exchange.margin.setAutoRepay(state),
  render: (_answer, { dialect }) => successBody(dialect),
});
