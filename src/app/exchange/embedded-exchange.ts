import { type Observable, Subscription } from 'rxjs';
import { currenciesOf, type Market } from '../../domain/index.ts';
import {
  type Clock,
  counted,
  type Logger,
  messageOf,
  type Random,
  seededRandom,
  withoutAction,
} from '../../kernel/index.ts';
import type { MarketConfig } from '../../market/index.ts';
import {
  type FiredTimedCancel,
  finestAmountScale,
  marketOf,
  SimulatedExchange,
  type SimulatedExchangeOptions,
  SimulationError,
  startReplay,
  startSyntheticMarket,
  type Worth,
} from '../../sim/index.ts';
import type { ExchangeConfig, RecordingConfig } from '../config/exchange.ts';
import { AppError } from '../errors.ts';
import type { StopRequest } from '../session.ts';
import { RehearsalClock } from '../time/rehearsal-clock.ts';
import type { FollowedVenue } from './follow-venue.ts';
import { ownedClock } from './owned-clock.ts';
import { openRecording, type Recording } from './recordings.ts';

/** What an embedded exchange runs on. */
export interface EmbeddedOptions {
  /** Opens the exchange's clock. Called once recordings are read, which may take a while. */
  readonly openClock: () => Clock;
  readonly logger: Logger;
  readonly random: Random;
  /** Folder that the files of recordings are relative to. */
  readonly resolveFile: (file: string) => string;
  /** The accounts for the recordings. Default: as configured. */
  readonly accountsOf?:
    | ((recordings: readonly Recording[]) => ExchangeConfig['accounts'])
    | undefined;
  /** Asks to stop while recordings are still being opened. Default: nobody asks. */
  readonly stop?: Observable<StopRequest> | undefined;
  /** How a followed venue is read, and how long it may be silent. Default: see the settings. */
  readonly data?: MarketConfig;
  /** File, line and column of a setting of the exchange. Default: settings are in no file. */
  readonly locate?: ((path: readonly PropertyKey[]) => string) | undefined;
}

/** A simulated exchange whose markets are alive. */
export interface EmbeddedExchange {
  readonly host: SimulatedExchange;
  readonly markets: readonly Market[];
  /** Ids of markets without a source of prices: they hold only what accounts put there. */
  readonly sourceless: readonly string[];
  /** Orders of an account that rest now. */
  readonly resting: (account: string) => number;
  close(): Promise<void>;
}

interface OpenedRecording {
  readonly config: RecordingConfig;
  readonly recording: Recording;
}

/**
 * Opens a simulated exchange and starts its markets: seeded, replayed or following a venue.
 *
 * @throws {AppError} `recording` when a recording cannot be read or names no market; `exchange`
 * when the followed venue does not answer; the outcome of the stop request when asked to stop.
 */
