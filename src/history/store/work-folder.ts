import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { type FileLock, lockFile } from './file-lock.ts';

const PREFIX = '.tradewind-';
/** The file in a work folder that its process holds. */
const LOCK = 'lock';

/**
 * Runs work with a folder for unfinished files, which is removed afterwards. It lies in `root`,
 * which is made if it is missing, so that a finished file takes its place by a rename. Folders that
 * killed processes left there are removed too.
 */
export async function withWorkFolder<T>(
  root: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const { folder, remove } = makeWorkFolder(root);
  try {
    return await work(folder);
  } finally {
    remove();
  }
}

/** Makes such a folder for work that ends elsewhere: the caller removes it. */
export function makeWorkFolder(root: string): WorkFolder {
  makeFolder(root);
  removeLeft(root);
  const { folder, lock } = heldFolder(root);
  const remove = (): void => {
    lock.release();
    removeFolder(folder);
  };
  return { folder, remove };
}

/** A folder for unfinished files. */
export interface WorkFolder {
  readonly folder: string;
  readonly remove: () => void;
}

function heldFolder(root: string): { readonly folder: string; readonly lock: FileLock } {
  for (;;) {
    const folder = mkdtempSync(join(root, PREFIX));
    let lock: FileLock | undefined;
    try {
      lock = lockFile(join(folder, LOCK));
    } catch (thrown) {
      removeFolder(folder);
      throw thrown;
    }
    // Before it was locked, another process may have removed it as left behind.
    if (lock !== undefined && existsSync(folder)) return { folder, lock };
    lock?.release();
  }
}

/** Removes the work folders that no living process holds, as far as it can. */
export function removeLeft(root: string): void {
  for (const name of namesIn(root)) {
    const folder = join(root, name);
    if (!name.startsWith(PREFIX) || !existsSync(join(folder, LOCK))) continue;
    try {
      const lock = lockFile(join(folder, LOCK));
      if (lock === undefined) continue;
      lock.release();
      removeFolder(folder);
    } catch {
      // It is another user's, and in nobody's way.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Whoever needs the folder says what is wrong with it.
    return [];
  }
}

/** Removes a folder that another process may be removing too. */
function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
