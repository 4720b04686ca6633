import { wordsOfDisk } from '../disk.ts';
import { AppError } from '../errors.ts';
import { isTaken, makeWritableFolder, requireNoOther } from '../make-folder.ts';

/**
 * Makes the folder of all datasets if it is missing, and checks that it can be written: whoever
 * adds data is to know at once.
 *
 * @param what what is to be done, such as "import".
 * @throws {AppError} `recording` when it cannot be.
 */
export function requireWritable(root: string, what: string): void {
  inWords(what, () => makeWritableFolder(root));
}

/**
 * Refuses what cannot be a folder of datasets. A missing one passes: it has no datasets yet.
 *
 * @throws {AppError} `recording`
 */
export function requireLegible(root: string): void {
  inWords('read the folder of datasets', () => requireNoOther(root));
}

/**
 * Refuses a missing folder of datasets: one that a person has named must exist.
 *
 * @throws {AppError} `recording`
 */
export function requireThere(root: string): void {
  inWords('read the folder of datasets', () => {
    if (!isTaken(root)) throw new Error(`there is no ${root}, an existing folder is wanted`);
  });
}

function inWords(what: string, work: () => void): void {
  try {
    work();
  } catch (thrown) {
    throw new AppError('recording', `Cannot ${what}: ${wordsOfDisk(thrown)}`, { cause: thrown });
  }
}
