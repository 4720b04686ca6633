import { counted, messageOf } from '../../../kernel/index.ts';
import { encodingTrouble } from './encoding.ts';

/** The database's message for JSON or Parquet that is cut off. */
const CUT_OFF = /Malformed JSON .*: unexpected end of data|No magic bytes found|too small to be/;

/** For other broken JSON, whose rows it counts from 2. */
const NO_JSON = /Malformed JSON .*at byte (\d+) in (?:line|record\/value) (\d+): ([^.]+)/;

/** For a time that no file of market data has. */
const NO_TIME = /Could not convert Timestamp/;

/** For a text that is not UTF-8, anywhere. */
const NO_UTF8 = /Invalid unicode/;

/** For a text with mixed line ends, and for one whose quote is never closed. */
const MIXED = /CSV Parser state machine reached an invalid state/;
const OPEN_QUOTE = /unterminated quote/;

/** The error for mixed line ends. */
export const MIXED_ENDS =
  'its lines end in several ways, one is wanted: `tr -d "\\r"` takes what Windows adds off';

/** For a line that is longer than it takes. */
const LONG_LINE = /Maximum line size of \d+ bytes exceeded/;

/** For JSON that it cannot read row by row. */
const LONG_ROW = /"maximum_object_size" of (\d+) bytes exceeded/;

/** For a file that needs more memory than it may take. */
const NO_MEMORY = /^Out of Memory Error: (failed to|could not) (allocate|pin)/;

/** How its messages begin, and those that are not about the file. */
const KIND = /^[A-Z][\w ]* Error: /;
const NOT_OF_FILE = /^(Not implemented|Out of Memory|INTERRUPT|Permission) Error: /;

export interface FileRead {
  /** Its path, if it is a text. */
  readonly textFile: string | undefined;
  /** Whether its columns are packed. */
  readonly isPacked: boolean;
}

/** Why a file cannot be read, for the person who imports it. */
export async function troubleOf(
  thrown: unknown,
  { textFile, isPacked }: FileRead,
): Promise<string> {
  const message = messageOf(thrown);
  const isText = textFile !== undefined && NO_UTF8.test(message);
  const trouble = isText ? await encodingTrouble(textFile) : undefined;
  return trouble ?? wordingOf(message, { isPacked });
}

/**
 * The database's message in words for the person who imports the file. For files of packed columns
 * (Parquet, Feather) it only tells where the database's reader stumbled: they are damaged.
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
