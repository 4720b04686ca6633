import type { PlaceRequest } from '../../../../exchange/index.ts';
import { getOrInsert } from '../../../../kernel/index.ts';
import { ORDERS_CHANNEL, ordersMarketOf } from '../../wire/index.ts';
import type { PushChannels } from './channels.ts';
import { keyOf } from './needed-channels.ts';
import type { OwnMoves } from './own-moves.ts';

type Placing = Pick<PlaceRequest, 'market' | 'accountType'>;

/** Notes what our own requests have changed, which the exchange should therefore push, too. */
export class OwnRequests {
  readonly #channels: Pick<PushChannels, 'changed'>;
  readonly #moves: Pick<OwnMoves, 'placed'>;
  /** The keys of the order channels, by market. */
  readonly #keys = new Map<string, string>();

  constructor(parts: {
    readonly channels: Pick<PushChannels, 'changed'>;
    readonly moves: Pick<OwnMoves, 'placed'>;
  }) {
    this.#channels = parts.channels;
    this.#moves = parts.moves;
  }

  /** Orders were placed, with these ids. */
  placed({ market, accountType = 0 }: Placing, exchangeOrderIds: readonly string[]): void {
    if (exchangeOrderIds.length > 0) this.changed(market);
    if (accountType === 0) for (const id of exchangeOrderIds) this.#moves.placed(id);
  }

  /** Orders of the market changed. */
  changed(market: string): void {
    const key = () => keyOf({ channel: ORDERS_CHANNEL, market: ordersMarketOf(market) });
    this.#channels.changed(getOrInsert(this.#keys, market, key));
  }
}
