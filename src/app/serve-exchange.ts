import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstValueFrom, NEVER, type Observable, race, timer } from 'rxjs';
import { currenciesOf } from '../domain/index.ts';
import { type Clock, Decimal, seededRandom } from '../kernel/index.ts';
import { simulationSchema } from '../sim/index.ts';
import { type DialectName, type ServedZb, serveZb } from '../venues/zb/server/index.ts';
import {
  type RecordingConfig,
  type ServedExchangeConfig,
  servedExchangeSchema,
} from './config/exchange.ts';
import { readAs } from './config/problems.ts';
import { openEmbeddedExchange, unnamedMarket } from './embedded-exchange.ts';
import { asAppError } from './errors.ts';
import { openRecordingFile } from './files.ts';
import { readYamlFile } from './load-deployment.ts';
import { createLogger, type LogTarget, logConfigSchema } from './logging.ts';
import { systemClock } from './system-clock.ts';

/** The exchange that is served when no file is named. */
const BUNDLED = fileURLToPath(new URL('../../config/exchange.yaml', import.meta.url));

/** Quote currency that the account of a replayed market starts with; its base is worth as much. */
const PLAY_MONEY = 10_000;

export interface ServeOptions {
  /** YAML file with markets, accounts, keys and limits. Default: a seeded demo market. */
  readonly file?: string;
  readonly port?: number;
  /** A recording to play in place of the seeded market. */
  readonly replay?: string;
  readonly speed?: number;
  readonly dialect?: DialectName;
  readonly log: LogTarget;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Default: until asked to stop. */
  readonly durationMs?: number;
  readonly stop: Observable<unknown>;
  /** Called once it is served. */
  readonly onServed?: (served: ServedExchange) => void;
}

/** An exchange that is served, for people. */
export interface ServedExchange {
  readonly port: number;
  readonly dataUrl: string;
  readonly pushUrl: string;
  readonly dialect: DialectName;
  readonly markets: readonly string[];
  /** The keys without their secrets. */
  readonly keys: readonly { readonly accessKey: string; readonly account: string }[];
  /** Orders of an account that rest now. */
  readonly resting: (account: string) => number;
}

/** Serves the simulated exchange until asked to stop. @throws {AppError} when it cannot. */
export async function serveExchange(options: ServeOptions): Promise<void> {
  const { clock = systemClock, log: target } = options;
  const config = await configOf(options);
  const logger = createLogger(logConfigSchema.parse({}), { target, clock });
  const base = options.file === undefined ? process.cwd() : dirname(options.file);
  const embedded = await openEmbeddedExchange(config, {
    clock,
    logger,
    random: seededRandom(config.seed),
    resolveFile: (file) => resolve(base, file),
  });
  let served: ServedZb | undefined;
  try {
    const { server } = config;
    const { host } = embedded;
    served = await serveZb({ host, clock, logger, ...server, hostAddress: server.address });
    options.onServed?.({
      ...served,
      dialect: server.dialect,
      markets: embedded.markets.map(({ id }) => id),
      keys: server.keys.map(({ accessKey, account }) => ({ accessKey, account })),
      resting: embedded.resting,
    });
    const { durationMs, stop } = options;
    const timeOver = durationMs === undefined ? NEVER : timer(durationMs, clock);
    await firstValueFrom(race(stop, timeOver), { defaultValue: undefined });
  } catch (thrown) {
    throw asAppError(thrown);
  } finally {
    await served?.close();
    await embedded.close();
  }
}

/** The settings of the file, or of the bundled one, with what the command line says on top. */
async function configOf(options: ServeOptions): Promise<ServedExchangeConfig> {
  const { file, replay, speed, dialect, port } = options;
  const yaml = readYamlFile(file ?? BUNDLED);
  const settings = readAs(servedExchangeSchema, yaml);
  const recordings = settings.recordings.map((one) => ({ ...one, speed: speed ?? one.speed }));
  const server = {
    ...settings.server,
    port: port ?? settings.server.port,
    dialect: dialect ?? settings.server.dialect,
  };
  const config = { ...settings, recordings, server };
  if (replay === undefined) return config;
  const recording = { file: resolve(replay), speed: speed ?? 1, loop: false };
  if (file !== undefined) return { ...config, recordings: [...recordings, recording] };
  return { ...config, ...(await replayedMarket(recording)) };
}

/** The bundled exchange with the recorded market in place of its own, and play money for it. */
async function replayedMarket(
  recording: RecordingConfig,
): Promise<Pick<ServedExchangeConfig, 'markets' | 'accounts' | 'recordings'>> {
  const { marketId, firstPrice } = await openRecordingFile(recording.file);
  if (marketId === undefined) throw unnamedMarket(recording.file);
  const { base, quote } = currenciesOf(marketId);
  const baseMoney = Decimal.of(PLAY_MONEY).dividedBy(Decimal.of(firstPrice), 4, 'up');
  const balances = { [base]: baseMoney.toString(), [quote]: String(PLAY_MONEY) };
  const accounts = simulationSchema.shape.accounts.parse([{ name: 'main', balances }]);
  return { markets: [], accounts, recordings: [recording] };
}
