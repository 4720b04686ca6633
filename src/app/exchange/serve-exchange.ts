import { dirname, resolve } from 'node:path';
import { firstValueFrom, NEVER, type Observable, race, timer } from 'rxjs';
import { type Clock, type Logger, seededRandom } from '../../kernel/index.ts';
import { type DialectName, type ServedZb, serveZb, tryPort } from '../../venues/zb/server/index.ts';
import { type AdminServer, adminRoutes, openAdmin } from '../admin/index.ts';
import type { ServedExchangeConfig } from '../config/exchange.ts';
import { logConfigSchema } from '../config/log.ts';
import { asAppError } from '../errors.ts';
import { FaultyNetwork } from '../faults/index.ts';
import { createLogger, type LogTarget } from '../log/logging.ts';
import type { StopRequest } from '../session.ts';
import { type ExchangeTime, openTime } from '../time/exchange-time.ts';
import { systemClock } from '../time/system-clock.ts';
import {
  type EmbeddedExchange,
  type EmbeddedOptions,
  openEmbeddedExchange,
} from './embedded-exchange.ts';
import { placesIn, playAccounts, type ServedSettings, servedSettings } from './served-settings.ts';

export interface ServeOptions extends ServedSettings {
  readonly log: LogTarget;
  /** What counts as real time. Default: the machine's. */
  readonly clock?: Clock;
  /** How long to serve, in real time. Default: until asked to stop. */
  readonly durationMs?: number | undefined;
  readonly stop: Observable<StopRequest>;
  /** Called once it is served. */
  readonly onServed?: (served: ServedExchange) => void;
}

/** An exchange that is served, for people. */
export interface ServedExchange {
  readonly port: number;
  readonly dataUrl: string;
  readonly pushUrl: string;
  readonly dialect: DialectName;
  readonly time: Pick<ExchangeTime, 'mode' | 'scale'>;
  /** Address of the admin port, where it is open. */
  readonly adminUrl: string | undefined;
  readonly markets: readonly string[];
  /** The keys without their secrets. */
  readonly keys: readonly { readonly accessKey: string; readonly account: string }[];
  /** Orders of an account that rest now. */
  readonly resting: (account: string) => number;
}

/** Serves the simulated exchange until asked to stop. @throws {AppError} when it cannot. */
export async function serveExchange(options: ServeOptions): Promise<void> {
  const { clock = systemClock, log: target, durationMs, stop, file, replay } = options;
  const config = servedSettings(options);
  const logger = createLogger(logConfigSchema.parse({}), { target, clock });
  const base = file === undefined ? '' : dirname(file);
  await requirePort(config);
  const { embedded, time } = await openAlive(config, {
    clock,
    logger,
    random: seededRandom(config.seed),
    resolveFile: (file) => resolve(base, file),
    accountsOf: replay !== undefined && file === undefined ? playAccounts : undefined,
    stop,
    locate: placesIn(options),
  });
  let opened: OpenedExchange | undefined;
  try {
    // The beginning of a recording is played before anybody looks.
    if (time.mode === 'stepped') await time.advance?.(0);
    opened = await openServed(config, { clock, time, embedded, logger });
    const timeOver = durationMs === undefined ? NEVER : timer(durationMs, clock);
    // Heard from before the call of `onServed`, which may ask to stop at once.
    const over = firstValueFrom(race(stop, timeOver), { defaultValue: undefined });
    options.onServed?.(opened.exchange);
    await over;
  } catch (thrown) {
    throw asAppError(thrown);
  } finally {
    time.stop();
    await opened?.close();
    await embedded.close();
  }
}

/** The settings of the port, for messages. */
const PORT_SETTING = '--port or server.port';

/** Checks the port before recordings are read, which takes a while. */
async function requirePort({ server, recordings }: ServedExchangeConfig): Promise<void> {
  if (recordings.length === 0) return;
  const { port, address } = server;
  try {
    await tryPort({ port, address, portSetting: PORT_SETTING });
  } catch (thrown) {
    throw asAppError(thrown);
  }
}

/** Opens the exchange. Its time begins once all recordings are read. */
async function openAlive(
  config: ServedExchangeConfig,
  { clock, ...options }: Omit<EmbeddedOptions, 'openClock'> & Pick<Parts, 'clock'>,
): Promise<Pick<Parts, 'embedded' | 'time'>> {
  let time: ExchangeTime | undefined;
  const openClock = (): Clock => {
    time = openTime(config.time, clock);
    return time.clock;
  };
  const embedded = await openEmbeddedExchange(config, { ...options, openClock });
  return { embedded, time: time! };
}

interface Parts {
  /** The callers' time. */
  readonly clock: Clock;
  readonly time: ExchangeTime;
  readonly embedded: EmbeddedExchange;
  readonly logger: Logger;
}

interface OpenedExchange {
  readonly exchange: ServedExchange;
  close(): Promise<void>;
}

/** Puts the exchange on the network, and its operator's port beside it where one is wanted. */
async function openServed(config: ServedExchangeConfig, parts: Parts): Promise<OpenedExchange> {
  const { embedded, clock, time, logger } = parts;
  const { server, admin: adminConfig } = config;
  const random = seededRandom(config.seed).fork('faults');
  const { dialect } = server;
  const network = adminConfig && new FaultyNetwork({ clock, random, dialect });
  const served = await serveZb({
    ...server,
    host: embedded.host,
    clock: time.clock,
    wireClock: clock,
    logger,
    hostAddress: server.address,
    portSetting: PORT_SETTING,
    between: network && ((zb) => network.before(zb)),
  });
  let admin: AdminServer | undefined;
  const close = async (): Promise<void> => {
    await admin?.close();
    await served.close();
  };
  try {
    if (adminConfig !== undefined && network !== undefined) {
      const accounts = config.accounts.map(({ name }) => name);
      const routes = adminRoutes({ host: embedded.host, accounts, time, served, network });
      admin = await openAdmin(routes, { port: adminConfig.port, logger });
    }
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return { exchange: forPeople(config, { served, embedded, time, admin }), close };
}

function forPeople(
  { server }: ServedExchangeConfig,
  parts: Pick<Parts, 'embedded' | 'time'> & { served: ServedZb; admin: AdminServer | undefined },
): ServedExchange {
  const { served, embedded, time, admin } = parts;
  const { port, dataUrl, pushUrl } = served;
  const keys = server.keys.map(({ accessKey, account }) => ({ accessKey, account }));
  return {
    port,
    dataUrl,
    pushUrl,
    dialect: server.dialect,
    time: { mode: time.mode, scale: time.scale },
    adminUrl: admin?.url,
    markets: embedded.markets.map(({ id }) => id),
    keys,
    resting: embedded.resting,
  };
}
