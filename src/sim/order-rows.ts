import type { OrderType } from '../domain/index.ts';
import type { AccountType } from '../exchange/index.ts';
import type { FillRows } from './fill-rows.ts';

/** What can be told of the orders of accounts, open or closed, by the rows that they stand in. */
export interface OrderRows {
  /** Running number of the exchange's orders. */
  ordinal(row: number): number;
  account(row: number): number;
  accountType(row: number): AccountType;
  isBuy(row: number): boolean;
  isClosed(row: number): boolean;
  type(row: number): OrderType;
  price(row: number): number;
  amount(row: number): number;
  remaining(row: number): number;
  /** When the exchange took it, milliseconds since the epoch. */
  time(row: number): number;
  /** What the fills paid, in whole units of the quote currency. */
  filledValue(row: number): number;
  /** Fees so far, in whole units of the currency that they are taken in. */
  fee(row: number): number;
  /** Whether there was a trade: `fills` means something only then. */
  hasFilled(row: number): boolean;
  readonly fills: FillRows;
}
