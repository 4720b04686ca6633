import type { MarketRecord } from '../domain/index.ts';
import { type ByteSource, plainBytes } from './bytes.ts';
import { type Place, unreadable } from './errors.ts';
import { detectFormat, type RecordingFormat, readerOf } from './format.ts';
import { type Line, linesOf } from './lines.ts';
import { inferMarketId } from './market-name.ts';
import type { RecordReader } from './reader.ts';
import { inferScales, type Scales } from './scales.ts';

/** What a recording turned out to be. */
export interface RecordingDescription extends Scales {
  readonly format: RecordingFormat;
  /** By the symbol in its records, else by its name; undefined when neither tells. */
  readonly marketId: string | undefined;
  /** The exchange's stamp of the first record, milliseconds since the epoch. */
  readonly firstTime: number;
  /** Price of the first trade, or of the first level of a book. */
  readonly firstPrice: number;
  /** Whether there is recorded depth, or trades alone. */
  readonly hasDepth: boolean;
}

/** The reader of a recording at work, chosen by its first line. */
interface Pass {
  readonly format: RecordingFormat;
  readonly reader: RecordReader;
}

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
 * Reads the beginning of a recording to tell its market, scales and format.
 *
 * `sampleRecords`: how many records to look at. Default: 5000.
 *
 * @throws {HistoryError} when it can't be read or holds no record.
 */
export async function describeRecording(
  source: ByteSource,
  { name, sampleRecords = 5_000 }: { readonly name: string; readonly sampleRecords?: number },
): Promise<RecordingDescription> {
  const sample: MarketRecord[] = [];
  let pass: Pass | undefined;
  const opened = (chosen: Pass): void => {
    pass = chosen;
  };
  for await (const record of recordsOf(source, { name, opened })) {
    sample.push(record);
    if (sample.length >= sampleRecords) break;
  }
  const [first] = sample;
  if (pass === undefined || first === undefined) {
    throw unreadable({ name }, 'it holds no record, at least one is wanted');
  }
  return {
    format: pass.format,
    marketId: inferMarketId(pass.reader.symbol ?? '') ?? inferMarketId(name),
    firstTime: first.time,
    firstPrice: firstPriceOf(sample),
    hasDepth: sample.some(({ kind }) => kind === 'book' || kind === 'levels'),
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
  readonly opened: (pass: Pass) => void;
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
        reader ??= start(line, opened);
        yield* reader.read(line);
      }
      place = { name };
    }
    if (reader?.end !== undefined) yield* reader.end();
  } catch (thrown) {
    throw unreadable(place, thrown);
  }
}

function start(line: Line, opened: (pass: Pass) => void): RecordReader {
  const format = detectFormat(line.text);
  const reader = readerOf(format);
  opened({ format, reader });
  return reader;
}
