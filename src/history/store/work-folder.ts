import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { type FileLock, lockFile } from './file-lock.ts';

const PREFIX = '.tradewind-';
/** The file in a work folder that its process holds. */
const LOCK = 'lock';

/**
 * Does work with a folder for files in the making, which is gone afterwards. It lies in `root`,
 * which is made where there is none: what is ready takes its place there by being renamed. The
 * folders that processes left there that were killed go too.
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

/** The same folder for work that ends elsewhere, by removing it. */
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

/** A folder for files in the making. */
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
    // Another process may have taken it for one that was left, before it was held.
    if (lock !== undefined && existsSync(folder)) return { folder, lock };
    lock?.release();
  }
}

/** Removes the work folders in a folder that no living process holds; what it can't it leaves. */
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
      // It is another user's: that is in nobody's way.
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
