import type { Observable } from 'rxjs';
import type {
  Amount,
  Balance,
  Candle,
  Depth,
  Interval,
  Market,
  OrderRecord,
  OrderTerms,
  Price,
  Side,
  Stamped,
  Ticker,
  Trade,
} from '../domain/index.ts';

// Every call below returns an Observable that sends its request when subscribed (once a
// subscription: subscribe once), emits one value and completes, or fails with an ExchangeFailure.
// An answer may come synchronously. Unsubscribing drops the answer; it does not undo the request.

/** Public market data, normalized: depth is sorted best first, times are in milliseconds. */
export interface MarketDataPort {
  markets(): Observable<MarketList>;
  ticker(market: string): Observable<Ticker>;
  tickers(): Observable<readonly Ticker[]>;
  depth(query: DepthQuery): Observable<Depth>;
  /** Oldest first; at most 50: without `since` the newest, with it those right after that id. */
  trades(query: {
    readonly market: string;
    readonly since?: string | undefined;
  }): Observable<readonly Trade[]>;
  /** Oldest first. The last candle may still be running: its `closed` is false. */
  candles(query: CandleQuery): Observable<readonly Candle[]>;
}

/** The rules of all markets whose rules could be read. */
export interface MarketList extends ReadonlyArray<Market> {
  /** Markets that exist but whose rules could not be read. Default: none. */
  readonly illegible?: readonly string[];
}

export interface DepthQuery {
  readonly market: string;
  /** Levels a side, 1 to 50. Default: 50. Source: contract, depth `size`. */
  readonly size?: number | undefined;
  /** Price step to merge levels to; the exchange then returns 5 levels a side. */
  readonly merge?: number | undefined;
}

export interface CandleQuery {
  readonly market: string;
  readonly interval: Interval;
  /** Only candles that open after this time, milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** Default and maximum: 1000. Source: contract, kline `size`. */
  readonly size?: number | undefined;
}

/** 0 spot, 1 isolated margin, 2 cross margin. Source: contract, `acctType`. */
export const ACCOUNT_TYPES = [0, 1, 2] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];

export interface PlaceRequest extends OrderTerms {
  /** 4 to 36 letters or digits; not unique for the exchange: the newest order wins. */
  readonly clientOrderId?: string | undefined;
  /** Default: 0, spot. */
  readonly accountType?: AccountType;
  /** Borrow missing funds automatically (contract, enableExpress). Default: false. */
  readonly borrow?: boolean;
  /** Repay loans automatically with the proceeds (contract, enableRepay). Default: false. */
  readonly repay?: boolean;
}

/** Several plain limit orders of one market and side in one request: at most 20, without ids. */
export interface PlaceBatchRequest {
  readonly market: string;
  readonly side: Side;
  readonly orders: readonly { readonly price: Price; readonly amount: Amount }[];
  readonly accountType?: AccountType;
}

/** What became of a batch. */
export interface BatchAnswer {
  /**
   * In the order of the request; shorter when a part was refused. The contract does not say which
   * part: only the orders found under these ids tell.
   */
  readonly exchangeOrderIds: readonly string[];
  /** The exchange's own words about a batch it accepted only in part. */
  readonly remark?: string;
}

/** Most orders in one orderMoreV2 request. Source: contract, Limits. */
export const BATCH_ORDERS_MAX = 20;
/** Orders that one page of `orders` holds. Source: contract, Limits. */
export const ORDERS_PAGE_SIZE = 10;
/**
 * Milliseconds between a cancelAllOrdersAfter call and its cancel. Source: contract, Timed cancel.
 */
export const TIMED_CANCEL_MS = 60_000;

/** Names an order by exactly one of its two ids. */
export type OrderReference = { readonly market: string } & (
  | { readonly exchangeOrderId: string }
  | { readonly clientOrderId: string }
);

/** The exchange's answer to a cancel: the order's totals at that moment. */
export interface CancelAnswer {
  readonly amount: Amount;
  readonly price: Price;
  readonly filledAmount: Amount;
  readonly filledValue: OrderRecord['filledValue'];
}

export interface OrdersQuery {
  readonly market: string;
  readonly side: Side;
  /** From 1; a page holds 10 orders, newest first. An empty page ends the list. */
  readonly page: number;
}

/** The orders of a page that could be read. */
export interface OrdersPage extends ReadonlyArray<OrderRecord> {
  /** The exchange's ids of orders on the page that could not be read. Default: none. */
  readonly illegible?: readonly string[];
}

