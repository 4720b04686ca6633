import { wordsOfDisk } from '../disk.ts';
import { AppError } from '../errors.ts';
import { isTaken, makeWritableFolder, requireNoOther } from '../make-folder.ts';

/**
 * Makes the folder of all datasets where it is missing: whoever adds data is to hear at once that
 * nothing can be written there.
 *
 * @param what what is to be done, such as "import".
 * @throws {AppError} `recording` when it cannot be.
 */
export function requireWritable(root: string, what: string): void {
  told(what, () => makeWritableFolder(root));
}

/**
 * Refuses what can be no folder of datasets. One that is not there yet has none.
 *
 * @throws {AppError} `recording`
 */
export function requireLegible(root: string): void {
  told('read the folder of datasets', () => requireNoOther(root));
}

/**
 * Refuses a folder of datasets that is not there: a person has named it.
 *
 * @throws {AppError} `recording`
 */
export function requireThere(root: string): void {
  told('read the folder of datasets', () => {
    if (!isTaken(root)) throw new Error(`there is no ${root}, a folder that is there is wanted`);
  });
}

function told(what: string, work: () => void): void {
  try {
    work();
  } catch (thrown) {
    throw new AppError('recording', `Cannot ${what}: ${wordsOfDisk(thrown)}`, { cause: thrown });
  }
}
