import { successBody } from '../answers.ts';
import { signedOperation } from '../operation.ts';
import { market, required } from '../parameters.ts';

/** Cancels every order of a market one minute later; a further call moves the minute. */
export const cancelAllOrdersAfter = signedOperation({
  name: 'cancelAllOrdersAfter',
  permission: 'orders',
  parameters: { currency: required(market) },
  handle: ({ currency }, { exchange }) => exchange.trading.cancelAllAfter(currency.id),
  render: (_answer, { dialect }) => successBody(dialect),
});
