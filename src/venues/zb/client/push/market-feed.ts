import { concatMap, defer, filter, type Observable } from 'rxjs';
import type { Interval } from '../../../../domain/index.ts';
import type { MarketFeedPort } from '../../../../exchange/index.ts';
import type { Clock, Logger } from '../../../../kernel/index.ts';
import {
  CHANNELS,
  type Fields,
  type FrameEvent,
  fieldsOf,
  publicFrame,
  readCandles,
  readDepth,
  readTicker,
  readTrades,
} from '../../wire/index.ts';
import type { ExchangeTime } from '../exchange-time.ts';
import { CandleFollower } from './candle-follower.ts';
import type { PushChannels } from './channels.ts';
import { FreshTrades } from './fresh-trades.ts';
import { readEach, sharedByKey } from './streams.ts';

interface FeedOptions {
  readonly channels: PushChannels;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly time: ExchangeTime;
}

/** Public market data as it is pushed. */
export function marketFeed(options: FeedOptions): MarketFeedPort {
  const { channels, clock, logger, time } = options;
  const received = (market: string) => ({ market, receivedTime: clock.now() });

  function read<T extends object>(channel: string, reader: (frame: Fields) => T): Observable<T> {
    const frame = (event: FrameEvent) => publicFrame(event, channel);
    return channels.frames({ channel, frame }).pipe(readEach(reader, logger));
  }

  return {
    connection: () => channels.connection(),
    ticker: sharedByKey((market: string) =>
      read(CHANNELS.ticker(market), (frame) => readTicker(frame, received(market))),
    ),
    depth: sharedByKey((market: string) =>
      read(CHANNELS.depth(market), (frame) => readDepth(frame, received(market))),
    ),
    trades: sharedByKey((market: string) =>
      defer(() => {
        const fresh = new FreshTrades();
        return read(CHANNELS.trades(market), (frame) =>
          fresh.of(readTrades(frame.data, received(market))),
        ).pipe(filter((trades) => trades.length > 0));
      }),
    ),
    candles: sharedByKey(
      ({ market, interval }: { readonly market: string; readonly interval: Interval }) =>
        defer(() => {
          const follower = new CandleFollower();
          return read(CHANNELS.candles(market, interval), (frame) =>
            readCandles(fieldsOf(frame.datas, 'candles').data, {
              ...received(market),
              interval,
              nowMs: time.now(),
            }),
          ).pipe(concatMap((candles) => follower.follow(candles)));
        }),
      ({ market, interval }) => `${market} ${interval}`,
    ),
  };
}
