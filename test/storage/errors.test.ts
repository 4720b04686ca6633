import { expect, it } from 'vitest';
import { storageError } from '../../src/storage/errors.ts';

const thrown = (errcode: number) => Object.assign(new Error('told by SQLite'), { errcode });
const READ_ONLY_DATABASE = 8;
const READ_ONLY_FOLDER = 1_544;
const FULL = 13;
const FAILED_WRITE = 778;
const BUSY = 5;
const CANNOT_OPEN = 14;

it.each([
  [READ_ONLY_DATABASE, ', a file and a folder that this user may write are wanted'],
  [READ_ONLY_FOLDER, ', a file and a folder that this user may write are wanted'],
  [FULL, ', more room on its disk is wanted'],
  [FAILED_WRITE, ', a disk without faults, and files without a limit (`ulimit -f`), are wanted'],
  [BUSY, ''],
])('storageError says what is wanted for the code %i of SQLite', (code, wanted) => {
  const { message } = storageError('open', 'bot.journal', thrown(code));
  expect(message).toBe(`Cannot open the journal bot.journal: told by SQLite${wanted}`);
});

it('storageError says what is wanted where the system tells of a full disk', () => {
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  expect(storageError('lock', 'bot.journal', full).message).toBe(
    'Cannot lock the journal bot.journal: no space left on device, more room on its disk is wanted',
  );
});

it('storageError tells of no permission where the folder is gone', () => {
  const { message } = storageError('write', 'gone/bot.journal', thrown(CANNOT_OPEN));
  expect(message).toBe('Cannot write the journal gone/bot.journal: told by SQLite');
});
