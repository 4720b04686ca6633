import type { Permissions } from '../../../../exchange/index.ts';
import { enveloped } from '../answers.ts';
import { signedOperation } from '../operation.ts';
import { renderCoins } from '../render/coins.ts';

/**
 * Shows the balances of the account, and the permissions that both the key and its account have.
 */
export const getAccountInfo = signedOperation({
  name: 'getAccountInfo',
  permission: 'assets',
  parameters: {},
  handle: (_values, { exchange }) => exchange.account.account(),
  render: ({ balances, permissions, currencies }, { key, dialect }) => {
    const may = (right: keyof Permissions) => key.permissions[right] && permissions[right];
    const base = {
      username: key.account,
      // A withdrawal always needs the funds password.
      trade_password_enabled: true,
      auth_google_enabled: false,
      auth_mobile_enabled: false,
    };
    const info =
      `{"result":{"coins":${renderCoins(balances, currencies)},"base":${JSON.stringify(base)}}` +
      `,"leverPerm":${may('margin')},"assetPerm":${may('assets')}` +
      `,"entrustPerm":${may('orders')},"moneyPerm":${may('withdrawals')}}`;
    return enveloped(info, dialect);
  },
});
