import { randomUUID } from 'node:crypto';
import {
  distinct,
  firstValueFrom,
  map,
  NEVER,
  type Observable,
  of,
  ReplaySubject,
  race,
  Subject,
  Subscription,
  take,
  tap,
} from 'rxjs';
import type { RunOver } from '../engine/index.ts';
import { stopText } from '../execution/index.ts';
import { type Clock, type Logger, messageOf } from '../kernel/index.ts';
import { type Alerts, openAlerts } from './alerts/open-alerts.ts';
import { DEFAULT_SEED } from './config/seeds.ts';
import { AppError } from './errors.ts';
import type { ExitReason } from './exit-codes.ts';
import { type LoadedDeployment, loadDeployment } from './load-deployment.ts';
import { createLogger, type LogTarget } from './log/logging.ts';
import { blotOf, blottedError, blottedLogger } from './secrets.ts';
import { openSession, type Session, type StopRequest, withoutJournal } from './session.ts';
import { type DayNewsOptions, followDays } from './status/day-news.ts';
import { followStandstills } from './status/standstills.ts';
import type { Summary } from './status/summary.ts';
import { pass } from './time/drive.ts';
import { RehearsalClock } from './time/rehearsal-clock.ts';
import { systemClock } from './time/system-clock.ts';
import { uncaughtOf } from './uncaught.ts';

/** Where virtual time begins, so that runs on it can be compared: 2024-01-01T00:00:00Z. */
const VIRTUAL_START_MS = 1_704_067_200_000;

export interface RunOptions {
  /** The deployment's YAML file. */
  readonly file: string;
  readonly log: LogTarget;
  /** Stop by itself after this time. Default: never. */
  readonly durationMs?: number | undefined;
  /** On virtual time, as fast as possible. Default: false. */
  readonly virtual?: boolean;
  /** Seed of all randomness, in place of all that the file names. */
  readonly seed?: string;
  /** Settings in place of the file's, each as `path=value`. Default: none. */
  readonly set?: readonly string[];
  /** A person's word: trade again although an earlier run halted. Default: false. */
  readonly resume?: boolean;
  /** Asks the run to stop; only the first request counts. */
  readonly stop: Observable<StopRequest>;
  /** Errors that nobody caught; the first stops the run in order. Default: none is heard of. */
  readonly uncaught?: Observable<unknown>;
  /** Called once everything is open, before anything trades. */
  readonly onOpen?: (session: Session) => void;
}

const TIME_OVER: StopRequest = { reason: 'its time is over', outcome: 'success' };

/**
 * Runs a deployment until its time is over, it is asked to stop, or it cannot go on.
 *
 * @throws {AppError} when it cannot start; see `EXIT_CODES`.
 */
export async function runDeployment(options: RunOptions): Promise<Summary> {
  const { virtual = false, resume = false } = options;
  if (virtual && options.durationMs === undefined) {
    throw new AppError('usage', 'Cannot run on virtual time without an end: --for is wanted');
  }
  const loaded = loadDeployment(options.file, { ...options, trades: true });
  const deployment = virtual ? onVirtualTime(loaded) : loaded;
  const clock = virtual ? new RehearsalClock(VIRTUAL_START_MS) : systemClock;
  const { logger, alerts } = openLog(deployment, { ...options, clock });
  // On virtual time every run is the same, else each has a seed of its own.
  const { seed = virtual ? DEFAULT_SEED : randomUUID() } = deployment.config;
  if (deployment.config.seed === undefined) logger.info({ seed }, 'seed of this run');
  const stops = hearStops(deployment, { ...options, logger });
  const { asked } = stops;
  try {
    const parts = { clock, logger, resume, seed, inMemory: virtual, stop: asked };
    const session = await openSession(deployment, parts);
    stops.add(session.over.pipe(map(requestOf)));
    options.onOpen?.(session);
    return await runSession(session, { ...options, clock, logger, asked, alerts });
  } catch (thrown) {
    const error = blottedError(thrown, blotOf(deployment.config));
    // A stop asked for while strategies were loading is no error to look at.
    const isAsked = error instanceof AppError && error.reason === 'success';
    alerts?.tell(isAsked ? 'info' : 'error', messageOf(error));
    throw error;
  } finally {
    await alerts?.close();
    stops.end();
  }
}

/** The log of a run, and its alerts beside it; on virtual time there are none. */
function openLog(
  deployment: LoadedDeployment,
  { log: target, clock, virtual = false }: Pick<RunOptions, 'log' | 'virtual'> & { clock: Clock },
): { readonly logger: Logger; readonly alerts: Alerts | undefined } {
  const blot = blotOf(deployment.config);
  const blotted = (logger: Logger): Logger =>
    blot === undefined ? logger : blottedLogger(logger, blot);
  const plain = createLogger(deployment.config.log, { target, clock });
  const alerts = virtual ? undefined : openAlerts(deployment, { clock, logger: blotted(plain) });
  return { logger: blotted(alerts?.watching(plain) ?? plain), alerts };
}

