import type { Observable } from 'rxjs';
import type {
  Bill,
  ChainAddress,
  CrossAccount,
  Deposit,
  IsolatedMarket,
  Page,
  Side,
  Withdrawal,
  WithdrawalFee,
} from '../domain/index.ts';
import type { Decimal } from '../kernel/index.ts';
import type { Exchange, OrdersPage } from './ports.ts';

// As in `ports.ts`: a call sends its request when subscribed to, emits one value, and fails only
// with an ExchangeFailure.

export interface BillsQuery {
  /** Default: every currency. */
  readonly currency?: string | undefined;
  /** Milliseconds since the epoch, both ends included. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  /**
   * Bills older than 48 hours instead of younger ones. Default: false. Source: contract, dataType.
   */
  readonly older?: boolean | undefined;
  /** From 1. Default: 1. */
  readonly page?: number | undefined;
  /** 10 to 50. Default: 10. Source: contract, Limits. */
  readonly pageSize?: number | undefined;
}

export interface RecordsQuery {
  readonly currency: string;
  /** From 1. Default: 1. */
  readonly page?: number | undefined;
  /** Default: 10. */
  readonly pageSize?: number | undefined;
}

export interface WithdrawRequest {
  readonly currency: string;
  /** The amount that arrives, without the fee. */
  readonly amount: Decimal;
  /** The network's fee, as `withdrawalFees` tells it. */
  readonly fee: Decimal;
  /** A verified address; `<account>_<memo>` where the chain knows memos. */
  readonly address: string;
  /** The funds password. Never logged. */
  readonly password: string;
  /** Allow a transfer within the exchange. Default: false. */
  readonly internal?: boolean;
}

/** Money on its way in and out. For people: no strategy is ever given this port. */
export interface FundsPort {
  /** Newest first. */
  bills(query: BillsQuery): Observable<readonly Bill[]>;
  /** The deposit address of a one-chain currency. Fails with `rejected` when none was created. */
  depositAddress(currency: string): Observable<string>;
  /** The deposit addresses of a currency, one a chain. */
  depositAddresses(currency: string): Observable<readonly ChainAddress[]>;
  /** The verified address that withdrawals of a currency go to. */
  withdrawalAddress(currency: string): Observable<string>;
  withdrawals(query: RecordsQuery): Observable<Page<Withdrawal>>;
  deposits(query: RecordsQuery): Observable<Page<Deposit>>;
  /** Fees by currency. Default: of all currencies. */
  withdrawalFees(currency?: string): Observable<ReadonlyMap<string, readonly WithdrawalFee[]>>;
  /** Answers with the withdrawal's id. A lost answer is `unknown`: look it up, never repeat it. */
  withdraw(request: WithdrawRequest): Observable<{ readonly withdrawalId: string }>;
}

/** Which orders of a market to list. */
export type OrderFilter = 'all' | 'unfinished' | 'finished';

export interface OrderListQuery {
  readonly market: string;
  /** Default: both. */
  readonly side?: Side | undefined;
  readonly filter: OrderFilter;
  /** From 1. Default: 1. */
  readonly page?: number | undefined;
  /** 1 to 100. Default: 10. Source: wire facts, sibling list methods. */
  readonly pageSize?: number | undefined;
}

/** The exchange's other lists of orders, besides `getOrders`. */
export interface OrderListsPort {
  /** Newest first. `finished` orders are closed ones, and open ones that have filled in part. */
  list(query: OrderListQuery): Observable<OrdersPage>;
}

/** The margin accounts. */
export interface MarginPort {
  /** Balances of the cross account, and what it owes. */
  crossAccount(): Observable<CrossAccount>;
  /** Balances of the isolated account and what it owes, one entry a market. */
  isolatedAccount(): Observable<readonly IsolatedMarket[]>;
  /** Whether orders automatically borrow funds they lack. Source: contract, setExpressState. */
  setAutoBorrow(enabled: boolean): Observable<void>;
  /** Whether proceeds automatically repay loans. Source: contract, setRepayState. */
  setAutoRepay(enabled: boolean): Observable<void>;
}

/** All that one account can do, withdrawals included. The engine is given less: `Exchange`. */
export interface FullExchange extends Exchange {
  readonly funds: FundsPort;
  readonly orderLists: OrderListsPort;
  readonly margin: MarginPort;
}
