import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { FileLock } from './file-lock.ts';
import { lockDataset } from './lock.ts';
import { withWorkFolder } from './work-folder.ts';

/**
 * Removes datasets, those too that can't be read: each is moved away in one step, then its files
 * are deleted. None is removed while another process changes one of them.
 *
 * @throws {HistoryError} naming the other process.
 */
export function removeDatasets(root: string, ids: readonly string[]): Promise<void> {
  return withWorkFolder(root, async (workFolder) => {
    const locks: FileLock[] = [];
    try {
      for (const id of ids) locks.push(lockDataset(root, { id, work: 'removes' }));
      for (const id of ids) renameSync(join(root, id), join(workFolder, id));
    } finally {
      for (const lock of locks) lock.release();
    }
  });
}