export async function openEmbeddedExchange(
  config: ExchangeConfig,
  options: EmbeddedOptions,
): Promise<EmbeddedExchange> {
  const alive = new Subscription();
  let followed: FollowedVenue | undefined;
  const close = async (): Promise<void> => {
    alive.unsubscribe();
    await followed?.close();
  };
  try {
    const opened = await openAll(config, { ...options, alive });
    const time = options.openClock();
    const clock = ownedClock(time, alive);
    followed = await openFollowed(config, { ...options, clock: time, opened });
    const markets = marketsOf(config, { opened, followed: followed?.markets ?? [] });
    const recordings = opened.map(({ recording }) => recording);
    const accounts = options.accountsOf?.(recordings) ?? config.accounts;
    const worths = worthsOf(config, opened);
    const timedCancelFired = (fired: FiredTimedCancel) => logFired(fired, options.logger);
    const opening = { clock, markets, worths, timedCancelFired };
    const host = withPlace(options, () => openHost({ ...config, accounts }, opening));
    const parts = { ...options, host, clock, alive };
    startSynthetic(config, parts);
    for (const recording of opened) {
      play(recordsAwaited(recording, time), parts);
      // Otherwise what follows would depend on how fast the recording's beginning is read.
      if (time instanceof RehearsalClock) await time.settled();
    }
    await followed?.fill(host);
    const resting = (account: string): number => {
      const { openOrders } = host.inspect(account);
      return [...openOrders.values()].reduce((sum, orders) => sum + orders.length, 0);
    };
    return { host, markets, sourceless: sourcelessOf(config, opened), resting, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

function openHost(
  config: ExchangeConfig,
  opened: Required<
    Pick<SimulatedExchangeOptions, 'clock' | 'markets' | 'worths' | 'timedCancelFired'>
  >,
): SimulatedExchange {
  const { fees, latency, readLagMs, depthIntervalMs, currencies, funds, margin, seed } = config;
  // The types differ in whether optional keys may hold undefined, which means the same to both.
  const accounts = config.accounts as ConstructorParameters<
    typeof SimulatedExchange
  >[0]['accounts'];
  const settings = { accounts, fees, latency, readLagMs, depthIntervalMs };
  const money = { currencies, funds, margin, seed };
  return new SimulatedExchange({ ...opened, ...settings, ...money });
}

/** Adds the place of a setting to an error about it. @throws {AppError} */
function withPlace<T>({ locate }: EmbeddedOptions, open: () => T): T {
  try {
    return open();
  } catch (thrown) {
    if (!(thrown instanceof SimulationError) || !thrown.path || !locate) throw thrown;
    const message = `${locate(thrown.path)}: ${thrown.message}`;
    throw new AppError('configuration', message, { cause: thrown });
  }
}

/** Shows what becomes of the orders of a bot that was killed. */
function logFired({ account, market, orders }: FiredTimedCancel, logger: Logger): void {
  if (orders === 0) return;
  const what = `a timed cancel took away ${counted(orders, 'order')} of ${account} in ${market}`;
  logger.info({ account, market, orders }, `${what}: no call came for a minute`);
}

/** The first price in each market that is synthetic or recorded. */
function worthsOf(
  { markets }: ExchangeConfig,
  opened: readonly OpenedRecording[],
): ReadonlyMap<string, Worth> {
  return new Map([
    ...markets.flatMap(({ id, synthetic }) =>
      synthetic === undefined ? [] : [[id, { highest: synthetic.startPrice }] as const],
    ),
    ...opened.map(
      ({ recording }) => [recording.marketId, { highest: recording.firstPrice }] as const,
    ),
  ]);
}

/** The markets that are neither synthetic nor recorded nor followed. */
function sourcelessOf(
  { markets, follow }: ExchangeConfig,
  opened: readonly OpenedRecording[],
): string[] {
  if (follow !== undefined) return [];
  return unfilled(markets, opened).map(({ id }) => id);
}

function unfilled(markets: ExchangeConfig['markets'], opened: readonly OpenedRecording[]) {
  const replayed = new Set(opened.map(({ recording }) => recording.marketId));
  return markets.filter(({ id, synthetic }) => !synthetic && !replayed.has(id));
}

/** Connects to the venue, if one is configured, that fills the markets without another source. */
async function openFollowed(
  { markets, follow }: ExchangeConfig,
  options: EmbeddedOptions & {
    readonly clock: Clock;
    readonly opened: readonly OpenedRecording[];
  },
): Promise<FollowedVenue | undefined> {
  const others = unfilled(markets, options.opened);
  if (follow === undefined) return undefined;
  if (others.length === 0) {
    const what =
      'no market is left for it to fill, one without a source of its own is wanted, as in ' +
      '`markets: [{ id: btc_usdt }]`';
    throw new AppError('configuration', `Cannot follow ${follow.dataUrl}: ${what}`);
  }
  const { followVenue } = await import('./follow-venue.ts');
  return followVenue(follow, { ...options, markets: others.map(({ id }) => id) });
}

/** Opens recordings one after another: importing a file takes all of the machine. */
async function openAll(
  config: ExchangeConfig,
  options: EmbeddedOptions & { readonly alive: Subscription },
): Promise<OpenedRecording[]> {
  const opened: OpenedRecording[] = [];
  for (const one of config.recordings) {
    opened.push({ config: one, recording: await openRecording(one, options) });
  }
  requireOneSource(config, opened);
  return opened;
}

/**
 * Refuses two sources of prices in one market, as they would mix.
 *
 * @throws {AppError} `configuration`.
 */
function requireOneSource({ markets }: ExchangeConfig, opened: readonly OpenedRecording[]): void {
  const madeUp = markets.filter(({ synthetic }) => synthetic);
  const sources = new Map(
    madeUp.map(({ id }) => [id, `${id} is listed with \`synthetic\`, one source of prices`]),
  );
  for (const { recording } of opened) {
    const { name, marketId } = recording;
    const other = sources.get(marketId);
    if (other !== undefined) {
      throw new AppError('configuration', `Cannot replay ${name}: ${other} is wanted`);
    }
    sources.set(marketId, `${name} plays in ${marketId} too, one recording a market`);
  }
}

/**
 * The configured markets, with the followed venue's rules, and those that are only recorded.
 *
 * @throws {AppError} `configuration` where there is none.
 */
function marketsOf(
  config: ExchangeConfig,
  parts: { readonly opened: readonly OpenedRecording[]; readonly followed: readonly Market[] },
): Market[] {
  const markets = new Map(config.markets.map((market) => [market.id, marketOf(market)]));
  for (const market of parts.followed) markets.set(market.id, market);
  for (const { recording } of parts.opened) {
    const { marketId } = recording;
    if (!markets.has(marketId)) markets.set(marketId, recordedMarket(recording));
  }
  if (markets.size === 0) {
    const what = 'it has no market, one that is listed or recorded is wanted';
    throw new AppError('configuration', `Cannot open the exchange: ${what}`);
  }
  return [...markets.values()];
}

/**
 * A market with the recording's scales; its least order is one amount step. As in a backtest,
 * amounts are no finer than a wallet can hold: further digits are noise of binary arithmetic.
 */
function recordedMarket(recording: Recording): Market {
  const { marketId: id, priceScale, firstPrice: highest } = recording;
  const amountScale = Math.min(recording.amountScale, finestAmountScale(priceScale, { highest }));
  const minAmount = Number(`1e-${amountScale}`);
  return { id, ...currenciesOf(id), priceScale, amountScale, minAmount, minSize: 0 };
}

interface LiveParts {
  readonly host: SimulatedExchange;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly alive: Subscription;
}

function startSynthetic(config: ExchangeConfig, { host, clock, alive }: LiveParts): void {
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

/** The recording for a clock: virtual time stands still while records are read. */
function recordsAwaited(opened: OpenedRecording, clock: Clock): OpenedRecording {
  if (!(clock instanceof RehearsalClock)) return opened;
  const { recording } = opened;
  const records = { [Symbol.asyncIterator]: () => clock.awaited(recording.records) };
  return { ...opened, recording: { ...recording, records } };
}

function play({ config, recording }: OpenedRecording, parts: LiveParts): void {
  const { host, clock, logger, alive } = parts;
  const { speed, loop } = config;
  const { name, marketId, records, spanMs, warnings } = recording;
  const liquidity = host.anonymous(marketId);
  const lastsMs = Math.round(spanMs / speed);
  for (const warning of warnings) logger.warn({ recording: name }, warning);
  logger.info({ recording: name, market: marketId, speed, lastsMs }, 'the recording begins');
  const replay = startReplay({ records, liquidity, clock, speed, loop });
  let isCut = false;
  alive.add(() => {
    isCut = true;
    replay.stop();
  });
  const end = () => (isCut ? 'the exchange ends before the recording' : 'the recording is over');
  replay.ended.subscribe({
    next: (summary) => logger.info({ recording: name, ...summary }, end()),
    error: (thrown) => {
      const reason = withoutAction(messageOf(thrown));
      logger.error({ recording: name, reason }, 'the recording failed');
    },
  });
}
