import type { Market, OrderRecord } from '../../app/index.ts';
import { columns } from '../format.ts';
import type { Paint } from '../style.ts';
import { grouped, numbers, table, words } from '../table.ts';
import { digits, utc } from './values.ts';

/** Where an order stands, in a word: the exchange itself calls a part-filled end like a whole one. */
function statusOf({ closed, filledAmount, amount }: OrderRecord): string {
  if (!closed) return filledAmount > 0 ? 'partly filled' : 'open';
  return filledAmount === amount ? 'filled' : 'cancelled';
}

/** An order for programs. */
export function orderJson(order: OrderRecord) {
  return {
    id: order.exchangeOrderId,
    market: order.market,
    time: utc(order.exchangeTime),
    side: order.side,
    type: order.type,
    price: digits(order.price),
    amount: digits(order.amount),
    filledAmount: digits(order.filledAmount),
    filledValue: digits(order.filledValue),
    fee: order.fee === undefined ? null : digits(order.fee),
    status: statusOf(order),
  };
}

/** One order for people, a fact a line. */
export function orderLines(order: OrderRecord): string[] {
  const { id, market, time, side, type, status, ...sums } = orderJson(order);
  const [base = '', quote = ''] = market.split('_');
  const of = (sum: string, unit: string): string => `${grouped(sum)} ${unit}`;
  const filled = of(sums.filledAmount, base);
  const worth = order.filledAmount === 0 ? '' : `, worth ${of(sums.filledValue, quote)}`;
  // Charged in what the order brings, as `OrderRecord.fee` says.
  const fee = sums.fee === null ? '-' : of(sums.fee, side === 'buy' ? base : quote);
  return columns([
    ...[
      ['id', id],
      ['market', market],
      ['time', time],
      ['side', side],
      ['type', type],
    ],
    ['price', of(sums.price, quote)],
    ['amount', of(sums.amount, base)],
    ['filled', filled + worth],
    ['fee', fee],
    ['status', status],
  ]);
}

/** Orders of one market for people. */
export function ordersTable(
  orders: readonly OrderRecord[],
  { market, paint }: { readonly market: Market; readonly paint: Paint },
): string[] {
  const rows = orders
    .map(orderJson)
    .map((one) => [
      ...[one.time, one.side, one.type, one.price, one.amount],
      ...[one.filledAmount, one.status, one.id],
    ]);
  const heads = ['time', 'side', 'type'].map(words);
  const sums = [`price ${market.quote}`, `amount ${market.base}`, `filled ${market.base}`].map(
    numbers,
  );
  return table([...heads, ...sums, ...['status', 'id'].map(words)], { rows, paint });
}
