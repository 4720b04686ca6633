import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Does work with a folder for files in the making, which is gone afterwards. It lies in `root`,
 * which is made where there is none: what is ready takes its place there by being renamed.
 */
export async function withWorkFolder<T>(
  root: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  mkdirSync(root, { recursive: true });
  const folder = mkdtempSync(join(root, '.tradewind-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