/** Orders of one account. */
export interface TradingPort {
  /** Answers with the exchange's order id. */
  place(request: PlaceRequest): Observable<{ readonly exchangeOrderId: string }>;
  /**
   * Fails when the whole batch is refused. When part of it is refused, the answer has fewer ids.
   */
  placeBatch(request: PlaceBatchRequest): Observable<BatchAnswer>;
  /** Emits undefined when the exchange acknowledged without the order's totals. */
  cancel(reference: OrderReference): Observable<CancelAnswer | undefined>;
  /** Cancels every order of the market in one minute; a further call restarts the minute. */
  cancelAllAfter(market: string): Observable<void>;
  /** Fails with `rejected` and code 3001 when there is no such order (yet: reads lag). */
  order(reference: OrderReference): Observable<OrderRecord>;
  /** Orders of one side, open and closed, newest first. */
  orders(query: OrdersQuery): Observable<OrdersPage>;
}

/** What a key may do. Source: contract, Authentication 4. */
export interface Permissions {
  readonly assets: boolean;
  readonly orders: boolean;
  readonly withdrawals: boolean;
  readonly margin: boolean;
}

/** A currency as the exchange describes it. Source: contract, Account info. */
export interface CurrencyInfo {
  readonly currency: string;
  /** Name for people. */
  readonly fullName: string;
  /** Decimal places. */
  readonly decimals: number;
  readonly canDeposit: boolean;
  readonly canWithdraw: boolean;
  /** Whether it can be lent to others. */
  readonly canLoan: boolean;
}

export interface AccountInfo {
  readonly balances: readonly Balance[];
  /** Currencies whose balance could not be read and is therefore not known. Default: none. */
  readonly illegible?: readonly string[];
  readonly permissions: Permissions;
  /** Undefined where the exchange does not describe its currencies. */
  readonly currencies?: readonly CurrencyInfo[];
}

/** Funds of one account. */
export interface AccountPort {
  account(): Observable<AccountInfo>;
}

/** A hint that an order changed, as pushed. */
export interface OrderPush extends Stamped {
  readonly order: OrderRecord;
}
/** The balances that changed. */
export interface BalancePush extends Stamped {
  readonly balances: readonly Balance[];
}

/** The order, the balances, or both, as changed by one event of the exchange. */
export interface AccountPush {
  readonly order?: OrderPush | undefined;
  /** Balances after all changes of the event, including orders that are pushed later. */
  readonly balances?: BalancePush | undefined;
}

/** Whether a push connection is up. */
export interface Connection {
  readonly connected: boolean;
  readonly reason: string;
}

/** Streams of market data; they last as long as their subscription and survive reconnects. */
export interface MarketFeedPort {
  /**
   * The state of the connection that carries all streams; emits the current state on subscription.
   */
  connection(): Observable<Connection>;
  ticker(market: string): Observable<Ticker>;
  depth(market: string): Observable<Depth>;
  /** Batches as they arrive; within a batch the oldest trade first. */
  trades(market: string): Observable<readonly Trade[]>;
  candles(query: { readonly market: string; readonly interval: Interval }): Observable<Candle>;
}

/** Streams of one account. */
export interface AccountFeedPort {
  connection(): Observable<Connection>;
  orders(market: string): Observable<OrderPush>;
  balances(): Observable<BalancePush>;
  /**
   * Orders of all markets together with balances, for a caller that must not act on a fill before
   * it has the money the fill brought in. Left out when orders and balances are pushed separately.
   */
  changes?(): Observable<AccountPush>;
  /** The balances of the cross-margin account. Left out where there is none. */
  crossBalances?(): Observable<BalancePush>;
}

/** Everything that one account can do on an exchange: what the engine is given. */
export interface Exchange {
  readonly market: MarketDataPort;
  readonly trading: TradingPort;
  readonly account: AccountPort;
  readonly marketFeed: MarketFeedPort;
  readonly accountFeed: AccountFeedPort;
  /** The limits that the executor must keep. */
  readonly limits: RateLimits;
}

/** Rate limits as data. */
export interface RateLimits {
  /** Signed requests a second and key. */
  readonly requestsPerSecond: number;
  /** Signed requests a minute and address; beyond it the address is locked for an hour. */
  readonly requestsPerMinute: number;
  /** Least milliseconds between two candle requests. */
  readonly candleIntervalMs: number;
  /**
   * Most requests, other than heartbeats and cancels, to have unanswered at once. Any more would
   * queue in the network, where a newer request can no longer replace them. Default: as many as the
   * rates allow.
   */
  readonly unhurriedInFlightMax?: number;
}

/** Source: contract, Limits: 60 a second a key, 10000 a minute an IP, candles 1 a second. */
export const CONTRACT_LIMITS: RateLimits = {
  requestsPerSecond: 60,
  requestsPerMinute: 10_000,
  candleIntervalMs: 1_000,
};
