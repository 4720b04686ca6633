export {
  type AccountedFill,
  FEE_CONVENTIONS,
  type FeeConvention,
  flatPosition,
  foldFill,
  type Profit,
  profitOf,
} from './accounting.ts';
export { BalanceLedger, type BalanceNews } from './balances.ts';
export { LedgerError } from './errors.ts';
export type { FeeRates } from './fills.ts';
export { ADOPTED, OrderLedger, type OrderLedgerOptions } from './orders.ts';
export { PositionLedger, type PositionLedgerOptions } from './positions.ts';
export {
  type ComparisonOptions,
  compareOpenOrders,
  type OpenOrdersComparison,
} from './reconcile.ts';
