import type { MarketRecord } from '../domain/index.ts';
import { type ByteSource, plainBytes } from './bytes.ts';
import { cellsOf, delimiterOf } from './csv.ts';
import { type Place, unreadable } from './errors.ts';
import { type Line, linesOf } from './lines.ts';
import { inferMarketId } from './market-name.ts';
import { isRaw, RawReader } from './raw.ts';
import type { RecordReader } from './reader.ts';
import { inferScales, type Scales } from './scales.ts';
import { TradesCsvReader } from './trades-csv.ts';
import { JsonArrayReader, TradesJsonReader } from './trades-json.ts';
import { quote } from './values.ts';

/** What a recording turned out to be. */
export interface RecordingDescription extends Scales {
  /** By the symbol in its records, else by its name; undefined when neither tells. */
  readonly marketId: string | undefined;
  /** Price of the first trade, or of the first level of a book. */
  readonly firstPrice: number;
}

/** How many records tell what a recording is. */
const SAMPLE_RECORDS = 5_000;

/**
 * The records of a recording, in their order; read as they are asked for, so that a big file is
 * never held whole (but for trades in one JSON array). Compression and format are known by content.
 *
 * It can be iterated as often as its source can.
 *
 * @throws {HistoryError} while iterating, naming file and line, when something can't be read.
 */
export function openRecording(
  source: ByteSource,
  options: { readonly name: string },
): AsyncIterable<MarketRecord> {
  return { [Symbol.asyncIterator]: () => recordsOf(source, { ...options, opened: () => {} }) };
}

/**
 * Reads the beginning of a recording to tell its market and scales.
 *
 * @throws {HistoryError} when it can't be read or holds no record.
 */
export async function describeRecording(
  source: ByteSource,
  { name }: { readonly name: string },
): Promise<RecordingDescription> {
  const sample: MarketRecord[] = [];
  let reader: RecordReader | undefined;
  const opened = (chosen: RecordReader): void => {
    reader = chosen;
  };
  for await (const record of recordsOf(source, { name, opened })) {
    sample.push(record);
    if (sample.length >= SAMPLE_RECORDS) break;
  }
  if (reader === undefined || sample.length === 0) {
    throw unreadable({ name }, 'it holds no record, at least one is wanted');
  }
  return {
    marketId: inferMarketId(reader.symbol ?? '') ?? inferMarketId(name),
    firstPrice: firstPriceOf(sample),
    ...inferScales(sample),
  };
}

function firstPriceOf(sample: readonly MarketRecord[]): number {
  for (const record of sample) {
    if (record.kind === 'trade') return record.price;
    if (record.kind === 'book' && record.bids[0] !== undefined) return record.bids[0][0];
    if (record.kind === 'levels' && record.changes[0] !== undefined) return record.changes[0][1];
  }
  return 0;
}

interface PassOptions {
  readonly name: string;
  readonly opened: (reader: RecordReader) => void;
}

async function* recordsOf(
  source: ByteSource,
  { name, opened }: PassOptions,
): AsyncGenerator<MarketRecord> {
  let reader: RecordReader | undefined;
  let line: Line | undefined;
  // A place without a line: bytes or text as a whole are broken.
  let place: Place = { name };
  try {
    for await (const lines of linesOf(plainBytes(source))) {
      for (line of lines) {
        place = { name, line: line.number };
        if (reader === undefined) {
          reader = readerOf(line.text);
          opened(reader);
        }
        yield* reader.read(line);
      }
      place = { name };
    }
    if (reader?.end !== undefined) yield* reader.end();
  } catch (thrown) {
    throw unreadable(place, thrown);
  }
}

/**
 * A reader of a recording by its first line: of raw exchange messages behind the recorder's stamp, of
 * trades as one JSON array, as JSON a line or as CSV.
 *
 * @throws {TypeError} when it is none of them.
 */
export function readerOf(firstLine: string): RecordReader {
  const line = firstLine.trim();
  if (isRaw(line)) return new RawReader();
  if (line.startsWith('{') || /^\[\s*\d/.test(line)) return new TradesJsonReader();
  if (line.startsWith('[')) return new JsonArrayReader();
  const delimiter = delimiterOf(line);
  if (delimiter !== undefined && cellsOf(line, delimiter).length >= 3) return new TradesCsvReader();
  throw new TypeError(
    `it begins with ${quote(line)}, trades as JSON or CSV or raw exchange messages are wanted`,
  );
}
