import type { Interval, OrderType, Side } from '../../../domain/index.ts';

/** `tradeType` of a request: 1 buy, 0 sell. Source: contract, order. */
export function tradeTypeOf(side: Side): '0' | '1' {
  return side === 'buy' ? '1' : '0';
}

/** The side of a `tradeType`; undefined for anything but 0 and 1. */
export function sideOf(tradeType: string): Side | undefined {
  return tradeType === '1' ? 'buy' : tradeType === '0' ? 'sell' : undefined;
}

/** `orderType` of a request: 1 PostOnly, 2 IOC, else a limit order. Source: contract, order. */
export const ORDER_TYPE_PARAMETERS = {
  limit: '',
  postOnly: '1',
  ioc: '2',
} as const satisfies Record<OrderType, string>;

/**
 * `type` of an order's record: two numbers per type, even sells, odd buys. Source: contract, Order
 * `type`.
 */
const TYPES: readonly OrderType[] = ['limit', 'postOnly', 'ioc'];

/** The number that stands for an order's type and side. */
export function orderTypeCodeOf(order: { readonly type: OrderType; readonly side: Side }): number {
  return 2 * TYPES.indexOf(order.type) + (order.side === 'buy' ? 1 : 0);
}

/** Type and side of the number; undefined for one that is not listed. */
export function orderTypeOf(code: number): { type: OrderType; side: Side } | undefined {
  const type = Number.isInteger(code) ? TYPES[code >> 1] : undefined;
  return type === undefined ? undefined : { type, side: code % 2 === 1 ? 'buy' : 'sell' };
}

/**
 * Whether an order of that `status` no longer rests: 0 and 3 rest, 1 is cancelled, 2 is done or
 * cancelled after a partial fill. Undefined for one that is not listed. Source: contract, Order
 * status.
 */
export function isClosedStatus(status: number): boolean | undefined {
  if (status === 0 || status === 3) return false;
  return status === 1 || status === 2 ? true : undefined;
}

/** A market without its underscore, as channels name it: `btcusdt`. */
export function symbolOf(market: string): string {
  return market.replace('_', '');
}

/** Public channels of a market. Source: wire facts, WebSocket. */
export const CHANNELS = {
  ticker: (market: string) => `${symbolOf(market)}_ticker`,
  depth: (market: string) => `${symbolOf(market)}_depth`,
  trades: (market: string) => `${symbolOf(market)}_trades`,
  quickDepth: (market: string) => `${symbolOf(market)}_quick_depth`,
  candles: (market: string, interval: Interval) => `${symbolOf(market)}_kline_${interval}`,
} as const;

/** The rules of all markets. Source: wire facts, WebSocket. */
export const MARKETS_CHANNEL = 'markets';

/** Private channels of changes. Source: contract, Events; wire facts, WebSocket. */
export const ORDERS_CHANNEL = 'push_user_incr_record';
export const BALANCES_CHANNEL = 'push_user_incr_asset';
/** The same for the cross-margin account. Source: contract, Events. */
export const CROSS_BALANCES_CHANNEL = 'push_user_cross_asset';
/**
 * Private channels of everything: as it is, and after each change. Source: wire facts, WebSocket.
 */
export const ALL_ORDERS_CHANNEL = 'push_user_record';
export const ALL_BALANCES_CHANNEL = 'push_user_asset';

/** The `market` field of a subscription to one's own orders: `btcusdtdefault`. */
export function ordersMarketOf(market: string): string {
  return `${symbolOf(market)}default`;
}
