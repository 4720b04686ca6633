export { CLOCK_SKEW_MS } from './absent.ts';
export { costOf, flatPosition, foldBooking, foldEntry, foldFill, profitOf } from './accounting.ts';
export { BalanceLedger } from './balances.ts';
export { chargedAhead, type FeeRates } from './fees.ts';
export { ADOPTED, OrderLedger } from './orders.ts';
export { type HeldMarket, PositionLedger } from './positions.ts';
export { compareOpenOrders } from './reconcile.ts';
