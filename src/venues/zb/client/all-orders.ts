import { firstValueFrom } from 'rxjs';
import type { OrderRecord } from '../../../domain/index.ts';
import type { OrdersQuery, TradingPort } from '../../../exchange/index.ts';
import { UntoldOrders } from './untold-orders.ts';

/**
 * All orders of a market and side, newest first, each once: page by page as they are asked for.
 *
 * @throws {ExchangeFailure} when a page fails; nothing is asked for a second time.
 */
export async function* allOrders(
  orders: TradingPort['orders'],
  query: Omit<OrdersQuery, 'page'>,
): AsyncGenerator<OrderRecord, void, undefined> {
  const untold = new UntoldOrders();
  for (let page = 1; ; page++) {
    const records = await firstValueFrom(orders({ ...query, page }));
    if (records.length === 0) return;
    yield* untold.of(records);
  }
}
