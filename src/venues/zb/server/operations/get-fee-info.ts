import { successBody } from '../answers.ts';
import { signedOperation } from '../operation.ts';
import { currency, optionalWord } from '../parameters.ts';
import { renderFees } from '../render/funds.ts';

/**
 * Shows what withdrawals cost, for one currency or for all. Clients call it signed and unsigned,
 * with parameters and without. Source: wire facts, REST answers.
 */
export const getFeeInfo = signedOperation({
  name: 'getFeeInfo',
  permission: undefined,
  isOpen: true,
  parameters: { currency: optionalWord(currency) },
  handle: (values, { exchange }) => exchange.funds.withdrawalFees(values.currency),
  render: (fees, { dialect }) => successBody(dialect, `"result":${renderFees(fees)}`),
});
