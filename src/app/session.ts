import { EMPTY, map, merge, type Observable, Subscription } from 'rxjs';
import type { Fill, Journal, Market } from '../domain/index.ts';
import type { RunOver } from '../engine/index.ts';
import { type Exchange, type MarketList, readAgain } from '../exchange/index.ts';
import type { StopReport } from '../execution/index.ts';
import { type Clock, counted, type Logger, messageOf, seededRandom } from '../kernel/index.ts';
import { FileJournal, type Lock } from '../storage/index.ts';
import { compileSoon } from './compile-soon.ts';
import { type Bot, composeBot } from './compose.ts';
import { coinLimits } from './config/coin-limits.ts';
import { settingsWithin } from './config/overrides.ts';
import { AppError, asAppError } from './errors.ts';
import type { ExitReason } from './exit-codes.ts';
import type { LoadedDeployment } from './load-deployment.ts';
import { endableLogger } from './log/logging.ts';
import { HoldingsKeeper } from './past/holdings-keeper.ts';
import { type Recollection, recall } from './past/recall.ts';
import { positionsElsewhere } from './past/unowned.ts';
import { type Blot, blotOf } from './secrets.ts';
import { journalOf, journalPathOf, lockOf } from './session-journal.ts';
import { signedStartError, startError } from './start-errors.ts';
import { StartProgress } from './start-progress.ts';
import { readStatus, type Status } from './status/status.ts';
import type { Summary } from './status/summary.ts';
import { tellAbandoned } from './strategies/abandoned.ts';
import { onMarkets, readStrategies } from './strategies/load-strategies.ts';
import { complete } from './time/drive.ts';
import { RulesWatch } from './venue/rules-watch.ts';
import { requireSameVenue } from './venue/same-venue.ts';
import { ShortfallWatch } from './venue/shortfall-watch.ts';
import { unknownMarket } from './venue/unopened-markets.ts';
import { openVenue, type Venue } from './venue/venue.ts';

/** What a session is opened with. */
export interface SessionOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** The seed of all randomness. */
  readonly seed: string;
  /** Keep no journal but its hash: for runs on virtual time. Default: false. */
  readonly inMemory?: boolean;
  /** A person's word: trade again although an earlier run halted. Default: false. */
  readonly resume?: boolean;
  /** Asks to stop while strategies are still being loaded. Default: nobody does. */
  readonly stop?: Observable<StopRequest> | undefined;
}

/** Why a session stops, and its outcome if all orders are gone. */
export interface StopRequest {
  readonly reason: string;
  readonly outcome: ExitReason;
}

interface SessionParts extends SessionOptions {
  readonly deployment: LoadedDeployment;
  readonly venue: Venue;
  readonly journal: Journal;
  readonly journalPath: string | undefined;
  readonly bot: Bot;
  /** Silences bot and venue in the log. */
  readonly hush: () => void;
  /** Takes secrets out of a text. */
  readonly blot: Blot | undefined;
  /** Absent where the exchange begins anew with every run. */
  readonly guards: Guards | undefined;
}

/** Needed on an exchange that outlasts the run: its rules may change, and others trade on it. */
interface Guards {
  readonly keeper: HoldingsKeeper;
  readonly rules: RulesWatch;
  readonly shortfalls: ShortfallWatch;
}

