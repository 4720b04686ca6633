import { counted, messageOf } from '../../../kernel/index.ts';
import { encodingTrouble } from './encoding.ts';

/** What the database says of JSON and of Parquet that has no end. */
const CUT_OFF = /Malformed JSON .*: unexpected end of data|No magic bytes found|too small to be/;

/** And of other JSON that is none; its rows are counted from 2. */
const NO_JSON = /Malformed JSON .*at byte (\d+) in (?:line|record\/value) (\d+): ([^.]+)/;

/** And of a time that no file of market data has. */
const NO_TIME = /Could not convert Timestamp/;

/** And of a text that is no UTF-8, wherever that is. */
const NO_UTF8 = /Invalid unicode/;

/** And of a text whose lines do not all end alike; and of a cell that begins with a quote. */
const MIXED = /CSV Parser state machine reached an invalid state/;
const OPEN_QUOTE = /unterminated quote/;

/** What is to be said of lines that end in several ways. */
export const MIXED_ENDS =
  'its lines end in several ways, one is wanted: `tr -d "\\r"` takes what Windows adds off';

/** And of a line that is longer than it takes. */
const LONG_LINE = /Maximum line size of \d+ bytes exceeded/;

/** And of JSON that it cannot read one row after the other. */
const LONG_ROW = /"maximum_object_size" of (\d+) bytes exceeded/;

/** And where a file would need more memory than it may take. */
const NO_MEMORY = /^Out of Memory Error: (failed to|could not) (allocate|pin)/;

/** How its messages begin, and those that are not about the file. */
const KIND = /^[A-Z][\w ]* Error: /;
const NOT_OF_FILE = /^(Not implemented|Out of Memory|INTERRUPT|Permission) Error: /;

export interface FileRead {
  /** Where it is a text. */
  readonly textFile: string | undefined;
  /** Whether its columns are packed. */
  readonly isPacked: boolean;
}

/** What keeps a file from being read, as a reader of the file needs it. */
export async function troubleOf(
  thrown: unknown,
  { textFile, isPacked }: FileRead,
): Promise<string> {
  const message = messageOf(thrown);
  const isText = textFile !== undefined && NO_UTF8.test(message);
  const told = isText ? await encodingTrouble(textFile) : undefined;
  return told ?? wordingOf(message, { isPacked });
}

/**
 * The part of the database's message that a reader of the file needs. Of files whose columns are
 * packed (Parquet, Feather) it tells what its own reader stumbled over: that they are damaged.
 */
export function wordingOf(message: string, { isPacked }: { readonly isPacked: boolean }): string {
  const [, line] = /CSV Error on Line: (\d+)/.exec(message) ?? [];
  const [, wanted, found] = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(message) ?? [];
  if (wanted !== undefined) {
    const are = wanted === '1' ? 'is' : 'are';
    return `line ${line} has ${counted(Number(found), 'column')}, ${wanted} ${are} wanted`;
  }
  if (MIXED.test(message)) return MIXED_ENDS;
  if (OPEN_QUOTE.test(message))
    return `line ${line}: a quote is not closed, a closed one is wanted`;
  if (LONG_LINE.test(message)) return `line ${line} is too long, a row of market data is wanted`;
  if (CUT_OFF.test(message)) return 'it breaks off, a whole file is wanted';
  if (NO_TIME.test(message))
    return 'a time is beyond all dates, a file that is not damaged is wanted';
  if (isPacked && KIND.test(message) && !NOT_OF_FILE.test(message)) {
    return 'it is damaged, a whole file is wanted';
  }
  if (NO_MEMORY.test(message)) {
    return 'it does not fit into the memory that an import takes, smaller rows or files are wanted';
  }
  const [, longest] = LONG_ROW.exec(message) ?? [];
  if (longest !== undefined) {
    const megabytes = Number(longest) / 1_048_576;
    return `it holds an object of more than ${megabytes} MB, a list of rows or a row a line is wanted`;
  }
  const [, byte, row, why] = NO_JSON.exec(message) ?? [];
  if (why !== undefined) {
    return `row ${Number(row) - 1} is no JSON (${why} at its byte ${byte}), JSON is wanted`;
  }
  const first = message.split('\n').find((text) => text.trim() !== '') ?? message;
  const plain = first.replace(KIND, '');
  return line === undefined ? plain : `line ${line}: ${plain}`;
}
