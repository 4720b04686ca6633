import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wordsOfDisk } from '../../src/app/disk.ts';
import { makeFolder } from '../../src/app/make-folder.ts';
import { scratchFolder } from './fixture.ts';

/** What is said of a folder that cannot be made. */
function refusalOf(path: string): string {
  try {
    makeFolder(path);
  } catch (thrown) {
    return wordsOfDisk(thrown);
  }
  return 'it was made';
}

describe('makeFolder', () => {
  it('makes a folder and those around it, and takes one that is there', () => {
    const path = join(scratchFolder(), 'a', 'b');
    makeFolder(path);
    expect(readdirSync(dirname(path))).toEqual(['b']);
    expect(() => makeFolder(path)).not.toThrow();
  });

  it('takes a link to a folder for one', () => {
    const root = scratchFolder();
    mkdirSync(join(root, 'real'));
    symlinkSync('real', join(root, 'link'));
    makeFolder(join(root, 'link', 'a'));
    expect(readdirSync(join(root, 'real'))).toEqual(['a']);
  });

  it('names the file that is in its place or in its way', () => {
    const file = join(scratchFolder(), 'file');
    writeFileSync(file, '');
    const what = `${file} is no folder, one is wanted`;
    expect([refusalOf(file), refusalOf(join(file, 'a', 'b'))]).toEqual([what, what]);
  });
});