/** One run of a deployment, from start to summary. Made by `openSession`. */
export class Session {
  readonly #parts: SessionParts;
  readonly #startedMs: number;
  #isStopping = false;
  /** The strategies as they were before the stop ended them. */
  #strategies: Status['strategies'] | undefined;
  /** Set once the stop is over. */
  #summary: Summary | undefined;
  /** What logs news of the run by itself. */
  readonly #news = new Subscription();

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#startedMs = parts.clock.now();
  }

  get name(): string {
    return this.#parts.deployment.config.name;
  }

  /** The venue in a few words. */
  get venue(): string {
    return this.#parts.venue.description;
  }

  /** Milliseconds since the session was opened. */
  get runningMs(): number {
    return this.#parts.clock.now() - this.#startedMs;
  }

  /** Whether its stop has begun. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** What orders trade, from the subscription on. */
  get fills(): Observable<Fill> {
    return this.#parts.bot.bus.on('fill').pipe(map(({ fill }) => fill));
  }

  /** Emits when the run cannot go on by itself. */
  get over(): Observable<RunOver> {
    const { bot, guards } = this.#parts;
    return merge(bot.engine.over, guards?.rules.over ?? EMPTY);
  }

  status(): Status {
    return readStatus(this.#parts.bot.sources);
  }

  /** Settles what earlier runs left and lets the strategies run. @throws {AppError} `exchange`. */
  async start(): Promise<void> {
    const { bot, clock, venue, hush, logger, guards } = this.#parts;
    const progress = new StartProgress({ clock, logger });
    const accepted = () => {
      venue.accepted?.();
      progress.step(`reading the orders of ${counted(bot.sources.markets.size, 'market')}`);
    };
    try {
      progress.step('connecting');
      await complete(venue.warm, clock);
      progress.step('reading the account');
      await complete(bot.engine.start(accepted), clock);
      this.#news.add(bot.sources.blackouts.follow(logger));
      guards?.shortfalls.start();
    } catch (thrown) {
      // Closing the venue fails requests under way, which would be logged ahead of the reason.
      if (!this.#isStopping) hush();
      throw signedStartError(thrown, { venue, clock });
    } finally {
      progress.end();
    }
  }

  /** Cancels and verifies all orders and tells what the run came to. */
  async stop({ reason, outcome }: StopRequest): Promise<Summary> {
    const { bot, clock, blot } = this.#parts;
    const told = blot?.(reason) ?? reason;
    this.#isStopping = true;
    this.#strategies = this.status().strategies;
    const stop = await complete(bot.engine.stop(told), clock);
    if (stop === undefined)
      throw new AppError('defect', 'Cannot stop: the executor gave no report');
    this.#summary = this.#summaryOf(stop, { reason: told, outcome });
    return this.#summary;
  }

  /**
   * The summary for whoever quits without waiting for the end of a stop: nothing is sent, and what
   * the stop could not yet show to be gone may still rest.
   */
  quitSummary(reason: string): Summary {
    const outcome = 'unverified';
    return (
      this.#summary ?? this.#summaryOf(this.#parts.bot.engine.stopSoFar(), { reason, outcome })
    );
  }

  #summaryOf(stop: StopReport, { reason, outcome }: StopRequest): Summary {
    const { clock, venue, journal, journalPath: path } = this.#parts;
    const status = this.status();
    const hash = hashOf(journal);
    // The journal may have failed after the stop was asked for.
    const ended = hash === undefined && outcome === 'success' ? 'journal' : outcome;
    return {
      name: this.name,
      file: this.#parts.deployment.yaml.file,
      venueSet: settingsWithin('venue', this.#parts.deployment.set ?? []),
      venue: this.venue,
      reason,
      outcome: stop.verified ? ended : 'unverified',
      durationMs: this.runningMs,
      endedMs: clock.now(),
      logFormat: this.#parts.deployment.config.log.format,
      status: { ...status, strategies: this.#strategies ?? status.strategies },
      stop,
      embedded: venue.inspect?.(),
      journal: { path, hash },
    };
  }

  /**
   * Closes the journal and the venue. To be called once, whatever became of the run. Tells whether
   * the journal is complete, whose last events are written now.
   */
  async close(): Promise<boolean> {
    const { guards, venue } = this.#parts;
    guards?.rules.close();
    guards?.shortfalls.close();
    this.#news.unsubscribe();
    guards?.keeper.close();
    const isWhole = this.#closeJournal();
    await venue.close();
    return isWhole;
  }

  #closeJournal(): boolean {
    const { journal, logger } = this.#parts;
    const isWhole = hashOf(journal) !== undefined;
    try {
      journal.close();
      return isWhole;
    } catch (thrown) {
      logger.error({ reason: messageOf(thrown) }, 'the journal could not be closed');
      return false;
    }
  }
}

/** The summary of a run whose journal failed after the summary was made. */
export function withoutJournal({ outcome, journal, ...others }: Summary): Summary {
  const ended = outcome === 'success' ? 'journal' : outcome;
  return { ...others, outcome: ended, journal: { ...journal, hash: undefined } };
}

/** The hash of the run's journal, undefined when it can't be written any more. */
function hashOf(journal: Journal): string | undefined {
  try {
    return journal.hash();
  } catch {
    return undefined;
  }
}

/**
 * Opens the venue, the journal and the strategies of a deployment; nothing trades yet.
 *
 * @throws {AppError} when any of it cannot be had; what was opened is closed again.
 */
export async function openSession(
  deployment: LoadedDeployment,
  options: SessionOptions,
): Promise<Session> {
  const { config, yaml } = deployment;
  compileSoon('bot');
  // Errors in the file are reported without an exchange, and before anything is opened.
  const blot = blotOf(config);
  const entries = config.strategies;
  const read = await readStrategies({ entries, yaml, stop: options.stop });
  const random = seededRandom(options.seed);
  const { logger, end: hush } = endableLogger(options.logger);
  const journalPath = options.inMemory ? undefined : journalPathOf(deployment);
  let lock: Lock | undefined;
  let venue: Venue | undefined;
  let journal: Journal | undefined;
  try {
    // First of all: a second run on this journal must not open a venue beside the first.
    lock = journalPath === undefined ? undefined : lockOf(journalPath);
    if (journalPath !== undefined) requireSameVenue(journalPath, config.venue);
    const opened = { ...options, logger, journalPath, random: random.fork('venue') };
    venue = await openVenue(deployment, opened);
    const markets = await tradedMarkets(deployment, { ...options, venue, logger });
    const strategies = onMarkets({ strategies: read, yaml }, markets);
    journal = journalOf(deployment, { ...options, journalPath, lock, markets });
    // An embedded exchange begins anew with every run: what earlier runs left is not on it.
    const isPast = journalPath !== undefined && !venue.isNew;
    const past = isPast ? recall(journalPath, options.clock.now()) : undefined;
    const { exchange } = venue;
    const parts = { config, random, exchange, markets, strategies, journal, past, blot };
    const bot = composeBot({ ...options, ...parts, logger });
    tellAbandoned({ ...bot.sources, bus: bot.bus, logger });
    const guards =
      past !== undefined && journal instanceof FileJournal
        ? guardsOf(bot, { ...options, logger, exchange, journal, past })
        : undefined;
    const shown = { journal, journalPath, blot, hush };
    return new Session({ ...options, ...shown, deployment, venue, bot, guards });
  } catch (thrown) {
    journal?.close();
    lock?.release();
    await venue?.close();
    throw asAppError(thrown);
  }
}

function guardsOf(
  { bus, balances, sources }: Bot,
  options: SessionOptions & {
    readonly exchange: Exchange;
    readonly journal: FileJournal;
    readonly past: Recollection;
  },
): Guards {
  const parts = { ...options, ...sources, bus, balances };
  const elsewhere = positionsElsewhere(options.past, sources.markets);
  return {
    keeper: new HoldingsKeeper(parts),
    rules: new RulesWatch({ ...parts, data: options.exchange.market }),
    shortfalls: new ShortfallWatch({
      ...parts,
      elsewhere: elsewhere.map(([, position]) => position),
    }),
  };
}

async function tradedMarkets(
  deployment: LoadedDeployment,
  { venue, clock, logger }: { venue: Venue; clock: Clock; logger: Logger },
): Promise<ReadonlyMap<string, Market>> {
  const { config, yaml } = deployment;
  const progress = new StartProgress({ clock, logger });
  progress.step('reading the rules of the markets');
  const all = await marketsOf(venue, { clock, logger }).finally(() => progress.end());
  const known = new Map(all.map((market) => [market.id, market]));
  const names = [...known.keys()];
  const illegible = config.markets.filter((id) => all.illegible?.includes(id));
  if (illegible.length > 0) {
    const is = `the exchange tells no rules of ${illegible.join(', ')} that can be read`;
    const wanted = 'scales and least amounts are wanted';
    throw new AppError('exchange', `Cannot start on ${venue.description}: ${is}, ${wanted}`);
  }
  const problems = config.markets.flatMap((id, at) =>
    known.has(id) ? [] : [unknownMarket(id, { yaml, at, known: names })],
  );
  if (problems.length > 0) throw new AppError('configuration', problems.join('\n'));
  for (const { market, text } of coinLimits(deployment, all)) logger.warn({ market }, text);
  return new Map(config.markets.map((id) => [id, known.get(id)!]));
}

async function marketsOf(
  venue: Venue,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Promise<MarketList> {
  try {
    const again = readAgain<MarketList>({ clock, logger, what: 'the list of markets' });
    return (await complete(venue.exchange.market.markets().pipe(again), clock)) ?? [];
  } catch (thrown) {
    throw startError(thrown, venue);
  }
}
