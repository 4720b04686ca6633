import { type MonoTypeOperatorFunction, tap } from 'rxjs';
import type { TradingPort } from '../../../exchange/index.ts';
import { ORDERS_CHANNEL, ordersMarketOf } from '../wire/index.ts';
import type { PushChannels } from './push-channels.ts';

/** The same trading: what the exchange says it has done must be pushed, too. */
export function pushedTrading(trading: TradingPort, channels: PushChannels): TradingPort {
  const changes = <T>(market: string): MonoTypeOperatorFunction<T> =>
    tap(() => channels.changed({ channel: ORDERS_CHANNEL, market: ordersMarketOf(market) }));
  return {
    ...trading,
    place: (request) => trading.place(request).pipe(changes(request.market)),
    placeBatch: (request) => trading.placeBatch(request).pipe(changes(request.market)),
    cancel: (reference) => trading.cancel(reference).pipe(changes(reference.market)),
  };
}
