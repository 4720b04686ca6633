import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wordsOfDisk } from '../../src/app/disk.ts';
import { makeFolder, makeFolderOf, makeWritableFolder } from '../../src/app/make-folder.ts';
import { scratchFolder } from './fixture.ts';

/** What is said of a folder, or of another place, that cannot be made. */
function refusalOf(path: string, make = makeFolder): string {
  try {
    make(path);
  } catch (thrown) {
    return wordsOfDisk(thrown);
  }
  return 'it was made';
}

const LONG = 'n'.repeat(300);
const IN_CIRCLES = 'lead back to themselves, others are wanted';

describe('makeFolder', () => {
  it('names the file that is in its place or in its way', () => {
    const file = join(scratchFolder(), 'file');
    writeFileSync(file, '');
    const what = `${file} is no folder, one is wanted`;
    expect([refusalOf(file), refusalOf(join(file, 'a', 'b'))]).toEqual([what, what]);
  });

  it('says of links that lead nowhere, or in circles, where they are', () => {
    const root = scratchFolder();
    const [link, one] = [join(root, 'link'), join(root, 'one')];
    symlinkSync('nothing', link);
    symlinkSync('one', one);
    const nowhere = `${link} is a link to nothing, one to a folder is wanted`;
    expect([refusalOf(link), refusalOf(join(link, 'a'))]).toEqual([nowhere, nowhere]);
    expect(refusalOf(one)).toBe(`links on the way to ${one} ${IN_CIRCLES}`);
  });

  it('says of a name that is too long that a shorter one is wanted', () => {
    const path = join(scratchFolder(), LONG);
    expect(refusalOf(path)).toBe(`a name in ${path} is too long, a shorter one is wanted`);
  });
});

describe('makeWritableFolder', () => {
  it('leaves nothing in the folder', () => {
    const path = join(scratchFolder(), 'a');
    makeWritableFolder(path);
    expect(readdirSync(path)).toEqual([]);
  });

  it.runIf(existsSync('/proc/self'))('refuses one in which no folder can be made', () => {
    const what = 'no folder can be made in /proc, another place is wanted';
    expect(refusalOf('/proc', makeWritableFolder)).toBe(what);
    expect(refusalOf('/proc/a', makeWritableFolder)).toBe(what);
  });
});

describe('makeFolderOf', () => {
  it('makes the folder of a file that is there, is not yet, or is at the end of a link', () => {
    const file = join(scratchFolder(), 'a', 'file');
    makeFolderOf(file);
    expect(readdirSync(dirname(file))).toEqual([]);
    writeFileSync(file, '');
    symlinkSync('file', `${file}.link`);
    expect([refusalOf(file, makeFolderOf), refusalOf(`${file}.link`, makeFolderOf)]).toEqual([
      'it was made',
      'it was made',
    ]);
  });

  it('refuses the place of a folder, a circle of links and a name that is too long', () => {
    const root = scratchFolder();
    symlinkSync('one', join(root, 'one'));
    const refusals = [root, join(root, 'one'), join(root, LONG)].map((path) =>
      refusalOf(path, makeFolderOf),
    );
    expect(refusals).toEqual([
      `${root} is a folder, a file is wanted`,
      `links on the way to ${join(root, 'one')} ${IN_CIRCLES}`,
      `a name in ${join(root, LONG)} is too long, a shorter one is wanted`,
    ]);
  });
});
