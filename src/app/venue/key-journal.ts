import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { type Logger, messageOf } from '../../kernel/index.ts';
import { type JournalReader, placeOf, readFrom, remainsOf } from '../../storage/index.ts';
import { AppError } from '../errors.ts';
import { lastRun } from '../past/last-run.ts';
import { recollect } from '../past/recall.ts';
import type { KeyLock } from './key-lock.ts';

/** A deployment and the journal that it keeps. */
export interface JournalUse {
  /** The name of the deployment. */
  readonly deployment: string;
  /** Path of its journal; a relative one starts at the folder of the process. */
  readonly journal: string;
  /** Warned where a former journal is gone, outdated or not used. */
  readonly logger: Logger;
}

/**
 * Refuses a journal other than the one that a deployment last kept while trading with a key: its
 * orders, positions, losses of the day and halts would be forgotten, as when a bot is started in
 * another folder.
 *
 * The former journal counts while it is there, unless its last run ended in order and not halted
 * and the new journal has runs too. Returns a function that notes the new journal, to be called
 * once the exchange has accepted the key and before anything trades: a run that cannot trade leaves
 * nothing to be known.
 *
 * @throws {AppError} `configuration`, naming both journals, or the file of notes if it cannot be
 * read or written; `journal` where the path is the same but only an empty file or the journal's log
 * is left there: nobody moves a journal away like that.
 */
export function followJournal(
  lock: KeyLock,
  { deployment, journal, logger }: JournalUse,
): () => void {
  const file = `${lock.path}.journals`;
  const path = placeOf(journal);
  const journals = readJournals(file);
  const noted = journals.get(deployment);
  // It may have been noted as a link whose target did not exist yet.
  const former = noted && placeOf(noted.path);
  if (former !== undefined && former !== path && isWanted(former, path)) {
    throw new AppError(
      'configuration',
      `Cannot start ${deployment} with the journal ${path}: its last run with this key kept ` +
        `${former}, which knows its orders, positions and losses; go on with that journal ` +
        `(--set journal.path=${former}, or start in the folder of that run), or move it away`,
    );
  }
  const kept = `the last run of ${deployment} with this key kept`;
  if (former === path) refuseRemains(path, kept);
  if (former !== undefined && !isThere(former) && !hasRun(path)) {
    logger.warn(
      { journal: former },
      `the journal ${former}, which ${kept}, is gone: this run begins without its orders, ` +
        'positions, losses and halts',
    );
  } else if (former === path && lacks(path, noted?.run)) {
    logger.warn(
      { journal: path },
      `the journal ${path} is an older copy of the one that ${kept}: it lacks that run, with ` +
        'its orders, fills, losses and halts',
    );
  }
  if (noted === undefined && !hasRun(path)) warnOfOthers(journals, { deployment, logger });
  return () => note(file, journals.set(deployment, { path, run: newestRun(path) }));
}

const notedSchema = z.object({
  path: z.string(),
  /** Its newest run when it was noted. */
  run: z.object({ id: z.number(), started: z.number() }).optional(),
});

type Noted = z.output<typeof notedSchema>;

/** The noted journals, by the names of deployments. */
type Journals = Map<string, Noted>;

/** Older notes hold only the path. */
const journalsSchema = z.record(
  z.string(),
  z.union([z.string().transform((path): Noted => ({ path })), notedSchema]),
);

function readJournals(file: string): Journals {
  try {
    return existsSync(file) ? journalsIn(readFileSync(file, 'utf8')) : new Map();
  } catch (thrown) {
    const what =
      `Cannot read ${file}, the list of the journals kept with this key: ${messageOf(thrown)}; ` +
      'restore it, or remove it if every journal is in its place';
    throw new AppError('configuration', what, { cause: thrown });
  }
}

function journalsIn(text: string): Journals {
  const { data, success } = journalsSchema.safeParse(JSON.parse(text));
  if (!success) throw new TypeError('it is no such list, or one of another version');
  return new Map(Object.entries(data));
}

