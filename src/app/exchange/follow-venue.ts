import {
  catchError,
  concatMap,
  delay,
  EMPTY,
  firstValueFrom,
  from,
  lastValueFrom,
  of,
  Subscription,
  tap,
} from 'rxjs';
import type { Candle, Market } from '../../domain/index.ts';
import { type Clock, type Logger, MINUTE_MS, messageOf, type Random } from '../../kernel/index.ts';
import { type MarketConfig, marketConfigSchema } from '../../market/index.ts';
import type { SimulatedExchange } from '../../sim/index.ts';
import { connectZb, type ZbExchange } from '../../venues/zb/client/index.ts';
import type { ExchangeConfig } from '../config/exchange.ts';
import { AppError } from '../errors.ts';
import { mirror } from './mirror.ts';

export interface FollowOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: Random;
  /** Ids of the markets that the venue fills. */
  readonly markets: readonly string[];
  /** How its market data is read, and how long it may be silent. Default: that of the settings. */
  readonly data?: MarketConfig | undefined;
}

/** A venue whose live market data fills markets of a simulated exchange. */
export interface FollowedVenue {
  /** The markets with the venue's own rules. */
  readonly markets: readonly Market[];
  /** Gives the markets their past and keeps them like the venue's from now on. */
  fill(host: SimulatedExchange): Promise<void>;
  close(): Promise<void>;
}

/** Connects to the venue that is followed. @throws {AppError} when it does not answer. */
export async function followVenue(
  source: NonNullable<ExchangeConfig['follow']>,
  options: FollowOptions,
): Promise<FollowedVenue> {
  // Market data needs no keys; nothing signed is ever sent from here.
  const keys = { accessKey: 'none', secretKey: 'none' };
  const venue = connectZb({ ...options, ...source, ...keys, tradeUrl: source.dataUrl });
  const { data = marketConfigSchema.parse({}) } = options;
  const alive = new Subscription();
  const close = async (): Promise<void> => {
    alive.unsubscribe();
    await venue.close();
  };
  try {
    const markets = await rulesOf(venue, { ...options, source: source.dataUrl });
    const fill = async (host: SimulatedExchange): Promise<void> => {
      await seedHistories(host, { ...options, venue });
      alive.add(mirror(host, { ...options, venue, markets, data }));
    };
    return { markets, fill, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

async function rulesOf(
  venue: ZbExchange,
  { markets, source }: FollowOptions & { readonly source: string },
): Promise<Market[]> {
  let known: readonly Market[];
  try {
    known = await firstValueFrom(venue.market.markets());
  } catch (thrown) {
    const what = `Cannot follow ${source}: ${messageOf(thrown)}`;
    throw new AppError('exchange', what, { cause: thrown });
  }
  return markets.map((id) => {
    const market = known.find((one) => one.id === id);
    if (market !== undefined) return market;
    throw new AppError('configuration', `Cannot follow ${source}: it has no market ${id}`);
  });
}

type FollowedParts = FollowOptions & { readonly venue: ZbExchange };

/** Copies past minute candles, so that averages are warm. Goes on without them if they fail. */
async function seedHistories(
  host: SimulatedExchange,
  { venue, markets, clock, logger }: FollowedParts,
): Promise<void> {
  const histories = from(markets).pipe(
    concatMap((market, at) =>
      of(market).pipe(
        delay(at === 0 ? 0 : venue.limits.candleIntervalMs, clock),
        concatMap(() => venue.market.candles({ market, interval: '1min' })),
        tap((candles) => host.seedHistory(market, pastMinutes(candles, clock.now()))),
        catchError((thrown: unknown) => {
          logger.warn({ market, reason: messageOf(thrown) }, 'no past candles');
          return EMPTY;
        }),
      ),
    ),
  );
  await lastValueFrom(histories, { defaultValue: undefined });
}

function pastMinutes(candles: readonly Candle[], nowMs: number): Candle[] {
  const thisMinute = nowMs - (nowMs % MINUTE_MS);
  return candles.filter(({ openTime }) => openTime < thisMinute);
}
