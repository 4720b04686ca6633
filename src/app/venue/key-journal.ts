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
  /** Path of its journal; a relative one begins at the folder of the process. */
  readonly journal: string;
  /** Is told where nothing is left of the journal before. */
  readonly logger: Logger;
}

/**
 * Refuses another journal than the one that a deployment kept before while it traded with a key: with
 * that, its orders, positions, losses of the day and halts would be forgotten. So it goes where a bot
 * is started in another folder.
 *
 * The journal before counts while it is there, unless it ended in order and not halted, and the other
 * one is that of runs too. Returns what notes this one, to be called once the exchange has taken the
 * key and before anything trades: who cannot trade leaves nothing to be known.
 *
 * @throws {AppError} `configuration`, naming both journals, or the note where it cannot be read, or
 * written; `journal` where of that of before, which is the same, a file with nothing in it is left,
 * or its log alone: nobody moves it away like that.
 */
export function followJournal(
  lock: KeyLock,
  { deployment, journal, logger }: JournalUse,
): () => void {
  const file = `${lock.path}.journals`;
  const path = placeOf(journal);
  const journals = readJournals(file);
  const noted = journals.get(deployment);
  // It may have been noted by a link that led nowhere yet.
  const former = noted && placeOf(noted.path);
  if (former !== undefined && former !== path && isWanted(former, path)) {
    throw new AppError(
      'configuration',
      `Cannot start ${deployment} with the journal ${path}: its last run with this key kept ` +
        `${former}, which knows its orders, positions and losses; that one is wanted ` +
        `(--set journal.path=${former}, or a start in the folder of then), or that it is moved away`,
    );
  }
  const kept = `the last run of ${deployment} with this key kept`;
  if (former === path) refuseRemains(path, kept);
  if (former !== undefined && !isThere(former) && !hasRun(path)) {
    logger.warn(
      { journal: former },
      `the journal ${former}, which ${kept}, is gone: this run begins anew, and knows none of its ` +
        'orders, positions, losses and halts',
    );
  } else if (former === path && lacks(path, noted?.run)) {
    logger.warn(
      { journal: path },
      `the journal ${path} is an older copy of the one that ${kept}: it does not have that run, and ` +
        'knows none of its orders, fills, losses and halts',
    );
  }
  if (noted === undefined && !hasRun(path)) warnOfOthers(journals, { deployment, logger });
  return () => note(file, journals.set(deployment, { path, run: newestRun(path) }));
}

const notedSchema = z.object({
  path: z.string(),
  /** The newest run of it then. */
  run: z.object({ id: z.number(), started: z.number() }).optional(),
});

type Noted = z.output<typeof notedSchema>;

/** What was noted, by the names of deployments. */
type Journals = Map<string, Noted>;

/** Once the path alone was noted. */
const journalsSchema = z.record(
  z.string(),
  z.union([z.string().transform((path): Noted => ({ path })), notedSchema]),
);

function readJournals(file: string): Journals {
  try {
    return existsSync(file) ? journalsIn(readFileSync(file, 'utf8')) : new Map();
  } catch (thrown) {
    const what =
      `Cannot read ${file}, which notes the journals that are kept with this key: ` +
      `${messageOf(thrown)}; it is wanted as it was, or removed where every journal is in its place`;
    throw new AppError('configuration', what, { cause: thrown });
  }
}

function journalsIn(text: string): Journals {
  const { data, success } = journalsSchema.safeParse(JSON.parse(text));
  if (!success) throw new TypeError('it is no such note, or one of another version');
  return new Map(Object.entries(data));
}

/** Writes the note whole or not at all: half of one would hide every journal. */
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

/** Warns where the last run with the key bore another name: it may have been this deployment's. */
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
      'and this run knows none of its orders, positions, losses and halts; a deployment that was ' +
      `renamed goes on with it (--set journal.path=${journal})`,
  );
}

/** Whether a journal knows what another one in its place would not. */
function isWanted(former: string, path: string): boolean {
  if (!isThere(former) || knowsNothing(former)) return false;
  return !(hasRun(path) && hasEnded(former));
}

/** Whether a file is there, or may be: this user may not be let into its folder. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** Refuses what is left of the journal where a run would begin anew over it. */
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
      `Cannot open the journal ${path}: it is gone, and ${path}-wal is there still, in which ${kept} ` +
        'the newest of it; the file is wanted back in its place, or that its log is moved away as well',
    );
  }
}

function newestRun(journal: string): Noted['run'] {
  const newest = read(journal, (reader) => reader.runs().at(-1));
  return newest && { id: newest.id, started: newest.started };
}

/** Whether a journal of runs does not have that one. */
function lacks(journal: string, run: Noted['run']): boolean {
  const runs = run && read(journal, (reader) => reader.runs());
  return runs?.some(({ id, started }) => id === run?.id && started === run.started) === false;
}

/** Whether it holds refused starts at most: one that failed behind the reading of the account, say. */
function knowsNothing(journal: string): boolean {
  return isTrue(journal, (reader) => lastRun(reader) === undefined);
}

/** Whether it is a journal of something: an empty file knows nothing, nor one of refused starts. */
function hasRun(journal: string): boolean {
  return existsSync(journal) && isTrue(journal, (reader) => lastRun(reader) !== undefined);
}

/** Whether its last run ended in order, and no halt waits for a person. */
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

/** What is read of a journal; undefined where it cannot be. */
function read<T>(journal: string, of: (reader: JournalReader) => T): T | undefined {
  try {
    return readFrom(journal, of);
  } catch {
    return undefined;
  }
}
