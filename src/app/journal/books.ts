import { currenciesOf, type Market } from '../../domain/index.ts';
import type { JournalReader, RunRecord } from '../../storage/index.ts';
import { AppError } from '../errors.ts';
import { noSuchRun, readJournal } from './read-journal.ts';

/** A journal that is open for reading, its runs and the markets that they traded. */
export interface OpenJournal {
  readonly path: string;
  readonly reader: JournalReader;
  readonly runs: readonly RunRecord[];
  /** The rules of a market as the newest run that traded it has them. */
  readonly marketOf: (id: string) => Market;
}

/** The part of a run's recorded settings that is read. */
interface RecordedVenue {
  readonly venue?: { readonly kind?: string } | null;
}

/** Which part of a journal is asked for. What is left out does not narrow it. */
export interface JournalChoice {
  /** The file of the journal. */
  readonly path: string;
  /** Default: all runs. */
  readonly run?: number | undefined;
  readonly strategy?: string | undefined;
  readonly market?: string | undefined;
  /** From that time on, and before that time, milliseconds since the epoch. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/**
 * Opens a journal, lets it be read and closes it, whatever happens.
 *
 * @throws {AppError} as `openBooks`.
 */
export function withJournal<T>(choice: JournalChoice, read: (journal: OpenJournal) => T): T {
  const journal = openBooks(choice);
  try {
    return read(journal);
  } finally {
    journal.reader.close();
  }
}

/**
 * Opens a journal; the caller closes its reader.
 *
 * @throws {AppError} `journal` where there is none, it has no run, or none of the number asked for;
 * `usage` where the time that is asked for ends before it begins.
 */
export function openBooks({ path, run, from, to }: JournalChoice): OpenJournal {
  if (from !== undefined && to !== undefined && from >= to) {
    const [begin, end] = [from, to].map((time) => new Date(time).toISOString());
    throw new AppError('usage', `Cannot look from ${begin} to ${end}: a later end is wanted`);
  }
  const reader = readJournal(path, { instead: 'the trades of a backtest are in its trades.csv' });
  try {
    const runs = reader.runs();
    if (runs.length === 0 || (run !== undefined && !runs.some(({ id }) => id === run))) {
      throw noSuchRun({ path, runs }, run);
    }
    return { path, reader, runs, marketOf: rulesIn(reader, runs) };
  } catch (thrown) {
    reader.close();
    throw thrown;
  }
}

function rulesIn(reader: JournalReader, runs: readonly RunRecord[]): OpenJournal['marketOf'] {
  const known = new Map<string, Market>();
  for (const { id } of runs) {
    for (const market of reader.basis(id)?.markets ?? []) known.set(market.id, market);
  }
  return (id) => known.get(id) ?? unknownMarket(id);
}

/** A market whose rules no run has recorded: 8 decimal places and no least order. */
function unknownMarket(id: string): Market {
  return { id, ...currenciesOf(id), priceScale: 8, amountScale: 8, minAmount: 0, minSize: 0 };
}

/** Runs on one account, the oldest first: what one left the next took over. */
export interface Book {
  readonly runs: readonly RunRecord[];
  /** Whether it is one run on an embedded exchange, which began anew and ended with it. */
  readonly isEmbedded: boolean;
}

/** The runs of a journal account by account. */
export function booksOf({ reader, runs }: Pick<OpenJournal, 'reader' | 'runs'>): Book[] {
  const books: { runs: RunRecord[]; isEmbedded: boolean }[] = [];
  for (const run of runs) {
    const isNew = isEmbedded(reader, run.id);
    const last = books.at(-1);
    if (last === undefined || last.isEmbedded || isNew)
      books.push({ runs: [run], isEmbedded: isNew });
    else last.runs.push(run);
  }
  return books;
}

/** Whether a run traded on an exchange that began and ended with it. */
export function isEmbedded(reader: JournalReader, run: number): boolean {
  const settings = reader.basis(run)?.config as RecordedVenue | undefined;
  return settings?.venue?.kind === 'simulated';
}

/** The error for a journal from which something is missing. */
export function damaged(path: string, what: string): AppError {
  return new AppError('journal', `Cannot read ${path}: ${what}, an intact journal is wanted`);
}
