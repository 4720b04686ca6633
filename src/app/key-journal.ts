import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../kernel/index.ts';
import { openJournalReader } from '../storage/index.ts';
import { AppError } from './errors.ts';
import type { KeyLock } from './key-lock.ts';

/** Whose journal is kept where. */
export interface JournalUse {
  /** The name of the deployment. */
  readonly deployment: string;
  /** Path of its journal; a relative one begins at the folder of the process. */
  readonly journal: string;
}

/**
 * Notes which journal a deployment keeps while it trades with a key, and refuses another than the one
 * before: with that, its orders, positions, losses of the day and halts would be forgotten. So it goes
 * where a bot is started in another folder.
 *
 * The journal before counts while it is there, and unless it ended in order and the other one exists.
 *
 * @throws {AppError} `configuration`, naming both journals.
 */
export function followJournal(lock: KeyLock, { deployment, journal }: JournalUse): void {
  const file = `${lock.path}.journals`;
  const path = placeOf(journal);
  const journals = readJournals(file);
  const former = journals[deployment];
  if (former !== undefined && former !== path && isWanted(former, path)) {
    throw new AppError(
      'configuration',
      `Cannot start ${deployment} with the journal ${path}: its last run with this key kept ` +
        `${former}, which knows its orders, positions and losses; that one is wanted ` +
        `(--set journal.path=${former}, or a start in the folder of then), or that it is moved away`,
    );
  }
  note(file, { ...journals, [deployment]: path });
}

/** One place has one name, whatever links lead to its folder. */
function placeOf(journal: string): string {
  const path = resolve(journal);
  const folder = dirname(path);
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path;
}

/** Paths by the names of deployments. */
type Journals = Readonly<Record<string, string>>;

const journalsSchema = z.record(z.string(), z.string());

/** None where nothing was noted, or nothing that can be read. */
function readJournals(file: string): Journals {
  try {
    return journalsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}

function note(file: string, journals: Journals): void {
  try {
    writeFileSync(file, JSON.stringify(journals));
  } catch (thrown) {
    const what = `Cannot note in ${file} which journal is kept: ${messageOf(thrown)}`;
    throw new AppError('configuration', what, { cause: thrown });
  }
}

/** Whether a journal knows what another one in its place would not. */
function isWanted(former: string, path: string): boolean {
  return existsSync(former) && (!existsSync(path) || !hasEnded(former));
}

/** Whether its newest run ended in order. One that cannot be read, nobody knows of. */
function hasEnded(journal: string): boolean {
  try {
    const reader = openJournalReader(journal);
    try {
      return reader.runs().findLast(({ isByHand }) => !isByHand)?.ended !== undefined;
    } finally {
      reader.close();
    }
  } catch {
    return false;
  }
}
