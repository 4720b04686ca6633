import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { loadDeployment } from '../../src/app/load-deployment.ts';
import { journalOf, lockOf } from '../../src/app/session-journal.ts';
import { VirtualClock } from '../../src/kernel/index.ts';
import { StorageError } from '../../src/storage/errors.ts';
import type { JournalOptions } from '../../src/storage/journal.ts';
import { toldFixture } from './alerts/fixture.ts';
import { deploymentFile, scratchFolder } from './fixture.ts';

const opened = vi.hoisted((): JournalOptions[] => []);

vi.mock('../../src/storage/index.ts', async (importOriginal) => {
  const storage = await importOriginal<typeof import('../../src/storage/index.ts')>();
  const FileJournal = class {
    constructor(options: JournalOptions) {
      opened.push(options);
    }
  };
  return { ...storage, FileJournal };
});

const disk = vi.hoisted(() => ({ isFull: false }));

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>();
  const mkdtempSync = (prefix: string): string => {
    if (!disk.isFull) return fs.mkdtempSync(prefix);
    const message = `ENOSPC: no space left on device, mkdtemp '${prefix}XXXXXX'`;
    throw Object.assign(new Error(message), { code: 'ENOSPC', syscall: 'mkdtemp' });
  };
  return { ...fs, mkdtempSync };
});

it('journalOf logs what the journal warns of, and why it failed', () => {
  const { logger, told } = toldFixture();
  journalOf(loadDeployment(deploymentFile()), {
    ...{ journalPath: 'live.journal', lock: undefined, markets: new Map(), seed: '1' },
    ...{ clock: new VirtualClock(0), logger },
  });
  opened[0]!.onWarning?.('the log beside the journal has grown');
  opened[0]!.onFailure?.(new StorageError('Cannot write'));
  expect(told).toEqual(['warn the log beside the journal has grown', 'error the journal failed']);
});

it('lockOf says of a disk on which no more files fit what is wanted', () => {
  const path = join(scratchFolder(), 'live.journal');
  disk.isFull = true;
  expect(() => lockOf(path)).toThrow(
    `Cannot open the journal ${path}: the disk is full, more room is wanted`,
  );
});
