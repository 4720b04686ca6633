import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { machineDisk } from '../../src/storage/disk.ts';
import { takeLock } from '../../src/storage/index.ts';
import { scratchPath } from './fixture.ts';

const beside = (path: string): string[] => readdirSync(dirname(path)).sort();
const lockOf = (path: string): string => `${basename(path)}.lock`;

describe('takeLock', () => {
  it('says no more whose it was once it is let go, and is taken once at a time', () => {
    const path = scratchPath();
    const first = takeLock(path);
    expect(() => takeLock(path)).toThrow(`process ${process.pid} uses it`);
    expect(beside(path)).toEqual([lockOf(path), `${basename(path)}.owner`]);
    first.release();
    expect(beside(path)).toEqual([lockOf(path)]);
    const second = takeLock(path);
    first.release();
    expect(() => takeLock(path)).toThrow(`process ${process.pid} uses it`);
    second.release();
    expect(beside(path)).toEqual([lockOf(path)]);
  });

  it('takes a file that a dead process left', () => {
    const path = scratchPath();
    machineDisk.open(`${path}.lock`, { waitMs: 0 }).close();
    expect(beside(path)).toEqual([lockOf(path)]);
    takeLock(path).release();
    expect(beside(path)).toEqual([lockOf(path)]);
  });
});
