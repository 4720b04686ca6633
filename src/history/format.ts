import { cellsOf, delimiterOf } from './csv.ts';
import { RawReader } from './raw.ts';
import type { RecordReader } from './reader.ts';
import { TradesCsvReader } from './trades-csv.ts';
import { JsonArrayReader, TradesJsonReader } from './trades-json.ts';
import { quote } from './values.ts';

/**
 * The forms of recordings: `raw` exchange messages behind the recorder's stamp, trades as one
 * `json` array, as `jsonLines` or as `csv`.
 */
const RECORDING_FORMATS = ['raw', 'json', 'jsonLines', 'csv'] as const;
export type RecordingFormat = (typeof RECORDING_FORMATS)[number];

const READERS: { readonly [format in RecordingFormat]: () => RecordReader } = {
  raw: () => new RawReader(),
  json: () => new JsonArrayReader(),
  jsonLines: () => new TradesJsonReader(),
  csv: () => new TradesCsvReader(),
};

/** The format of a recording by its first line. @throws {TypeError} when it is none of them. */
export function detectFormat(firstLine: string): RecordingFormat {
  const line = firstLine.trim();
  if (/^\d{10,20} +\{/.test(line)) return 'raw';
  if (line.startsWith('{') || /^\[\s*\d/.test(line)) return 'jsonLines';
  if (line.startsWith('[')) return 'json';
  const delimiter = delimiterOf(line);
  if (delimiter !== undefined && cellsOf(line, delimiter).length >= 3) return 'csv';
  throw new TypeError(
    `it begins with ${quote(line)}, trades as JSON or CSV or raw exchange messages are wanted`,
  );
}

/** A fresh reader of that format. */
export function readerOf(format: RecordingFormat): RecordReader {
  return READERS[format]();
}
