import { statSync } from 'node:fs';

/** Suffixes of the files that hold a journal while it is written: the database and its log. */
const PARTS = ['', '-wal'] as const;

/** One file as it was when it was opened. */
interface Found {
  readonly path: string;
  readonly id: bigint;
  /**
   * Whether it held something that must not vanish. Never of the log: SQLite's tools empty it too.
   */
  isFull: boolean;
}

/**
 * Checks that the files of an open journal are still in their place. Writes to a file that was
 * deleted, moved or replaced succeed, but the next run finds nothing of them; nor of what was in a
 * file that somebody has emptied, such as logrotate by `copytruncate`.
 */
export class Whereabouts {
  readonly #files: readonly Found[];
  /** The length of the log at the last check. */
  logBytes = 0;

  /** `place`: the journal's real path. To be created after the journal's first write. */
  constructor(place: string) {
    this.#files = PARTS.flatMap((part) => {
      const path = `${place}${part}`;
      const found = stampOf(path);
      return found === undefined ? [] : [{ path, id: found.id, isFull: false }];
    });
    this.trouble();
  }

  /** What has happened to one of the files, in words; undefined if nothing has. */
  trouble(): string | undefined {
    for (const file of this.#files) {
      const found = stampOf(file.path);
      if (found === undefined) return `${file.path} was deleted or moved while it was written`;
      if (found.id !== file.id) return `another file was put in the place of ${file.path}`;
      if (found.bytes === 0 && file.isFull) return `somebody has emptied ${file.path}`;
      if (file === this.#files[0]) file.isFull ||= found.bytes > 0;
      else this.logBytes = found.bytes;
    }
    return undefined;
  }
}

/** Undefined if no file is there. Inode numbers may be too large for a double. */
function stampOf(path: string): { readonly id: bigint; readonly bytes: number } | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && { id: found.ino, bytes: Number(found.size) };
}
