import type { OrderRecord } from '../../../../domain/index.ts';
import { orderTypeCodeOf } from '../../wire/fields.ts';
import { plainNumber } from '../../wire/numbers.ts';
import type { Dialect } from '../dialect.ts';

/**
 * 2 done, or cancelled after a part of it traded; 1 cancelled untouched; 3 open with a part traded;
 * untouched by dialect. Source: contract, Order status; wire facts, Dialects.
 */
export function orderStatus(order: OrderRecord, dialect: Dialect): number {
  if (order.closed) return order.filledAmount > 0 ? 2 : 1;
  return order.filledAmount > 0 ? 3 : dialect.untouchedStatus;
}

/** An order as `getOrder` and `getOrders` show it. The fee is left out where the host tells none. */
export function renderOrder(order: OrderRecord, dialect: Dialect): string {
  const fees = order.fee === undefined ? '' : `,"fees":"${order.fee}","deductedFee":false`;
  return (
    `{"currency":"${order.market}","id":"${order.exchangeOrderId}","price":${plainNumber(order.price)}` +
    `,"status":${orderStatus(order, dialect)},"total_amount":${plainNumber(order.amount)}` +
    `,"trade_amount":${plainNumber(order.filledAmount)},"trade_date":${order.exchangeTime}` +
    `,"trade_money":${order.filledValue},"type":${orderTypeCodeOf(order)}${fees}}`
  );
}

/**
 * An order as `push_user_incr_record` shows it: one flat array. Thirteen fields, and the latest
 * trade's id, price, amount and time where the host tells them. Source: wire facts, WebSocket.
 */
export function renderOrderPush(order: OrderRecord, dialect: Dialect): string {
  const { lastTrade } = order;
  const fields = [
    `"${order.exchangeOrderId}"`,
    plainNumber(order.price),
    plainNumber(order.amount),
    plainNumber(order.filledAmount),
    order.filledValue.toString(),
    orderTypeCodeOf(order),
    order.exchangeTime,
    orderStatus(order, dialect),
    `"${order.fee ?? 0}"`,
    // What the fields 9 to 12 meant is not known.
    '0,0,0,0',
  ];
  if (lastTrade !== undefined) {
    const { id, price, amount, time } = lastTrade;
    fields.push(`"${id}"`, plainNumber(price), plainNumber(amount), time);
  }
  return `[${fields.join(',')}]`;
}
