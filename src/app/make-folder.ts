import { lstatSync, mkdtempSync, rmdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolder as makeMissing } from '../history/index.ts';

/** How names of work folders begin, as in the history floor: they are no datasets. */
const PREFIX = '.tradewind-';

/**
 * Makes a folder and its parents, where they are missing.
 *
 * @throws {Error} in words: what is in its place or in its way, and what is wanted.
 */
export function makeFolder(path: string): void {
  inWords(path, () => makeMissing(path));
}

/**
 * Makes a new folder whose path begins with `prefix`; its parent must exist. Returns its path.
 *
 * @throws {Error} in words, as `makeFolder`.
 */
export function makeNewFolder(prefix: string): string {
  return inWords(resolve(prefix), () => mkdtempSync(prefix));
}

/**
 * Makes a folder where it is missing, and tries to write there by making another in it, which is
 * removed: whoever writes there later is to hear of trouble now.
 *
 * @throws {Error} in words, as `makeFolder`.
 */
export function makeWritableFolder(path: string): void {
  makeFolder(path);
  rmdirSync(makeNewFolder(join(path, PREFIX)));
}

/** Makes the folder of a file to be written. @throws {Error} in words, where none can be. */
export function makeFolderOf(path: string): void {
  const file = resolve(path);
  makeWritableFolder(dirname(file));
  const there = inWords(file, () => statsOf(file));
  if (there === undefined || there.isFile()) return;
  throw new Error(`${file} is ${there.isDirectory() ? 'a folder' : 'no file'}, a file is wanted`);
}

/** Whether anything is at the path, even a dangling link. @throws as `makeFolder`. */
export function isTaken(path: string): boolean {
  return inWords(path, () => lstatSync(path, { throwIfNoEntry: false })) !== undefined;
}

/** Refuses anything but a folder at the path; a missing one passes. @throws as `makeFolder`. */
export function requireNoOther(path: string): void {
  const folder = resolve(path);
  if (isTaken(folder) && !isFolder(folder)) throw new Error(TAKEN(folder));
}

function isFolder(path: string): boolean {
  return inWords(path, () => statsOf(path))?.isDirectory() === true;
}

function statsOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** Does work on a folder. Known errors of the system become errors in words. */
function inWords<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const { code = '', path = folder, syscall } = cause as NodeJS.ErrnoException;
    // Here the error's path ends in the system's placeholder for random letters.
    const words = WORDINGS[code]?.(syscall === 'mkdtemp' ? folder : path);
    throw words === undefined ? cause : new Error(words, { cause });
  }
}

const CLOSED = (folder: string): string =>
  `you may not use ${dirname(folder)}, permission to read and write it is wanted`;

const TAKEN = (folder: string): string =>
  statsOf(folder) === undefined
    ? `${folder} is a link to nothing, one to a folder is wanted`
    : `${folder} is no folder, one is wanted`;

/** What is wrong and what is wanted, by the system's code for it. */
const WORDINGS: Readonly<Record<string, (folder: string) => string>> = {
  ENOENT: (folder) => `no folder can be made in ${dirname(folder)}, another place is wanted`,
  EEXIST: TAKEN,
  ENOTDIR: (folder) => `${dirname(folder)} is no folder, one is wanted`,
  ELOOP: (folder) => `links on the way to ${folder} lead back to themselves, others are wanted`,
  ENAMETOOLONG: (folder) => `a name in ${folder} is too long, a shorter one is wanted`,
  EACCES: CLOSED,
  EPERM: CLOSED,
  EROFS: (folder) => `${dirname(folder)} can only be read, a folder that can be written is wanted`,
};
