import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { currenciesOf } from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';
import { simulationSchema } from '../../sim/index.ts';
import type { DialectName } from '../../venues/zb/server/index.ts';
import {
  DATA_FOLDER,
  type RecordingConfig,
  recordingSchema,
  type ServedExchangeConfig,
  type ServedExchangeSettings,
  servedExchangeSchema,
  withMarkets,
} from '../config/exchange.ts';
import { readAs } from '../config/problems.ts';
import type { TimeConfig } from '../config/time.ts';
import { type LocatedYaml, readYamlFile } from '../config/yaml.ts';
import { AppError } from '../errors.ts';
import { namedRecording, type Recording } from './recordings.ts';

/** The exchange that is served when no file is named. */
const BUNDLED = fileURLToPath(new URL('../../../config/exchange.yaml', import.meta.url));

/** Quote currency that the account of a replayed market starts with; its base is worth as much. */
const PLAY_MONEY = 10_000;

/** What the command line says of a served exchange; it overrides the file. */
export interface ServedSettings {
  /** YAML file with markets, accounts, keys and limits. Default: a seeded demo market. */
  readonly file?: string | undefined;
  readonly port?: number;
  /** Recordings to play in place of the seeded markets: files, or names of datasets. */
  readonly replay?: readonly string[];
  /** The market of the one recording to play. Default: by the symbols in it or by its name. */
  readonly market?: string;
  /** The folder of all datasets. Default: `data`. */
  readonly dataFolder?: string | undefined;
  /** How many times faster than it happened recordings are played, by the exchange's own time. */
  readonly speed?: number;
  readonly dialect?: DialectName;
  readonly time?: TimeConfig['mode'];
  /** Seconds of the exchange per real second; implies scaled time. */
  readonly scale?: number;
  readonly adminPort?: number;
}

/**
 * The settings of the file, or of the bundled one, with what the command line says on top.
 *
 * @throws {AppError} `configuration` or `usage` where they don't fit together.
 */
export function servedSettings(options: ServedSettings): ServedExchangeConfig {
  const yaml = yamlOf(options.file ?? BUNDLED);
  const settings = readAs(servedExchangeSchema, yaml);
  const { adminPort, port = settings.server.port, dialect = settings.server.dialect } = options;
  const config = withMarkets({
    ...settings,
    ...playedMarkets(settings, options),
    server: { ...settings.server, port, dialect },
    time: timeOf(settings.time, options),
    admin: adminPort === undefined ? settings.admin : { port: adminPort },
  });
  requireOneTime(config);
  requireMover(config, options);
  return config;
}

/** Where settings stand in the file, if there is one: file, line and column. */
export function placesIn({ file }: ServedSettings): LocatedYaml['locate'] | undefined {
  return file === undefined ? undefined : (path) => yamlOf(file).locate(path);
}

function yamlOf(file: string): LocatedYaml {
  return readYamlFile(file, { wanted: 'an exchange' });
}

/** What is replayed, and in which markets. */
function playedMarkets(
  settings: ServedExchangeSettings,
  options: ServedSettings,
): Partial<ServedExchangeSettings> {
  const { file, replay, speed, dataFolder } = options;
  requireOneReplay(options);
  const recordings = settings.recordings.map((one) => ({ ...one, speed: speed ?? one.speed }));
  if (replay === undefined) {
    requireDatasets(dataFolder, 'nothing is replayed, --replay is wanted');
    if (speed === undefined || recordings.length > 0) return { recordings };
    const what = 'nothing is replayed, --replay is wanted (--scale makes all time faster)';
    throw new AppError('usage', `Cannot play at speed ${speed}: ${what}`);
  }
  const played = replay.map((name) => recordingNamed(name, options));
  if (played.every(({ dataset }) => dataset === undefined)) {
    requireDatasets(dataFolder, 'files are replayed, the name of a dataset is wanted');
  }
  if (file !== undefined) return { recordings: [...recordings, ...played] };
  return { markets: [], recordings: played };
}

/** @throws {AppError} `usage` where a market is named, and not one recording that plays in it. */
function requireOneReplay({ market, replay = [] }: ServedSettings): void {
  if (market === undefined || replay.length === 1) return;
  const what =
    replay.length === 0
      ? 'nothing is replayed, --replay is wanted'
      : `${replay.length} recordings are replayed, one is wanted (a configuration names a market each)`;
  throw new AppError('usage', `Cannot replay in ${market}: ${what}`);
}

/** @throws {AppError} `usage` where a folder of datasets is named, and no dataset. */
function requireDatasets(dataFolder: string | undefined, what: string): void {
  if (dataFolder === undefined) return;
  throw new AppError('usage', `Cannot take datasets from ${dataFolder}: ${what}`);
}

/** A recording that the command line names, as the file would have it. */
function recordingNamed(
  name: string,
  { market, speed, dataFolder = DATA_FOLDER }: ServedSettings,
): RecordingConfig {
  const { file, dataset } = namedRecording(name, dataFolder);
  const from = file === undefined ? { dataset, dataFolder } : { file: resolve(file) };
  return recordingSchema.parse({ ...from, market, speed });
}

/** One account with play money for all that is replayed, where no file names accounts. */
export function playAccounts(recordings: readonly Recording[]): ServedExchangeSettings['accounts'] {
  const money = new Map<string, Decimal>();
  const give = (currency: string, amount: Decimal): void => {
    const given = money.get(currency);
    if (given === undefined || given.compare(amount) < 0) money.set(currency, amount);
  };
  for (const { marketId, firstPrice } of recordings) {
    const { base, quote } = currenciesOf(marketId);
    const quoteMoney = Decimal.of(PLAY_MONEY);
    give(base, quoteMoney.dividedBy(Decimal.of(firstPrice), 4, 'up'));
    give(quote, quoteMoney);
  }
  const balances = Object.fromEntries(Array.from(money, ([name, sum]) => [name, sum.toString()]));
  return simulationSchema.shape.accounts.parse([{ name: 'main', balances }]);
}

function timeOf(settings: TimeConfig, { time, scale }: ServedSettings): TimeConfig {
  const mode = time ?? (scale === undefined ? settings.mode : 'scaled');
  if (mode !== 'scaled' && scale !== undefined) {
    throw new AppError('usage', `Cannot scale ${mode} time: --time scaled is wanted`);
  }
  const start = mode === 'real' ? {} : { start: settings.start };
  return mode === 'scaled'
    ? { mode, scale: scale ?? settings.scale, ...start }
    : { mode, ...start };
}

/** Refuses stepped time without an admin port: nothing would ever move it. */
function requireMover({ time, admin }: ServedExchangeConfig, told: ServedSettings): void {
  if (time.mode !== 'stepped' || admin !== undefined) return;
  throw new AppError(
    told.time === undefined ? 'configuration' : 'usage',
    'Cannot serve in stepped time: there is no admin port, which alone moves it, --admin-port or ' +
      '`admin: { port: 8711 }` in the file is wanted',
  );
}

/** Refuses to follow a venue in another time than the real one, in which it lives. */
function requireOneTime({ follow, time }: ServedExchangeConfig): void {
  if (follow === undefined || time.mode === 'real') return;
  throw new AppError(
    'configuration',
    `Cannot follow ${follow.dataUrl} in ${time.mode} time: it lives in real time, that is wanted`,
  );
}
