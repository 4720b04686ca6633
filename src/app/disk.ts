import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { diskTrouble, isDiskFull } from '../history/index.ts';
import { messageOf } from '../kernel/index.ts';

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
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
    const what = `no folder can be made in ${around}, another place is wanted`;
    throw new Error(what, { cause: thrown });
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** What a disk failed with, for people: what is, and what is wanted where that is known. */
export function wordsOfDisk(thrown: unknown): string {
  if (isDiskFull(thrown)) return 'the disk is full, more room is wanted';
  return diskTrouble(thrown) ?? messageOf(thrown);
}
