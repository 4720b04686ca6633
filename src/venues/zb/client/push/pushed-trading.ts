import { tap } from 'rxjs';
import type { PlaceRequest, TradingPort } from '../../../../exchange/index.ts';
import { getOrInsert } from '../../../../kernel/index.ts';
import { ORDERS_CHANNEL, ordersMarketOf } from '../../wire/index.ts';
import type { PushChannels } from './channels.ts';
import { keyOf } from './needed-channels.ts';
import type { OwnMoves } from './own-moves.ts';

type Placing = Pick<PlaceRequest, 'market' | 'accountType'>;

/** The same trading: what the exchange says it has done must be pushed, too. */
export function pushedTrading(
  trading: TradingPort,
  { channels, moves }: { readonly channels: PushChannels; readonly moves: OwnMoves },
): TradingPort {
  const keys = new Map<string, string>();
  const changed = (market: string): void => {
    const key = () => keyOf({ channel: ORDERS_CHANNEL, market: ordersMarketOf(market) });
    channels.changed(getOrInsert(keys, market, key));
  };
  const placed = ({ market, accountType = 0 }: Placing, exchangeOrderIds: readonly string[]) => {
    if (exchangeOrderIds.length > 0) changed(market);
    if (accountType === 0) for (const id of exchangeOrderIds) moves.placed(id);
  };
  return {
    ...trading,
    place: (request) =>
      trading.place(request).pipe(tap(({ exchangeOrderId }) => placed(request, [exchangeOrderId]))),
    placeBatch: (request) =>
      trading
        .placeBatch(request)
        .pipe(tap(({ exchangeOrderIds }) => placed(request, exchangeOrderIds))),
    cancel: (reference) => trading.cancel(reference).pipe(tap(() => changed(reference.market))),
  };
}