/** What may stop a run. */
interface Stops {
  /** Emits the first request, also to whoever subscribes after it came. */
  readonly asked: Observable<StopRequest>;
  /** Hears these requests too. */
  readonly add: (requests: Observable<StopRequest>) => void;
  /** Hears no more. */
  readonly end: () => void;
}

/** Hears stop requests and uncaught errors, also while the run is still being opened. */
function hearStops(
  deployment: LoadedDeployment,
  { stop, uncaught = NEVER, logger }: Pick<RunOptions, 'stop' | 'uncaught'> & { logger: Logger },
): Stops {
  const requests = new Subject<StopRequest>();
  const asked = new ReplaySubject<StopRequest>(1);
  // Errors are heard until the end: none must end the process during the stop.
  const hearing = new Subscription();
  const add = (others: Observable<StopRequest>): void => {
    hearing.add(others.subscribe((request) => requests.next(request)));
  };
  hearing.add(requests.pipe(take(1)).subscribe(asked));
  add(stop);
  const errors = uncaught.pipe(
    map((thrown) => uncaughtOf(thrown, deployment)),
    // One that comes with every tick is told once.
    distinct(({ reason }) => reason),
    tap(({ reason, stack }) => logger.error({ stack }, `${reason}; stopping in order`)),
  );
  add(errors.pipe(map(({ reason }) => ({ reason, outcome: 'defect' }))));
  return { asked, add, end: () => hearing.unsubscribe() };
}

/** From start to summary; the session is closed whatever happens. */
async function runSession(
  session: Session,
  options: {
    readonly clock: Clock;
    readonly logger: Logger;
    readonly durationMs?: number | undefined;
    readonly virtual?: boolean;
    readonly asked: Observable<StopRequest>;
    readonly alerts: Alerts | undefined;
  },
): Promise<Summary> {
  const { clock, logger, asked, alerts, durationMs = Number.POSITIVE_INFINITY } = options;
  const days = new Subscription();
  const still = new Subscription();
  // On virtual time nothing waits for the machine.
  if (!options.virtual) {
    const tell = (text: string, details: object): void => logger.warn(details, text);
    still.add(followStandstills({ clock, tell }));
  }
  still.add(alerts?.following(session.fills));
  const tellDay: DayNewsOptions['tell'] = (what, details) => {
    const text = `day over: ${what}`;
    logger.info(details, text);
    alerts?.tell('info', text);
  };
  let summary: Summary;
  let isKept = false;
  try {
    // A start that hangs must not keep anybody from stopping.
    const started = session.start().then(() => true);
    const isStarted = await Promise.race([started, firstValueFrom(asked).then(() => false)]);
    if (isStarted) {
      alerts?.tell('info', `started on ${session.venue}`);
      days.add(followDays({ clock, read: () => session.status(), tell: tellDay }));
    }
    await pass(clock, { durationMs, until: asked });
    days.unsubscribe();
    // RxJS throws uncaught errors from a timer of Node, which had no turn yet on virtual time.
    await new Promise((resolve) => setTimeout(resolve, 1));
    summary = await session.stop(await firstValueFrom(race(asked, of(TIME_OVER))));
    alerts?.tell(...endOf(summary));
  } finally {
    days.unsubscribe();
    still.unsubscribe();
    isKept = await session.close();
  }
  return isKept ? summary : withoutJournal(summary);
}

/** How a run ended, as an alert. */
function endOf({ reason, outcome, stop }: Summary): Parameters<Alerts['tell']> {
  return [outcome === 'success' ? 'info' : 'error', `stopped, ${reason}: ${stopText(stop)}`];
}

/** The outcome of a run that cannot go on, by the reason. */
const OUTCOMES = {
  strategies: 'strategy',
  journal: 'journal',
  rules: 'exchange',
} as const satisfies Record<RunOver['reason'], ExitReason>;

function requestOf({ reason, message }: RunOver): StopRequest {
  return { reason: message, outcome: OUTCOMES[reason] };
}

/** The deployment with direct calls to its simulated exchange: virtual time waits for no socket. */
function onVirtualTime(deployment: LoadedDeployment): LoadedDeployment {
  const { config, yaml } = deployment;
  const { venue } = config;
  if (venue.kind !== 'simulated') {
    throw new AppError(
      'usage',
      'Cannot run on virtual time: the venue is a real one, venue.kind: simulated is wanted',
    );
  }
  if (venue.follow !== undefined) {
    const where = yaml.locate(['venue', 'follow']);
    throw new AppError('usage', `${where}: Cannot run on virtual time: prices follow a live venue`);
  }
  return { ...deployment, config: { ...config, venue: { ...venue, transport: 'process' } } };
}
