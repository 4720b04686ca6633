import { concatMap } from 'rxjs';
import type { AccountFeedPort, OrderPush } from '../../../exchange/index.ts';
import type { Clock, Logger } from '../../../kernel/index.ts';
import {
  BALANCES_CHANNEL,
  listOf,
  ORDERS_CHANNEL,
  ordersMarketOf,
  readCoins,
  readPushedOrder,
  timeOf,
} from '../wire/index.ts';
import type { PushChannels } from './push-channels.ts';
import type { Signer } from './signer.ts';
import { readEach, sharedByKey } from './streams.ts';

interface FeedOptions {
  readonly channels: PushChannels;
  readonly signer: Signer;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One account's orders and balances as they are pushed: hints, never the last word. */
export function accountFeed({ channels, signer, clock, logger }: FeedOptions): AccountFeedPort {
  const balances = sharedByKey(
    () => BALANCES_CHANNEL,
    () =>
      channels
        .frames({ channel: BALANCES_CHANNEL, frame: (event) => signer.balancesFrame(event) })
        .pipe(
          readEach(({ coins, version }) => {
            const receivedTime = clock.now();
            const exchangeTime = version === undefined ? receivedTime : timeOf(version, 'version');
            return { balances: readCoins(coins), exchangeTime, receivedTime };
          }, logger),
        ),
  );
  const orders = sharedByKey(
    (market: string) => market,
    (market) =>
      channels
        .frames({
          channel: ORDERS_CHANNEL,
          market: ordersMarketOf(market),
          frame: (event) => signer.ordersFrame(event, market),
        })
        .pipe(
          readEach(
            ({ record }) => orderPushes(record, { market, receivedTime: clock.now() }),
            logger,
          ),
          concatMap((pushes) => pushes),
        ),
  );
  return {
    connection: () => channels.privateConnection(),
    orders,
    balances: () => balances(undefined),
  };
}

/** A frame holds one order, as a flat array; a list of such arrays is read as well. */
function orderPushes(
  record: unknown,
  { market, receivedTime }: { readonly market: string; readonly receivedTime: number },
): readonly OrderPush[] {
  const rows = listOf(record, 'record');
  return (Array.isArray(rows[0]) ? rows : [rows]).map((row) => {
    const order = readPushedOrder(row, market);
    const exchangeTime = Math.max(order.exchangeTime, order.lastTrade?.time ?? 0);
    return { order, exchangeTime, receivedTime };
  });
}
