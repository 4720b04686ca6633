import { ORDER_TYPES, type OrderType } from '../domain/index.ts';
import type { AccountType } from '../exchange/index.ts';

// The flags of an order, its types and its account, as bits of one number.
export const BUY = 1;
export const CLOSED = 2;
/** What it brings in repays loans first. */
export const REPAYS = 4;
/** Anonymous liquidity that is nobody's own order. */
export const POOLED = 8;
const TYPE_SHIFT = 4;
const TYPE_MASK = 3;
const ACCOUNT_TYPE_SHIFT = 6;
const ACCOUNT_TYPE_MASK = 3;
/** The number of the account takes the bits from here on: there is room for 2^23 of them. */
const ACCOUNT_SHIFT = 8;

/** The bits that the order of an account has beside its side. */
export function flagsOf(order: {
  readonly type: OrderType;
  readonly account: number;
  readonly accountType: AccountType;
  readonly repays: boolean;
}): number {
  return (
    (order.repays ? REPAYS : 0) |
    (ORDER_TYPES.indexOf(order.type) << TYPE_SHIFT) |
    (order.accountType << ACCOUNT_TYPE_SHIFT) |
    (order.account << ACCOUNT_SHIFT)
  );
}

export function accountOf(flags: number): number {
  return flags >> ACCOUNT_SHIFT;
}

export function typeOf(flags: number): OrderType {
  return ORDER_TYPES[(flags >> TYPE_SHIFT) & TYPE_MASK]!;
}

export function accountTypeOf(flags: number): AccountType {
  return ((flags >> ACCOUNT_TYPE_SHIFT) & ACCOUNT_TYPE_MASK) as AccountType;
}
