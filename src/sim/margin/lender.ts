import type { Sum } from '../accounts.ts';

/** Who lends money to margin wallets and takes it back. Wallets are rows of the balances. */
export interface Lender {
  /** Lends a wallet what it misses of a sum; false, and nothing done, when it may not. */
  lend(row: number, sum: Sum): boolean;
  /** Repays what a wallet owes of a currency out of its available money, at most that sum. */
  repay(row: number, sum: Sum): void;
}
