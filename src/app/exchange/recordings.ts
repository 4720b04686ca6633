import { existsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import { NEVER, type Observable, type Subscription } from 'rxjs';
import type { MarketRecord } from '../../domain/index.ts';
import {
  amountUnitNote,
  amountUnitsOf,
  type Dataset,
  datasetNames,
  hasQuoteAmounts,
  importFiles,
  makeWorkFolder,
  requireFile,
  type Scales,
} from '../../history/index.ts';
import { type Logger, messageOf, withoutAction } from '../../kernel/index.ts';
import { DATA_FOLDER, type RecordingConfig } from '../config/exchange.ts';
import { didYouMean, didYouMeanPath } from '../config/suggest.ts';
import { AppError } from '../errors.ts';
import { requireLegible } from '../history/data-folder.ts';
import { onDisk } from '../history/disk.ts';
import { datasetNamed } from '../history/named.ts';
import type { StopRequest } from '../session.ts';
import { isTicks, recordsOf } from './dataset-records.ts';

/** The kinds of data that can be played. */
const TICKS = 'trades, depth or quotes';
/** How to say what the columns of a file are. */
const MAPPING = '(`tradewind data import --mapping`, which makes a dataset that can be replayed)';

/** A recording that can be played. */
export interface Recording extends Scales {
  /** Its file, or the name of its dataset. */
  readonly name: string;
  readonly marketId: string;
  /** Price of the first trade, or of the first level of a book. */
  readonly firstPrice: number;
  /** Milliseconds from its first record to its last. */
  readonly spanMs: number;
  /** What may be wrong with it: whole sentences. */
  readonly warnings: readonly string[];
  /** May be iterated more than once. */
  readonly records: AsyncIterable<MarketRecord>;
}

interface Opening {
  readonly resolveFile: (file: string) => string;
  /** Lasts as long as the recording may be played. */
  readonly alive: Subscription;
  readonly logger: Logger;
  /** Asks to stop, which ends the import of a file early. Default: nobody asks. */
  readonly stop?: Observable<StopRequest> | undefined;
}

/**
 * Opens a file or a dataset as a recording.
 *
 * @throws {AppError} `recording` when it cannot be read or played, or names no market; the outcome
 * of the stop request when asked to stop.
 */
export async function openRecording(config: RecordingConfig, opening: Opening): Promise<Recording> {
  const { file, dataset, dataFolder = DATA_FOLDER, market } = config;
  if (file === undefined) return openDataset(datasetNamed(dataFolder, dataset!), market);
  const path = opening.resolveFile(file);
  try {
    requireFile(path);
    return await openImported(path, { ...opening, market });
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.reason !== 'recording') throw thrown;
    const what = existsSync(path)
      ? withoutAction(messageOf(thrown)).replace('(--mapping)', MAPPING)
      : `there is no such file${didYouMeanPath(path) || ', a recording is wanted'}`;
    // The reason may already begin with the name of the file and a line of it.
    const name = basename(path);
    const where = what.startsWith(`${name}:`) ? what.slice(name.length) : `: ${what}`;
    throw new AppError('recording', `Cannot replay ${path}${where}`, { cause: thrown });
  }
}

/** Imports a file into a temporary dataset, from which it is played. */
async function openImported(
  path: string,
  { market, alive, logger, stop = NEVER }: Opening & { readonly market: string | undefined },
): Promise<Recording> {
  logger.info({ recording: path }, 'the recording is read as a whole before it plays');
  const what = `replay ${path}`;
  const { folder: root, remove } = await onDisk(what, async () => makeWorkFolder(tmpdir()));
  alive.add(remove);
  const kinds = ['trades', 'depth', 'quotes'] as const;
  const ending = new AbortController();
  const { signal } = ending;
  let asked: StopRequest | undefined;
  const hearing = stop.subscribe((request) => {
    asked = request;
    ending.abort(request.reason);
  });
  try {
    // Nobody sees that dataset, so findings name the file.
    const options = { root, files: [path], market, kinds, signal, called: basename(path) };
    const [imported] = await onDisk(what, () => importFiles(options));
    const { dataset, warnings } = imported!;
    return { ...(await openDataset(dataset)), name: path, warnings };
  } catch (thrown) {
    if (asked === undefined) throw thrown;
    throw new AppError(asked.outcome, `Cannot go on reading ${path}: ${asked.reason}`);
  } finally {
    hearing.unsubscribe();
  }
}

/** The recording that a person names: a file, or a dataset. @throws {AppError} `recording`. */
export function namedRecording(
  name: string,
  dataFolder: string,
): Pick<RecordingConfig, 'file' | 'dataset'> {
  requireLegible(dataFolder);
  const names = datasetNames(dataFolder);
  if (existsSync(name)) {
    if (!statSync(name).isDirectory()) return { file: name };
    if (!names.includes(name)) throw unplayable(name, `it is a folder, ${wanted(dataFolder)}`);
  }
  if (names.includes(name)) return { dataset: name };
  const near = didYouMean(name, names.filter(isPlayed)) || didYouMeanPath(name);
  const hint = near || `, ${wanted(dataFolder)}`;
  throw unplayable(name, `there is no such file${hint}`);
}

/** Whether a dataset, by its name, can be played. */
const isPlayed = (name: string): boolean => /\.(trades|depth|quotes)$/.test(name);

const wanted = (dataFolder: string): string =>
  `a recording, or the name of a dataset in the folder ${dataFolder}, is wanted`;

async function openDataset(dataset: Dataset, market = dataset.market): Promise<Recording> {
  const { id: name, kind, resolution, priceScale, amountScale } = dataset;
  if (!isTicks(dataset)) {
    const is = `it holds ${kind} of ${resolution}`;
    throw unplayable(name, `${is}; ${TICKS} are wanted (\`tradewind backtest\` replays ${kind})`);
  }
  if (dataset.kind === 'quotes' && !(await hasQuoteAmounts(dataset))) {
    const is = 'its quotes do not say how much stands at their prices';
    const elsewhere = '(`tradewind backtest` replays these, by `fill.size`)';
    throw unplayable(name, `${is}, some that do are wanted ${elsewhere}`);
  }
  const records = recordsOf(dataset);
  const spanMs = dataset.lastTime - dataset.firstTime;
  const warnings = amountUnitsOf(dataset).map((unit) => amountUnitNote(name, unit));
  return priced({ name, marketId: market, priceScale, amountScale, spanMs, warnings, records });
}

async function priced(recording: Omit<Recording, 'firstPrice'>): Promise<Recording> {
  const firstPrice = await firstPriceOf(recording.records);
  if (firstPrice !== undefined) return { ...recording, firstPrice };
  throw unplayable(recording.name, 'it holds no price, at least one is wanted');
}

async function firstPriceOf(records: AsyncIterable<MarketRecord>): Promise<number | undefined> {
  for await (const record of records) {
    const price = priceIn(record);
    if (price !== undefined && price > 0) return price;
  }
  return undefined;
}

function priceIn(record: MarketRecord): number | undefined {
  switch (record.kind) {
    case 'trade':
      return record.price;
    case 'book':
      return (record.bids[0] ?? record.asks[0])?.[0];
    case 'levels':
      return record.changes[0]?.[1];
    case 'gap':
      return undefined;
    default:
      return record satisfies never;
  }
}

function unplayable(name: string, what: string): AppError {
  return new AppError('recording', `Cannot replay ${name}: ${what}`);
}
