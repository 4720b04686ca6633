import type { Decimal } from '../kernel/index.ts';

/** One change of the spot account, as recorded by the exchange. */
export interface Bill {
  readonly id: string;
  readonly currency: string;
  /** Signed. */
  readonly change: Decimal;
  /** What the account held of the currency afterwards, frozen money included. */
  readonly balance: Decimal;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** The kind of change, in the exchange's words. */
  readonly type: string;
  readonly remark: string;
}

/** Where money may be sent to or from: an address, or an account with a memo on some chains. */
export interface ChainAddress {
  /** Undefined where the exchange does not name it. */
  readonly chain: string | undefined;
  readonly address: string;
  /** Tag or memo that the transfer must carry; undefined where the chain has none. */
  readonly memo: string | undefined;
  readonly canDeposit: boolean;
  readonly canWithdraw: boolean;
}

/** Source: contract, Withdrawal status 0, 1, 2, 3, 5. */
export const WITHDRAWAL_STATUSES = [
  'submitted',
  'failed',
  'succeeded',
  'cancelled',
  'confirmed',
] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** Money that left, or is about to. */
export interface Withdrawal {
  readonly id: string;
  readonly amount: Decimal;
  /** The network's fee, in the same currency. */
  readonly fee: Decimal;
  readonly status: WithdrawalStatus;
  /** Milliseconds since the epoch. */
  readonly submitTime: number;
  /** When the exchange last processed it, milliseconds since the epoch; undefined: not yet. */
  readonly manageTime: number | undefined;
  readonly address: string;
  /** The merchant's own number, empty where there is none. */
  readonly merchantOrderNumber: string;
  /** The transaction's hash, empty until there is one. */
  readonly hash: string;
}

/** Source: contract, Deposit status 0, 1, 2. */
export const DEPOSIT_STATUSES = ['waiting', 'failed', 'succeeded'] as const;
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];

/** Money that came in, or is about to. */
export interface Deposit {
  readonly id: string;
  readonly currency: string;
  readonly amount: Decimal;
  readonly address: string;
  readonly confirmations: number;
  readonly description: string;
  readonly hash: string;
  /** From another account of the exchange, without a chain. */
  readonly internal: boolean;
  readonly status: DepositStatus;
  /** Milliseconds since the epoch. */
  readonly submitTime: number;
}

/** What a withdrawal costs on one chain. */
export interface WithdrawalFee {
  readonly chain: string;
  readonly mainChain: string;
  readonly fee: Decimal;
  readonly canDeposit: boolean;
  readonly canWithdraw: boolean;
}

/** A page of a longer list, newest first. */
export interface Page<T> {
  readonly items: readonly T[];
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  /** Items on all pages together. */
  readonly totalCount: number;
}

/** The value of a margin account, in the exchange's unit of account. */
export interface MarginWorth {
  /** Value of all assets (`total`), and the same minus loans (`net`). */
  readonly total: Decimal;
  readonly net: Decimal;
  readonly loan: Decimal;
  /** Value of the assets divided by loans; undefined without a loan. */
  readonly riskRate: number | undefined;
}

/** A cross-margin account, valued by the exchange. */
export interface CrossAccount extends MarginWorth {
  readonly assets: readonly MarginAsset[];
}

/** Holdings and debts of an isolated-margin account in the currencies of one market. */
export interface IsolatedMarket extends MarginWorth {
  readonly market: string;
  readonly base: MarginAsset;
  readonly quote: MarginAsset;
}

/** Holdings and debts of a margin account in one currency. */
export interface MarginAsset {
  readonly currency: string;
  readonly available: Decimal;
  readonly frozen: Decimal;
  readonly loan: Decimal;
  /** Interest and any other debt beyond the loan. */
  readonly overdraft: Decimal;
  readonly transferable: Decimal;
}
