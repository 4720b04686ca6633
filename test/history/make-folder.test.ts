import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diskTrouble } from '../../src/history/index.ts';
import { makeFolder } from '../../src/history/make-folder.ts';
import { Store } from './store/fixture.ts';

/** The error for a folder that cannot be made. */
function refusalOf(path: string): string | undefined {
  try {
    makeFolder(path);
  } catch (thrown) {
    return diskTrouble(thrown);
  }
  return 'it was made';
}

describe('makeFolder', () => {
  it('makes a folder and those around it, and takes one that is there, by a link too', () => {
    const { root } = new Store();
    makeFolder(join(root, 'a', 'b'));
    makeFolder(join(root, 'a', 'b'));
    symlinkSync('a', join(root, 'link'));
    makeFolder(join(root, 'link', 'c'));
    expect(readdirSync(join(root, 'a'))).toEqual(['b', 'c']);
  });

  it('names the file in its place or in its way', () => {
    const { root } = new Store();
    const file = join(root, 'file');
    writeFileSync(file, '');
    expect(refusalOf(file)).toBe(`${file} is no folder, one is wanted`);
    expect(refusalOf(join(file, 'a'))).toBe(`${file} is no folder, one is wanted`);
  });

  // Here Node's own recursion never ends.
  it.skipIf(!existsSync('/proc/self'))('says where the system makes none', () => {
    const told = 'no folder can be made in /proc, another place is wanted';
    expect(refusalOf('/proc/none')).toBe(told);
    expect(refusalOf('/proc/none/a/b')).toBe(told);
  });
});
