import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { lockOf } from '../../src/app/session-journal.ts';
import { scratchFolder } from './fixture.ts';

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

it('lockOf says of a disk on which no more files fit what is wanted', () => {
  const path = join(scratchFolder(), 'live.journal');
  disk.isFull = true;
  expect(() => lockOf(path)).toThrow(
    `Cannot open the journal ${path}: the disk is full, more room is wanted`,
  );
});