/** Writes the notes whole or not at all: a half-written file would hide every journal. */
function note(file: string, journals: Journals): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, JSON.stringify(Object.fromEntries(journals)));
    renameSync(draft, file);
  } catch (thrown) {
    const what = `Cannot note in ${file} which journal is kept: ${messageOf(thrown)}`;
    throw new AppError('configuration', what, { cause: thrown });
  }
}

/** Warns if the last run with the key had another name: this deployment may have been renamed. */
function warnOfOthers(
  journals: Journals,
  { deployment, logger }: Pick<JournalUse, 'deployment' | 'logger'>,
): void {
  const last = [...journals]
    .filter(([, { path }]) => hasRun(path))
    .sort(([, one], [, other]) => (one.run?.started ?? 0) - (other.run?.started ?? 0))
    .at(-1);
  if (last === undefined) return;
  const [name, { path: journal }] = last;
  logger.warn(
    { journal },
    `${deployment} begins a journal: the last run with this key was of ${name} and kept ${journal}, ` +
      'whose orders, positions, losses and halts this run does not know; if the deployment was ' +
      `renamed, go on with that journal (--set journal.path=${journal})`,
  );
}

/** Whether the former journal knows something that the new one in its place would not. */
function isWanted(former: string, path: string): boolean {
  if (!isThere(former) || knowsNothing(former)) return false;
  return !(hasRun(path) && hasEnded(former));
}

/** Whether a file is there, or may be, in a folder that this user may not enter. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** Refuses the mere remains of a journal, over which a run would begin anew. */
function refuseRemains(path: string, kept: string): void {
  const remains = remainsOf(path);
  if (remains === 'blank') {
    throw new AppError(
      'journal',
      `Cannot open the journal ${path}: it is empty, and ${kept} its orders, positions and losses ` +
        'there; a whole one is wanted, or that it is moved away once its orders and positions are ' +
        'looked after',
    );
  }
  if (remains === 'log') {
    throw new AppError(
      'journal',
      `Cannot open the journal ${path}: it is gone, but ${path}-wal, in which ${kept} its newest ` +
        'events, is still there; put the journal back in its place, or move that file away as well',
    );
  }
}

function newestRun(journal: string): Noted['run'] {
  const newest = read(journal, (reader) => reader.runs().at(-1));
  return newest && { id: newest.id, started: newest.started };
}

/** Whether a journal can be read and does not have a run. */
function lacks(journal: string, run: Noted['run']): boolean {
  const runs = run && read(journal, (reader) => reader.runs());
  return runs?.some(({ id, started }) => id === run?.id && started === run.started) === false;
}

/** Whether a journal has only refused starts, such as one that failed after reading the account. */
function knowsNothing(journal: string): boolean {
  return isTrue(journal, (reader) => lastRun(reader) === undefined);
}

/** Whether a journal has a run that may have traded: not an empty file, nor refused starts only. */
function hasRun(journal: string): boolean {
  return existsSync(journal) && isTrue(journal, (reader) => lastRun(reader) !== undefined);
}

/** Whether a journal's last run ended in order, and no halt waits for a person. */
function hasEnded(journal: string): boolean {
  return isTrue(journal, (reader) => {
    const newest = lastRun(reader);
    if (newest?.ended === undefined) return false;
    return recollect(reader, newest.ended).trading.state === 'ACTIVE';
  });
}

/** Whether something holds of a journal; nothing holds of one that cannot be read. */
function isTrue(journal: string, holds: (reader: JournalReader) => boolean): boolean {
  return read(journal, holds) ?? false;
}

/** Reads something from a journal; undefined where the journal cannot be read. */
function read<T>(journal: string, of: (reader: JournalReader) => T): T | undefined {
  try {
    return readFrom(journal, of);
  } catch {
    return undefined;
  }
}
