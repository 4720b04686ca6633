import { mergeAll, tap } from 'rxjs';
import type { Balance, OrderRecord } from '../../../../domain/index.ts';
import type { AccountFeedPort, OrderPush } from '../../../../exchange/index.ts';
import type { Clock, Logger } from '../../../../kernel/index.ts';
import {
  BALANCES_CHANNEL,
  CROSS_BALANCES_CHANNEL,
  type Fields,
  listOf,
  ORDERS_CHANNEL,
  ordersMarketOf,
  readCrossCoins,
} from '../../wire/index.ts';
import type { LegibleRows } from '../legible.ts';
import type { Signer } from '../signer.ts';
import type { PushChannels } from './channels.ts';
import { balancePush, pushedRows } from './frames.ts';
import type { OwnMoves } from './own-moves.ts';
import { readEach, sharedByKey } from './streams.ts';

interface FeedOptions {
  readonly channels: PushChannels;
  readonly moves: OwnMoves;
  readonly signer: Signer;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly rows: LegibleRows;
}

/** The venue pushes orders and balances separately. */
export type ZbAccountFeed = Required<Omit<AccountFeedPort, 'changes'>>;

/** One account's orders and balances as they are pushed: hints, not the final truth. */
export function accountFeed(options: FeedOptions): ZbAccountFeed {
  const { channels, moves, signer, clock, logger, rows } = options;
  const readers: Readonly<Record<string, (frame: Fields) => readonly Balance[]>> = {
    [BALANCES_CHANNEL]: ({ coins }) => rows.balances(coins),
    [CROSS_BALANCES_CHANNEL]: readCrossCoins,
  };
  const balances = sharedByKey((channel: string) =>
    channels.frames({ channel, frame: (event) => signer.privateFrame(event, { channel }) }).pipe(
      readEach((frame) => {
        const receivedTime = clock.now();
        return balancePush(frame, { balances: readers[channel]!(frame), receivedTime });
      }, logger),
    ),
  );
  const orders = sharedByKey((market: string) =>
    channels
      .frames({
        channel: ORDERS_CHANNEL,
        market: ordersMarketOf(market),
        frame: (event) => signer.privateFrame(event, { channel: ORDERS_CHANNEL, market }),
      })
      .pipe(
        readEach(
          ({ record }) => orderPushes(record, { market, receivedTime: clock.now() }),
          logger,
        ),
        mergeAll(),
        tap(({ order }) => {
          if (movesMoney(order)) moves.pushed(order.exchangeOrderId);
        }),
      ),
  );
  return {
    connection: () => channels.privateConnection(),
    orders,
    balances: () => balances(BALANCES_CHANNEL),
    crossBalances: () => balances(CROSS_BALANCES_CHANNEL),
  };
}

/**
 * Whether an order's push means that the balance changed. An order that ends at once and unfilled
 * gives back what it froze at the same moment; an IOC order that is pushed as open first may be
 * such a one.
 */
function movesMoney({ type, closed, filledAmount }: OrderRecord): boolean {
  return filledAmount > 0 || (!closed && type !== 'ioc');
}

/** A frame contains one order, as a flat array; a list of such arrays is read as well. */
function orderPushes(
  record: unknown,
  { market, receivedTime }: { readonly market: string; readonly receivedTime: number },
): readonly OrderPush[] {
  return pushedRows(listOf(record, 'record'), market).map((order) => {
    const exchangeTime = Math.max(order.exchangeTime, order.lastTrade?.time ?? 0);
    return { order, exchangeTime, receivedTime };
  });
}
