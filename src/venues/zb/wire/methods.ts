import type { Permissions } from '../../../exchange/index.ts';

/** What a signed operation demands. */
interface MethodRule {
  /** The right that the key must have; undefined where any key will do. */
  readonly permission: keyof Permissions | undefined;
  /** Parameters that may not be empty, besides `method`, `accesskey`, `sign` and `reqTime`. */
  readonly required: readonly string[];
}

function rule(permission: MethodRule['permission'], ...required: string[]): MethodRule {
  return { permission, required };
}

/**
 * Every signed operation. The path is `/api/<method>`. Source: contract, Signed endpoints; the
 * sibling lists of orders and getCrossAssets from wire facts, REST answers.
 *
 * cancelOrder and getOrder want exactly one of `id` and `customerOrderId` besides. What
 * setExpressState and setRepayState take is not public.
 */
export const METHODS = {
  order: rule('orders', 'currency', 'tradeType', 'price', 'amount'),
  orderMoreV2: rule('orders', 'market', 'tradeType', 'tradeParams'),
  cancelOrder: rule('orders', 'currency'),
  cancelAllOrdersAfter: rule('orders', 'currency'),
  getOrder: rule('orders', 'currency'),
  getOrders: rule('orders', 'currency', 'tradeType'),
  getOrdersNew: rule('orders', 'currency', 'tradeType'),
  getOrdersIgnoreTradeType: rule('orders', 'currency'),
  getUnfinishedOrdersIgnoreTradeType: rule('orders', 'currency'),
  getFinishedAndPartialOrders: rule('orders', 'currency'),
  getAccountInfo: rule('assets'),
  getSpotBills: rule('assets'),
  getCrossAssets: rule('margin'),
  setExpressState: rule('margin'),
  setRepayState: rule('margin'),
  getUserAddress: rule('withdrawals', 'currency'),
  getPayinAddress: rule('withdrawals', 'currency'),
  getWithdrawAddress: rule('withdrawals', 'currency'),
  getWithdrawRecord: rule('withdrawals', 'currency'),
  getChargeRecord: rule('withdrawals', 'currency'),
  withdraw: rule('withdrawals', 'currency', 'amount', 'fees', 'receiveAddr', 'safePwd'),
  getFeeInfo: rule(undefined),
} as const satisfies Record<string, MethodRule>;
export type Method = keyof typeof METHODS;

/** Whether a name is that of a signed operation. */
export function isMethod(name: string): name is Method {
  return Object.hasOwn(METHODS, name);
}

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
