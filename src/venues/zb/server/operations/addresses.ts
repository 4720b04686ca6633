import { nestedSuccessBody } from '../answers.ts';
import { signedOperation } from '../operation.ts';
import { currency, required } from '../parameters.ts';
import { renderChainAddress } from '../render/funds.ts';

const ofCurrency = { currency: required(currency) };

/** Shows the deposit address of a currency of one chain. */
export const getUserAddress = signedOperation({
  name: 'getUserAddress',
  permission: 'withdrawals',
  parameters: ofCurrency,
  handle: (values, { exchange }) => exchange.funds.depositAddress(values.currency),
  render: (address, { dialect }) => nestedSuccessBody(dialect, keyOf(address)),
});

/** Shows the deposit addresses of a currency, one per chain. */
export const getPayinAddress = signedOperation({
  name: 'getPayinAddress',
  permission: 'withdrawals',
  parameters: ofCurrency,
  handle: (values, { exchange }) => exchange.funds.depositAddresses(values.currency),
  render: (addresses, { dialect }) =>
    nestedSuccessBody(dialect, `[${addresses.map(renderChainAddress).join(',')}]`),
});

/** Shows the verified address that withdrawals of a currency go to. */
export const getWithdrawAddress = signedOperation({
  name: 'getWithdrawAddress',
  permission: 'withdrawals',
  parameters: ofCurrency,
  handle: (values, { exchange }) => exchange.funds.withdrawalAddress(values.currency),
  render: (address, { dialect }) => nestedSuccessBody(dialect, keyOf(address)),
});

function keyOf(address: string): string {
  return JSON.stringify({ key: address });
}
