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

/** Public market data. Answers are in this process's terms: depth sorted best first, times in ms. */
export interface MarketDataPort {
  markets(): Observable<MarketList>;
  ticker(market: string): Observable<Ticker>;
  tickers(): Observable<readonly Ticker[]>;
  depth(query: DepthQuery): Observable<Depth>;
  /** Oldest first; at most 50. Without `since` the newest 50; with it the 50 right after that id. */
  trades(query: {
    readonly market: string;
    readonly since?: string | undefined;
  }): Observable<readonly Trade[]>;
  /** Oldest first. The last candle may still be running: its `closed` is false. */
  candles(query: CandleQuery): Observable<readonly Candle[]>;
}

/** The rules of all markets, those that could be read. */
export interface MarketList extends ReadonlyArray<Market> {
  /** Markets that there are, but whose rules could not be read. Default: none. */
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
  /** Borrow automatically what is missing (contract, enableExpress). Default: false. */
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
   * In the order of the request; shorter when a part was refused. The contract tells no more: which
   * part it was is known by what the orders of these ids say.
   */
  readonly exchangeOrderIds: readonly string[];
  /** What the exchange says of a batch that it took in part, in its own words. */
  readonly remark?: string;
}

/** Most orders of one orderMoreV2. Source: contract, Limits. */
export const BATCH_ORDERS_MAX = 20;
/** Orders that one page of `orders` holds. Source: contract, Limits. */
export const ORDERS_PAGE_SIZE = 10;
/** How long after the call cancelAllOrdersAfter cancels. Source: contract, Timed cancel. */
export const TIMED_CANCEL_MS = 60_000;

/** Names an order by exactly one of its two ids. */
export type OrderReference = { readonly market: string } & (
  | { readonly exchangeOrderId: string }
  | { readonly clientOrderId: string }
);

/** What the exchange says when it cancelled: totals of the order at that moment. */
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

/** A page of orders, those that could be read. */
export interface OrdersPage extends ReadonlyArray<OrderRecord> {
  /** The exchange's ids of orders on the page that could not be read. Default: none. */
  readonly illegible?: readonly string[];
}

/** Orders of one account. */
export interface TradingPort {
  /** Answers with the exchange's order id. */
  place(request: PlaceRequest): Observable<{ readonly exchangeOrderId: string }>;
  /** Refused as a whole it fails; refused in part it answers with fewer ids. */
  placeBatch(request: PlaceBatchRequest): Observable<BatchAnswer>;
  /** Undefined where the exchange acknowledged without the order's totals. */
  cancel(reference: OrderReference): Observable<CancelAnswer | undefined>;
  /** Cancels every order of the market one minute later; a further call moves the minute. */
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

/** What the exchange tells of a currency. Source: contract, Account info. */
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
  /** Currencies whose balance could not be read: what there is of them is not known. Default: none. */
  readonly illegible?: readonly string[];
  readonly permissions: Permissions;
  /** What is told of the currencies; undefined where it is not told. */
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

/** An order and balances that an event of the exchange changed, or one of both. */
export interface AccountPush {
  readonly order?: OrderPush | undefined;
  /** As they stand after all that the event changed, later pushes of orders included. */
  readonly balances?: BalancePush | undefined;
}

/** Whether a push connection stands. */
export interface Connection {
  readonly connected: boolean;
  readonly reason: string;
}

/** Streams of market data; they last as long as their subscription and survive reconnects. */
export interface MarketFeedPort {
  /** The state of the connection under all streams; emits the present one on subscription. */
  connection(): Observable<Connection>;
  ticker(market: string): Observable<Ticker>;
  depth(market: string): Observable<Depth>;
  /** Batches as they come, oldest first. */
  trades(market: string): Observable<readonly Trade[]>;
  candles(query: { readonly market: string; readonly interval: Interval }): Observable<Candle>;
}

/** Streams of one account. */
export interface AccountFeedPort {
  connection(): Observable<Connection>;
  orders(market: string): Observable<OrderPush>;
  balances(): Observable<BalancePush>;
  /**
   * The orders of all markets and the balances together, for whoever must not act on a fill without
   * what it brought in. Left out where they are pushed apart from each other.
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
   * Most requests other than heartbeats and cancels that the way to the exchange carries at once:
   * more would wait where nothing supersedes them any more. Default: as many as the rates allow.
   */
  readonly unhurriedInFlightMax?: number;
}

/** Source: contract, Limits: 60 a second a key, 10000 a minute an IP, candles 1 a second. */
export const CONTRACT_LIMITS: RateLimits = {
  requestsPerSecond: 60,
  requestsPerMinute: 10_000,
  candleIntervalMs: 1_000,
};
