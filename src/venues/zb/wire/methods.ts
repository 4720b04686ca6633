/** The signed operations that a bot uses. Source: contract, Signed endpoints. */
export type Method =
  | 'order'
  | 'orderMoreV2'
  | 'cancelOrder'
  | 'cancelAllOrdersAfter'
  | 'getOrder'
  | 'getOrders'
  | 'getAccountInfo'
  | 'getFeeInfo';

/** The path of a signed operation below the trade address. Source: contract, Signed endpoints. */
export function pathOf(method: Method): string {
  return `/api/${method}`;
}

/** The public operations below the data address. Source: contract, Public market data. */
export const PUBLIC_PATHS = {
  markets: '/data/v1/markets',
  tickers: '/data/v1/allTicker',
  ticker: '/data/v1/ticker',
  depth: '/data/v1/depth',
  trades: '/data/v1/trades',
  candles: '/data/v1/kline',
} as const;
