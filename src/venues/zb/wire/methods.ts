/**
 * The signed operations. Source: contract, Signed endpoints and note 3; from `getCrossAssets` on
 * wire facts, REST answers; `getLeverAssetsInfo`: other people's programs that call it.
 */
export const METHODS = [
  'getAccountInfo',
  'getSpotBills',
  'getUserAddress',
  'getPayinAddress',
  'getWithdrawAddress',
  'getWithdrawRecord',
  'getChargeRecord',
  'getFeeInfo',
  'withdraw',
  'order',
  'orderMoreV2',
  'cancelOrder',
  'cancelAllOrdersAfter',
  'getOrder',
  'getOrders',
  'setExpressState',
  'setRepayState',
  'getCrossAssets',
  'getOrdersIgnoreTradeType',
  'getUnfinishedOrdersIgnoreTradeType',
  'getFinishedAndPartialOrders',
  'getOrdersNew',
  'getLeverAssetsInfo',
] as const;
export type Method = (typeof METHODS)[number];

/** The path of a signed operation below the trade address. Source: contract, Signed endpoints. */
export function pathOf(method: string): string {
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
