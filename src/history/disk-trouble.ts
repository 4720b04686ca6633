import { dirname } from 'node:path';
import { messageOf } from '../kernel/index.ts';

const CLOSED = (path: string): string =>
  `you may not use ${path}, permission to read and write it is wanted`;

/** Says that a folder cannot be made although its parent exists, as in /proc. */
const UNMADE = (path: string): string =>
  `no folder can be made in ${dirname(path)}, another place is wanted`;

/** For a path relative to the folder of the process, if somebody has removed that. */
const GONE =
  'the folder that this command was started in is gone, a start in an existing folder is wanted';

/** What is wrong and what is wanted, by the system's error code. */
const WORDINGS: Readonly<Record<string, (path: string) => string>> = {
  EACCES: CLOSED,
  EPERM: CLOSED,
  EROFS: (path) => `${path} can only be read, one that can be written is wanted`,
  ENOENT: (path) => `there is no ${path}, one is wanted`,
  EISDIR: (path) => `${path} is a folder, a file is wanted`,
  ENOTDIR: (path) => `${path} is no folder, one is wanted`,
  EEXIST: (path) => `${path} is no folder, one is wanted`,
};

/** What the system and the databases say of a full disk; names of files may stand beside it. */
const FULL = /\b(ENOSPC|EDQUOT)\b|no space left|disk quota|disk is full/i;
/** What they say when a file would be larger than allowed. */
const TOO_LARGE = /\bEFBIG\b|file too large/i;

/** Whether something failed because the disk is full or a file would be too large. */
export function isDiskFull(thrown: unknown): boolean {
  return fullText(thrown) !== undefined;
}

/**
 * Says that the disk is full or a file would be too large; undefined when something else failed.
 */
export function fullText(thrown: unknown): string | undefined {
  const message = messageOf(thrown);
  if (TOO_LARGE.test(message)) {
    return 'a file would be larger than it may be here, a higher limit (`ulimit -f`) is wanted';
  }
  return FULL.test(message) ? 'the disk is full, more room is wanted' : undefined;
}

/** A failure of the disk in words for people; undefined for any other. */
export function diskTrouble(thrown: unknown): string | undefined {
  const { code = '', path = 'it', syscall } = thrown as NodeJS.ErrnoException;
  const full = fullText(thrown);
  if (full !== undefined) return `${full}; the dataset is as it was`;
  if (code === 'ENOENT' && syscall === 'mkdir') return UNMADE(path);
  if (syscall === 'uv_cwd') return GONE;
  // The name of a work folder is made up, so the folder around it is named.
  return WORDINGS[code]?.(syscall === 'mkdtemp' ? dirname(path) : path);
}
