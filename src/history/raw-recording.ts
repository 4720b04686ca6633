import { createReadStream } from 'node:fs';
import type { MarketRecord } from '../domain/index.ts';
import { type ByteSource, plainBytes } from './bytes.ts';
import { type Place, unreadable } from './errors.ts';
import { type Line, linesOf } from './lines.ts';
import { inferMarketId } from './market-name.ts';
import { isRaw, RawReader } from './raw.ts';
import { inferScales, type Scales } from './scales.ts';

/** What a raw recording turned out to be. */
interface RawDescription extends Scales {
  /** By the symbol in its records, else by its name; undefined when neither tells. */
  readonly marketId: string | undefined;
}

/** How many records tell what a recording is. */
const SAMPLE_RECORDS = 5_000;

/** Whether a file is a raw recording, as it is or as a gzip. @throws where it cannot be read. */
export async function isRawFile(path: string): Promise<boolean> {
  for await (const chunk of plainBytes(createReadStream(path))) {
    return isRaw(Buffer.from(chunk).toString());
  }
  return false;
}

/**
 * The records of a raw recording, in their order; read as they are asked for, so that a big file is
 * never held whole. It can be iterated as often as its source can.
 *
 * @throws {HistoryError} while iterating, naming file and line, when something can't be read.
 */
export function openRaw(
  source: ByteSource,
  { name }: { readonly name: string },
): AsyncIterable<MarketRecord> {
  const records = () => recordsOf(source, { name, reader: new RawReader() });
  return { [Symbol.asyncIterator]: records };
}

/**
 * Reads the beginning of a raw recording to tell its market and scales.
 *
 * @throws {HistoryError} when it can't be read.
 */
export async function describeRaw(
  source: ByteSource,
  { name }: { readonly name: string },
): Promise<RawDescription> {
  const sample: MarketRecord[] = [];
  const reader = new RawReader();
  for await (const record of recordsOf(source, { name, reader })) {
    sample.push(record);
    if (sample.length >= SAMPLE_RECORDS) break;
  }
  return {
    marketId: inferMarketId(reader.symbol ?? '') ?? inferMarketId(name),
    ...inferScales(sample),
  };
}

interface Pass {
  readonly name: string;
  readonly reader: RawReader;
}

async function* recordsOf(
  source: ByteSource,
  { name, reader }: Pass,
): AsyncGenerator<MarketRecord> {
  let line: Line | undefined;
  // A place without a line: bytes or text as a whole are broken.
  let place: Place = { name };
  try {
    for await (const lines of linesOf(plainBytes(source))) {
      for (line of lines) {
        place = { name, line: line.number };
        yield* reader.read(line);
      }
      place = { name };
    }
    yield* reader.end();
  } catch (thrown) {
    throw unreadable(place, thrown);
  }
}
