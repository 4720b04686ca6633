import { map, type Observable, share } from 'rxjs';
import type { Market, OrderRecord } from '../../../../domain/index.ts';
import type { BalancePush } from '../../../../exchange/index.ts';
import type { Clock, Logger } from '../../../../kernel/index.ts';
import {
  ALL_BALANCES_CHANNEL,
  ALL_ORDERS_CHANNEL,
  CHANNELS,
  type Fields,
  type FrameEvent,
  fieldsOf,
  MARKETS_CHANNEL,
  ordersMarketOf,
  publicFrame,
  type QuickDepth,
  type QuickDepthLength,
  quickDepthFrame,
  readCoins,
  readMarkets,
  readQuickDepth,
} from '../../wire/index.ts';
import type { Signer } from '../signer.ts';
import type { PushChannels } from './channels.ts';
import { balancePush, pushedRows } from './frames.ts';
import { readEach, sharedByKey } from './streams.ts';

/** All orders of a market that a frame contains, open and past. */
export interface OrdersSnapshot {
  readonly market: string;
  readonly open: readonly OrderRecord[];
  readonly past: readonly OrderRecord[];
  /** Milliseconds since the epoch. The frame has no time of its own. */
  readonly receivedTime: number;
}

/**
 * Channels of the venue beyond those that the ports need. They last as long as their subscription
 * and survive reconnects. A refused channel is logged and requested again later. Source of all:
 * wire facts, WebSocket.
 */
export interface ZbChannels {
  /** The top of the book, 5, 10 or 20 levels per side, with the last price. Default: 20. */
  quickDepth(query: {
    readonly market: string;
    readonly length?: QuickDepthLength;
  }): Observable<QuickDepth>;
  /** The rules of all markets: now, and whenever the exchange pushes them again. */
  markets(): Observable<readonly Market[]>;
  /** All balances; `accountFeed.balances` has only those that changed. */
  balances(): Observable<BalancePush>;
  /** All orders of a market; `accountFeed.orders` has only the one that changed. */
  orders(market: string): Observable<OrdersSnapshot>;
}

interface ChannelOptions {
  readonly channels: PushChannels;
  readonly signer: Signer;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The number of levels always requested: frames do not say how many were. */
const QUICK_DEPTH_LENGTH = 20;

/** The venue's further channels over the same connection as all others. */
export function venueChannels(options: ChannelOptions): ZbChannels {
  const quickDepths = sharedByKey((market: string) => quickDepthsOf(market, options));
  const markets = marketsOf(options).pipe(share());
  const balances = allBalancesOf(options).pipe(share());
  return {
    quickDepth: ({ market, length = QUICK_DEPTH_LENGTH }) =>
      quickDepths(market).pipe(map((depth) => topOf(depth, length))),
    markets: () => markets,
    balances: () => balances,
    orders: sharedByKey((market: string) => allOrdersOf(market, options)),
  };
}

function quickDepthsOf(market: string, options: ChannelOptions): Observable<QuickDepth> {
  const { channels, clock, logger } = options;
  const frame = (event: FrameEvent) =>
    quickDepthFrame(event, { market, length: QUICK_DEPTH_LENGTH });
  const read = (fields: Fields) => readQuickDepth(fields, { market, receivedTime: clock.now() });
  const channel = CHANNELS.quickDepth(market);
  return channels.frames({ channel, frame }).pipe(readEach(read, logger));
}

function topOf(depth: QuickDepth, length: number): QuickDepth {
  const { bids, asks } = depth;
  if (bids.length <= length && asks.length <= length) return depth;
  return { ...depth, bids: bids.slice(0, length), asks: asks.slice(0, length) };
}

function marketsOf({ channels, logger }: ChannelOptions): Observable<readonly Market[]> {
  const channel = MARKETS_CHANNEL;
  const frame = (event: FrameEvent) => publicFrame(event, channel);
  const read = ({ data, datas }: Fields) => readMarkets(fieldsOf(data ?? datas, 'markets'));
  return channels.frames({ channel, frame }).pipe(readEach(read, logger));
}

function allBalancesOf({ channels, signer, clock, logger }: ChannelOptions) {
  const channel = ALL_BALANCES_CHANNEL;
  const frame = (event: FrameEvent) => signer.privateFrame(event, { channel });
  const read = (fields: Fields) =>
    balancePush(fields, { balances: readCoins(fields.coins), receivedTime: clock.now() });
  return channels.frames({ channel, frame }).pipe(readEach(read, logger));
}

function allOrdersOf(market: string, options: ChannelOptions): Observable<OrdersSnapshot> {
  const { channels, signer, clock, logger } = options;
  const channel = ALL_ORDERS_CHANNEL;
  const frame = (event: FrameEvent) => signer.privateFrame(event, { channel, market });
  const read = ({ record, hrecord }: Fields) => ({
    market,
    open: pushedRows(record, market),
    past: pushedRows(hrecord, market),
    receivedTime: clock.now(),
  });
  const named = { channel, market: ordersMarketOf(market) };
  return channels.frames({ ...named, frame }).pipe(readEach(read, logger));
}
