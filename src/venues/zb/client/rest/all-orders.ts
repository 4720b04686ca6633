import { firstValueFrom } from 'rxjs';
import type { OrderRecord } from '../../../../domain/index.ts';
import { ExchangeFailure, type OrdersQuery, type TradingPort } from '../../../../exchange/index.ts';
import { UnseenOrders } from './unseen-orders.ts';

/**
 * All orders of a market and side, newest first, each once: page by page as they are asked for.
 *
 * @throws {ExchangeFailure} when a page fails, or has an order that cannot be read; no request is
 * repeated.
 */
export async function* allOrders(
  orders: TradingPort['orders'],
  query: Omit<OrdersQuery, 'page'>,
): AsyncGenerator<OrderRecord, void, undefined> {
  const unseen = new UnseenOrders();
  for (let page = 1; ; page++) {
    const records = await firstValueFrom(orders({ ...query, page }));
    const { illegible = [] } = records;
    if (illegible.length > 0) throw unread(illegible);
    if (records.length === 0) return;
    yield* unseen.of(records);
  }
}

function unread(illegible: readonly string[]): ExchangeFailure {
  const what = `Cannot read all orders: ${illegible.join(', ')} cannot be read`;
  return new ExchangeFailure('unknown', `${what}, an order of a kind that is known is wanted`);
}
