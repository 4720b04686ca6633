import { existsSync } from 'node:fs';
import type { TradingEvent } from '../../domain/index.ts';
import type { Clock } from '../../kernel/index.ts';
import { BY_HAND, FileJournal } from '../../storage/index.ts';
import { AppError } from '../errors.ts';
import { lockOf } from '../session-journal.ts';

/** What a person tells, as an event of the journal. */
interface Told {
  readonly event: TradingEvent;
}

/**
 * Writes what a person tells into the journal of a deployment that does not run, as one event of a
 * run by hand. `tell` may read the journal meanwhile, and refuse.
 *
 * @throws {AppError} `journal` where there is none. @throws {StorageError} when a process uses it.
 */
export function recordByHand<T extends Told>(
  { journal: path, clock }: { readonly journal: string; readonly clock: Clock },
  tell: () => T,
): T {
  if (!existsSync(path))
    throw new AppError('journal', `Cannot read ${path}: there is no such file`);
  const lock = lockOf(path);
  try {
    const told = tell();
    const journal = new FileJournal({ path, clock, configHash: BY_HAND, durability: 'full', lock });
    journal.append(told.event);
    journal.close();
    return told;
  } finally {
    lock.release();
  }
}
