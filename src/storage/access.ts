import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** How a file is to be used, in the words of permissions. */
export type Access = 'read' | 'read and write';

const MODES: Readonly<Record<Access, number>> = {
  read: constants.R_OK,
  'read and write': constants.R_OK | constants.W_OK,
};

/**
 * Why this user cannot open a file, in words; undefined if nothing prevents it. SQLite itself says
 * only that it is unable to open it, or opens a write-protected file for reading only.
 */
export function barrierTo(path: string, access: Access): string | undefined {
  const place = existsSync(path) ? path : dirname(path);
  try {
    accessSync(place, MODES[access]);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    return `you may not use ${place}, permission to ${access} it is wanted`;
  }
  return place === path && statSync(path).isDirectory()
    ? `${path} is a folder, a file is wanted`
    : undefined;
}
