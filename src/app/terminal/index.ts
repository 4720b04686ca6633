export { addressesOf, type CurrencyAddresses } from './addresses.ts';
export { isUnknown, read } from './answers.ts';
export { type CancelAllReport, cancelAll } from './cancel-all.ts';
export { type CancelReport, cancelOrder } from './cancel-order.ts';
export { type ConnectedVenue, connectVenue } from './connected-venue.ts';
export type { ConnectionChoice, ConnectionNeeds } from './connection.ts';
export { type Environment, PASSWORD_VARIABLE, passwordFromEnvironment } from './keys.ts';
export { lookedUp } from './look-up.ts';
export { MARGIN_SWITCHES, type MarginSwitch, setMarginSwitch } from './margin-switches.ts';
export { marketIfTold, marketNamed, marketsOf, pick } from './markets.ts';
export { everyOrder, ORDER_PAGE_SIZE_MAX, orderPage } from './order-pages.ts';
export { cancelAllInAMinute, orderNamed } from './orders.ts';
export {
  type BatchReport,
  type BatchTerms,
  type PreparedBatch,
  placeBatch,
  prepareBatch,
} from './place-batch.ts';
export {
  ACCOUNT_NAMES,
  type AccountName,
  type PreparedOrder,
  placeOrder,
  prepareOrder,
} from './place-order.ts';
export { priceDoubt } from './price-doubt.ts';
export {
  type PreparedWithdrawal,
  prepareWithdrawal,
  submitWithdrawal,
  withdrawalFees,
} from './withdrawal.ts';
