import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those around it, where they are missing. One by one: where the system takes
 * none, as in /proc, Node tries to make all at once for ever.
 *
 * @throws what the file system throws; `diskTrouble` has words for it.
 */
export function makeFolder(path: string): void {
  const folder = resolve(path);
  if (isFolder(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (thrown) {
    // Another process may have made it meanwhile.
    if (!isFolder(folder)) throw thrown;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
