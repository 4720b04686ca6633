import { type MonoTypeOperatorFunction, tap } from 'rxjs';
import type { PlaceRequest, TradingPort } from '../../../exchange/index.ts';
import { ORDERS_CHANNEL, ordersMarketOf } from '../wire/index.ts';
import type { OwnMoves } from './own-moves.ts';
import type { PushChannels } from './push-channels.ts';

/** The same trading: what the exchange says it has done must be pushed, too. */
export function pushedTrading(
  trading: TradingPort,
  { channels, moves }: { readonly channels: PushChannels; readonly moves: OwnMoves },
): TradingPort {
  const changes = <T>(market: string): MonoTypeOperatorFunction<T> =>
    tap(() => channels.changed({ channel: ORDERS_CHANNEL, market: ordersMarketOf(market) }));
  const noteOf = ({ accountType = 0 }: Pick<PlaceRequest, 'accountType'>) => {
    return (id: string): void => (accountType === 0 ? moves.placed(id) : undefined);
  };
  return {
    ...trading,
    place: (request) => {
      const note = noteOf(request);
      const answer = trading.place(request).pipe(changes(request.market));
      return answer.pipe(tap(({ exchangeOrderId }) => note(exchangeOrderId)));
    },
    placeBatch: (request) => {
      const note = noteOf(request);
      const answer = trading.placeBatch(request).pipe(changes(request.market));
      return answer.pipe(tap(({ exchangeOrderIds }) => exchangeOrderIds.forEach(note)));
    },
    cancel: (reference) => trading.cancel(reference).pipe(changes(reference.market)),
  };
}
