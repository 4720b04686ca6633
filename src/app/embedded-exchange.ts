import { catchError, EMPTY, type Observable, Subscription } from 'rxjs';
import { currenciesOf, type Market } from '../domain/index.ts';
import { type Clock, type Logger, messageOf, type Random, seededRandom } from '../kernel/index.ts';
import {
  type Liquidity,
  marketOf,
  SimulatedExchange,
  startReplay,
  startSyntheticMarket,
} from '../sim/index.ts';
import { connectZb } from '../venues/zb/client/index.ts';
import type { ExchangeConfig, RecordingConfig } from './config/exchange.ts';
import { AppError } from './errors.ts';
import { openRecordingFile, type RecordingFile } from './files.ts';

/** What an embedded exchange runs on. */
export interface EmbeddedOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: Random;
  /** Folder that the files of recordings are relative to. */
  readonly resolveFile: (file: string) => string;
}

/** A simulated exchange whose markets are alive. */
export interface EmbeddedExchange {
  readonly host: SimulatedExchange;
  readonly markets: readonly Market[];
  close(): Promise<void>;
}

interface OpenedRecording {
  readonly config: RecordingConfig;
  readonly recording: RecordingFile;
  readonly marketId: string;
}

/**
 * Opens a simulated exchange and sets its markets going: seeded, replayed or following a venue.
 *
 * @throws {AppError} `recording` when a recording cannot be read or names no market.
 */
export async function openEmbeddedExchange(
  config: ExchangeConfig,
  options: EmbeddedOptions,
): Promise<EmbeddedExchange> {
  const { clock, logger } = options;
  const opened = await Promise.all(config.recordings.map((one) => openOne(one, options)));
  const markets = marketsOf(config, opened);
  const { accounts, fees, latency, readLagMs, depthIntervalMs } = config;
  const host = new SimulatedExchange({
    clock,
    markets,
    accounts: accounts as ConstructorParameters<typeof SimulatedExchange>[0]['accounts'],
    fees,
    latency,
    readLagMs,
    depthIntervalMs,
  });
  const alive = new Subscription();
  startSynthetic(config, { host, clock, alive });
  for (const { config: one, recording, marketId } of opened) {
    const liquidity = host.anonymous(marketId);
    play(recording, { config: one, liquidity, clock, logger, alive });
  }
  const replayed = new Set(opened.map(({ marketId }) => marketId));
  const others = config.markets.filter(({ id, synthetic }) => !synthetic && !replayed.has(id));
  const stopFollowing = follow(config, { ...options, host, markets: others.map(({ id }) => id) });
  return {
    host,
    markets,
    close: async () => {
      alive.unsubscribe();
      await stopFollowing();
    },
  };
}

async function openOne(
  config: RecordingConfig,
  { resolveFile }: EmbeddedOptions,
): Promise<OpenedRecording> {
  const recording = await openRecordingFile(resolveFile(config.file));
  const marketId = config.market ?? recording.marketId;
  if (marketId !== undefined) return { config, recording, marketId };
  throw unnamedMarket(config.file);
}

/** The error of a recording that does not tell which market it is of. */
export function unnamedMarket(file: string): AppError {
  return new AppError(
    'recording',
    `Cannot replay ${file}: neither its records nor its name tell the market, ` +
      'its id is wanted (market:)',
  );
}

/** The markets configured, and those that only a recording knows. */
function marketsOf(config: ExchangeConfig, opened: readonly OpenedRecording[]): Market[] {
  const markets = new Map(config.markets.map((market) => [market.id, marketOf(market)]));
  for (const { marketId, recording } of opened) {
    if (!markets.has(marketId)) markets.set(marketId, recordedMarket(marketId, recording));
  }
  return [...markets.values()];
}

/** A market with the recorded scales: its least order is one step of the amount. */
function recordedMarket(id: string, recording: RecordingFile): Market {
  const { priceScale, amountScale } = recording;
  const minAmount = Number(`1e-${amountScale}`);
  return { id, ...currenciesOf(id), priceScale, amountScale, minAmount, minSize: 0 };
}

function startSynthetic(
  config: ExchangeConfig,
  { host, clock, alive }: { host: SimulatedExchange; clock: Clock; alive: Subscription },
): void {
  const random = seededRandom(config.seed);
  for (const { id, synthetic: parameters } of config.markets) {
    if (parameters === undefined) continue;
    const liquidity = host.anonymous(id);
    const seedHistory: Parameters<typeof startSyntheticMarket>[0]['seedHistory'] = (minutes) =>
      host.seedHistory(id, minutes);
    const market = { liquidity, clock, parameters, seedHistory, random: random.fork(id) };
    alive.add(startSyntheticMarket(market));
  }
}

function play(
  { records, file }: RecordingFile,
  parts: {
    readonly config: RecordingConfig;
    readonly liquidity: Liquidity;
    readonly clock: Clock;
    readonly logger: Logger;
    readonly alive: Subscription;
  },
): void {
  const { config, liquidity, clock, logger, alive } = parts;
  const { speed, loop } = config;
  const replay = startReplay({ records, liquidity, clock, speed, loop });
  alive.add(() => replay.stop());
  replay.ended.subscribe({
    next: (summary) => logger.info({ file, ...summary }, 'the recording is over'),
    error: (thrown) => logger.error({ file, reason: messageOf(thrown) }, 'the recording failed'),
  });
}

/** Lets a venue's live book and trades fill markets; answers with what ends it. */
function follow(
  { follow: source }: ExchangeConfig,
  options: EmbeddedOptions & { readonly host: SimulatedExchange; readonly markets: string[] },
): () => Promise<void> {
  if (source === undefined || options.markets.length === 0) return async () => {};
  const { host, logger } = options;
  // Market data needs no keys; nothing signed is ever sent from here.
  const keys = { accessKey: 'none', secretKey: 'none' };
  const venue = connectZb({ ...options, ...source, ...keys, tradeUrl: source.dataUrl });
  const quietly = <T>(stream: Observable<T>): Observable<T> =>
    stream.pipe(
      catchError((thrown: unknown) => {
        logger.error({ reason: messageOf(thrown) }, 'the venue that is followed failed');
        return EMPTY;
      }),
    );
  const streams = options.markets.map((id) => {
    const liquidity = host.anonymous(id);
    const depth = quietly(venue.marketFeed.depth(id));
    const trades = quietly(venue.marketFeed.trades(id));
    return [
      depth.subscribe((book) => liquidity.replace(book)),
      trades.subscribe((batch) => {
        for (const { side, price, amount } of batch) {
          liquidity.print({ takerSide: side, price, amount });
        }
      }),
    ];
  });
  return async () => {
    for (const stream of streams.flat()) stream.unsubscribe();
    await venue.close();
  };
}
