import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { machineDisk } from '../../src/storage/disk.ts';
import { takeLock } from '../../src/storage/index.ts';
import { scratchPath } from './fixture.ts';

const beside = (path: string): string[] => readdirSync(dirname(path)).sort();
const lockOf = (path: string): string => `${basename(path)}.lock`;

describe('takeLock', () => {
  it('leaves no file behind once it is let go, and one that is held at its place', () => {
    const path = scratchPath();
    const first = takeLock(path);
    expect(() => takeLock(path)).toThrow(`process ${process.pid} uses it`);
    expect(beside(path)).toEqual([lockOf(path), `${basename(path)}.owner`]);
    first.release();
    expect(beside(path)).toEqual([]);
    const second = takeLock(path);
    first.release();
    expect(() => takeLock(path)).toThrow(`process ${process.pid} uses it`);
    second.release();
    expect(beside(path)).toEqual([]);
  });

  it('takes a file that a dead process left', () => {
    const path = scratchPath();
    machineDisk.open(`${path}.lock`, { waitMs: 0 }).close();
    expect(beside(path)).toEqual([lockOf(path)]);
    takeLock(path).release();
    expect(beside(path)).toEqual([]);
  });

  it("removes no other holder's file, where its own was removed by hand", () => {
    const path = scratchPath();
    const first = takeLock(path);
    rmSync(`${path}.lock`);
    const second = takeLock(path);
    first.release();
    expect(beside(path)).toEqual([lockOf(path), `${basename(path)}.owner`]);
    expect(() => takeLock(path)).toThrow('uses it');
    second.release();
  });

  it('begins again where the file that it opened is let go, and gone, ahead of its lock', () => {
    const path = scratchPath();
    const first = takeLock(path);
    const { open } = machineDisk;
    vi.spyOn(machineDisk, 'open').mockImplementationOnce((...of) => {
      const file = open(...of);
      first.release();
      return file;
    });
    const second = takeLock(path);
    vi.restoreAllMocks();
    expect(beside(path)).toContain(lockOf(path));
    expect(() => takeLock(path)).toThrow('uses it');
    second.release();
  });
});
