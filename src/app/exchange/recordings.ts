import { closeSync, createReadStream, existsSync, openSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { MarketRecord } from '../../domain/index.ts';
import {
  type Dataset,
  datasetNames,
  describeRecording,
  type RecordingDescription,
  openRecording as recordsOfFile,
  requireFile,
} from '../../history/index.ts';
import { messageOf, withoutAction } from '../../kernel/index.ts';
import { DATA_FOLDER, type RecordingConfig } from '../config/exchange.ts';
import { didYouMean } from '../config/suggest.ts';
import { AppError } from '../errors.ts';
import { requireLegible } from '../history/data-folder.ts';
import { datasetNamed } from '../history/named.ts';
import { isTicks, recordsOf } from './dataset-records.ts';

/** Enough for the first row of a file of candles. */
const HEAD_BYTES = 1_000;

/** A recording that can be played. */
export interface Recording
  extends Pick<RecordingDescription, 'firstPrice' | 'priceScale' | 'amountScale'> {
  /** Its file, or the name of its dataset. */
  readonly name: string;
  readonly marketId: string;
  /** Milliseconds from its first record to its last; left out where only reading it all tells. */
  readonly spanMs?: number;
  /** May be iterated more than once. */
  readonly records: AsyncIterable<MarketRecord>;
}

/**
 * Opens a file or a dataset and tells what it is.
 *
 * @throws {AppError} `recording` when it cannot be read or played, or names no market.
 */
export async function openRecording(
  config: RecordingConfig,
  resolveFile: (file: string) => string,
): Promise<Recording> {
  const { file, dataset, dataFolder = DATA_FOLDER, market } = config;
  if (file === undefined) return openDataset(datasetNamed(dataFolder, dataset!), market);
  const recording = await openFile(resolveFile(file));
  const marketId = market ?? recording.marketId;
  if (marketId !== undefined) return { ...recording, marketId };
  throw unplayable(
    file,
    'neither its records nor its name tell the market, its id is wanted: `tradewind exchange ' +
      '--market btc_usdt`, or `market: btc_usdt` beside the file in a configuration',
  );
}

type FileRecording = RecordingDescription & Pick<Recording, 'name' | 'records'>;

async function openFile(path: string): Promise<FileRecording> {
  const name = basename(path);
  try {
    requireFile(path);
    closeSync(openSync(path, 'r'));
    const bytes = { [Symbol.asyncIterator]: () => createReadStream(path)[Symbol.asyncIterator]() };
    const description = await describeRecording(bytes, { name });
    return { ...description, name: path, records: recordsOfFile(bytes, { name }) };
  } catch (thrown) {
    if (beginsAsCandles(path))
      throw unplayable(path, 'it holds candles, trades or depth are wanted');
    const isMissing = (thrown as NodeJS.ErrnoException).code === 'ENOENT';
    const what = withoutAction(messageOf(thrown));
    // It may begin with the name of the file itself.
    const where = what.startsWith(`${name}:`) ? what.slice(name.length) : `: ${what}`;
    const missing = ': there is no such file, a recording is wanted';
    const text = `Cannot replay ${path}${isMissing ? missing : where}`;
    throw new AppError('recording', text, { cause: thrown });
  }
}

/** Whether the first row of a JSON array has numbers alone, as no trade has. */
function beginsAsCandles(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const file = openSync(path, 'r');
  const bytes = Buffer.alloc(HEAD_BYTES);
  try {
    const head = bytes.toString('utf8', 0, readSync(file, bytes));
    return /^\s*\[\s*\[(?:\s*"?[\d.]+"?\s*,){5}/.test(head);
  } finally {
    closeSync(file);
  }
}

/** What a person names: a file, or a dataset of that folder. @throws {AppError} `recording`. */
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
  const hint = didYouMean(name, names) || `, ${wanted(dataFolder)}`;
  throw unplayable(name, `there is no such file${hint}`);
}

const wanted = (dataFolder: string): string =>
  `a recording, or the name of a dataset in the folder ${dataFolder}, is wanted`;

async function openDataset(dataset: Dataset, market = dataset.market): Promise<Recording> {
  const { id: name, kind, resolution, priceScale, amountScale } = dataset;
  if (!isTicks(dataset)) {
    const what = kind === 'candles' ? `candles of ${resolution}` : 'quotes (best prices alone)';
    const elsewhere = `(\`tradewind backtest\` replays ${kind})`;
    throw unplayable(name, `it holds ${what}, trades or depth are wanted ${elsewhere}`);
  }
  const records = recordsOf(dataset);
  const firstPrice = await firstPriceOf(records);
  if (firstPrice === undefined) throw unplayable(name, 'it holds no price, at least one is wanted');
  const spanMs = dataset.lastTime - dataset.firstTime;
  return { name, marketId: market, firstPrice, priceScale, amountScale, spanMs, records };
}

async function firstPriceOf(records: AsyncIterable<MarketRecord>): Promise<number | undefined> {
  for await (const record of records) {
    if (record.kind === 'trade') return record.price;
    if (record.kind === 'book') return (record.bids[0] ?? record.asks[0])![0];
    if (record.kind === 'levels') return record.changes[0]![1];
  }
  return undefined;
}

function unplayable(name: string, what: string): AppError {
  return new AppError('recording', `Cannot replay ${name}: ${what}`);
}
