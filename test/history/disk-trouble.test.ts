import { describe, expect, it } from 'vitest';
import { diskTrouble } from '../../src/history/index.ts';

const failed = (code: string, { path = '/data', syscall = 'open' } = {}): Error =>
  Object.assign(new Error(`${code}: it failed, ${syscall}`), { code, path, syscall });

describe('diskTrouble', () => {
  it.each([
    ['EACCES', 'you may not use /data, permission to read and write it is wanted'],
    ['EPERM', 'you may not use /data, permission to read and write it is wanted'],
    ['EROFS', '/data can only be read, one that can be written is wanted'],
    ['EISDIR', '/data is a folder, a file is wanted'],
    ['ENOENT', 'there is no /data, one is wanted'],
    [
      'EFBIG',
      'a file would be larger than it may be here, a higher limit (`ulimit -f`) is wanted; ' +
        'the dataset is as it was',
    ],
    ['ENOSPC', 'the disk is full, more room is wanted; the dataset is as it was'],
  ])('says of %s what is and what is wanted', (code, text) => {
    expect(diskTrouble(failed(code))).toBe(text);
  });

  it('names the folder around one that was to be made up', () => {
    const thrown = failed('EACCES', { path: '/data/.tradewind-XXXXXX', syscall: 'mkdtemp' });
    expect(diskTrouble(thrown)).toMatch(/^you may not use \/data,/);
  });

  it('says that the folder of the process is gone', () => {
    expect(diskTrouble(failed('ENOENT', { syscall: 'uv_cwd' }))).toMatch(
      /^the folder that this command was/,
    );
  });

  it('knows a full disk by what the databases say of it', () => {
    expect(diskTrouble(new Error('database or disk is full'))).toMatch(/^the disk is full/);
    expect(diskTrouble(new Error('IO Error: No space left on device'))).toMatch(
      /^the disk is full/,
    );
  });

  it.each(['x is not a function', 'line 2 of recordedquotes.csv is none', 'no prefBigger.csv'])(
    'is silent of what is no trouble of a disk: %s',
    (message) => {
      expect(diskTrouble(new TypeError(message))).toBeUndefined();
    },
  );
});
