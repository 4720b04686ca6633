import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those around it, where they are missing. One by one: where the system takes
 * none, as in /proc, Node tries to make all at once for ever.
 *
 * @throws what the file system throws, or in words that no folder can be made there.
 */
export function makeFolder(path: string): void {
  const folder = resolve(path);
  if (isFolder(folder)) return;
  const around = dirname(folder);
  makeFolder(around);
  try {
    mkdirSync(folder);
  } catch (thrown) {
    // Another process may have made it meanwhile.
    if (isFolder(folder)) return;
    const what = troubleWith(folder, (thrown as NodeJS.ErrnoException).code);
    throw what === undefined ? thrown : new Error(what, { cause: thrown });
  }
}

/** In words, where they are known. */
function troubleWith(folder: string, code: string | undefined): string | undefined {
  if (code === 'EEXIST') return `${folder} is no folder, one is wanted`;
  if (code !== 'ENOENT') return undefined;
  return `no folder can be made in ${dirname(folder)}, another place is wanted`;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
