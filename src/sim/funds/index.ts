export { Bills } from './bills.ts';
export {
  accountFundsShape,
  type CurrencySettings,
  currencyName,
  currencySchema,
  type FundsSettings,
  fundsSchema,
  moneyText,
} from './config.ts';
export {
  type AccountFundsOptions,
  FundsOffice,
  type IncomingDeposit,
} from './office.ts';
export type { WithdrawalStep } from './withdrawals.ts';
