import { resolve } from 'node:path';
import type { Journal, Market } from '../domain/index.ts';
import type { Clock, Logger } from '../kernel/index.ts';
import {
  defaultJournalPath,
  FileJournal,
  HashJournal,
  type Lock,
  MARKET_DATA_KINDS,
  takeLock,
} from '../storage/index.ts';
import { wordsOfDisk } from './disk.ts';
import { AppError } from './errors.ts';
import type { LoadedDeployment } from './load-deployment.ts';
import { makeFolderOf } from './make-folder.ts';

/** What a session's journal is opened with. */
export interface JournalParts {
  readonly journalPath: string | undefined;
  readonly lock: Lock | undefined;
  readonly markets: ReadonlyMap<string, Market>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly seed: string;
}

/** Where a run of the deployment keeps its journal. */
export function journalPathOf({ config }: LoadedDeployment): string {
  return config.journal.path ?? defaultJournalPath(config.name);
}

/** Locks the journal against other runs. @throws {AppError} `journal` if its folder can't be had. */
export function lockOf(journalPath: string): Lock {
  try {
    makeFolderOf(journalPath);
  } catch (thrown) {
    const what = `Cannot open the journal ${journalPath}: ${wordsOfDisk(thrown)}`;
    throw new AppError('journal', what, { cause: thrown });
  }
  return takeLock(journalPath);
}

/** The journal of a run; without a path only its hash is kept. */
export function journalOf(
  { config, configHash, yaml }: LoadedDeployment,
  options: JournalParts,
): Journal {
  const { journalPath: path, lock, clock, logger, seed, markets } = options;
  const { path: _, ...settings } = config.journal;
  if (path === undefined) {
    return new HashJournal({ leavesOut: new Set(settings.marketData ? [] : MARKET_DATA_KINDS) });
  }
  const basis = { seed, config, file: resolve(yaml.file), markets: [...markets.values()] };
  return new FileJournal({
    ...settings,
    ...{ path, lock, clock, configHash, basis },
    onFailure: (error) => logger.error({ reason: error.message }, 'the journal failed'),
    onWarning: (text) => logger.warn({}, text),
  });
}
