import type { OrderRecord } from '../../../../domain/index.ts';
import { CODES } from '../../../../exchange/index.ts';
import { orderTypeCodeOf } from '../../wire/fields.ts';
import { plainNumber } from '../../wire/numbers.ts';
import { refuse } from '../answers.ts';
import type { Dialect } from '../dialect.ts';

/**
 * The status of an order: 2 done, or cancelled after a part traded; 1 cancelled without a trade; 3
 * open with a part traded; open without a trade depends on the dialect. Source: contract, Order
 * status; wire facts, Dialects.
 */
function orderStatus(order: OrderRecord, dialect: Dialect): number {
  if (order.closed) return order.filledAmount > 0 ? 2 : 1;
  return order.filledAmount > 0 ? 3 : dialect.untouchedStatus;
}

/**
 * A list of orders, which is always a bare array. Source: wire facts, getOrders.
 *
 * @throws {ExchangeFailure} with code 3001 when there are none.
 */
export function renderOrders(orders: readonly OrderRecord[], dialect: Dialect): string {
  if (orders.length === 0) refuse(CODES.orderNotFound, 'Order not found');
  return `[${orders.map((order) => renderOrder(order, dialect)).join(',')}]`;
}

/** The site on which an order was placed; what the numbers mean is not known. */
const WEB_ID = 0;

/** An order as `getOrder` and the lists show it. Fees are never paid in another coin. */
export function renderOrder(order: OrderRecord, dialect: Dialect): string {
  const { accountType } = order;
  const account = accountType === undefined ? '' : `,"acctType":${accountType}`;
  return (
    `{"currency":"${order.market}","id":"${order.exchangeOrderId}","price":${plainNumber(order.price)}` +
    `,"status":${orderStatus(order, dialect)},"total_amount":${plainNumber(order.amount)}` +
    `,"trade_amount":${plainNumber(order.filledAmount)},"trade_date":${order.exchangeTime}` +
    `,"trade_money":${order.filledValue},"type":${orderTypeCodeOf(order)}${feesOf(order)}` +
    `,"deductedFee":false,"useZbFee":false${account},"webId":${WEB_ID}}`
  );
}

/** The fee so far, 0 before a trade; left out if the host gives none for what was traded. */
function feesOf({ fee, filledAmount }: OrderRecord): string {
  if (fee === undefined && filledAmount > 0) return '';
  return `,"fees":"${fee ?? 0}"`;
}

/** In place of the latest trade if there is none: still numbers, because clients read numbers. */
const NO_TRADE = '"0",0,0,0';

/**
 * An order as `push_user_incr_record` shows it: one flat array of seventeen, which ends with the
 * latest trade's id, price, amount and time. Source: wire facts, WebSocket; contract, 2021-09-18.
 */
export function renderOrderPush(order: OrderRecord, dialect: Dialect): string {
  return (
    `["${order.exchangeOrderId}",${plainNumber(order.price)},${plainNumber(order.amount)}` +
    `,${plainNumber(order.filledAmount)},${order.filledValue},${orderTypeCodeOf(order)}` +
    `,${order.exchangeTime},${orderStatus(order, dialect)},"${order.fee ?? 0}"` +
    // The meaning of fields 9 to 12 is not known.
    `,0,0,0,0,${renderLastTrade(order)}]`
  );
}

function renderLastTrade({ lastTrade }: OrderRecord): string {
  if (lastTrade === undefined) return NO_TRADE;
  const { id, price, amount, time } = lastTrade;
  return `"${id}",${plainNumber(price)},${plainNumber(amount)},${time}`;
}
