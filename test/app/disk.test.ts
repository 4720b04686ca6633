import { describe, expect, it } from 'vitest';
import { wordsOfDisk } from '../../src/app/disk.ts';

describe('wordsOfDisk', () => {
  it('says of a full disk what is wanted, and of what is unknown what was thrown', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    expect(wordsOfDisk(full)).toBe('the disk is full, more room is wanted');
    const large = new Error('EFBIG: file too large, write');
    expect(wordsOfDisk(large)).toMatch(/^a file would be larger .*`ulimit -f`.* is wanted$/);
    expect(wordsOfDisk(new Error('EIO: i/o error, write'))).toBe('EIO: i/o error, write');
  });
});
