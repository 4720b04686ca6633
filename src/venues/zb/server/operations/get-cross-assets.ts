import { successBody } from '../answers.ts';
import { signedOperation } from '../operation.ts';
import { renderCrossAccount } from '../render/margin.ts';

/** Shows what the cross margin account holds and owes. */
export const getCrossAssets = signedOperation({
  name: 'getCrossAssets',
  permission: 'margin',
  parameters: {},
  handle: (_values, { exchange }) => exchange.margin.crossAccount(),
  render: (account, { dialect }) => successBody(dialect, `"result":${renderCrossAccount(account)}`),
});
