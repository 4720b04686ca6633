import { statSync } from 'node:fs';

/** What else stands beside a journal while it is written, and holds a part of it. */
const PARTS = ['', '-wal'] as const;

/** One file as it was when it was opened. */
interface Found {
  readonly path: string;
  readonly id: bigint;
  /** Whether something was in it that may not go: of its log, tools of SQLite dispose too. */
  isFull: boolean;
}

/**
 * Looks whether the files of an open journal are still in their place. Writes into a file that was
 * deleted, moved or replaced succeed, and nothing of them is found by the next run; nor is what was in
 * a file that somebody has emptied, such as logrotate by `copytruncate`.
 */
export class Whereabouts {
  readonly #files: readonly Found[];
  /** How long the log was when it was looked at last. */
  logBytes = 0;

  /** `place`: where the journal is, whatever links lead to it. To be made once it was written. */
  constructor(place: string) {
    this.#files = PARTS.flatMap((part) => {
      const path = `${place}${part}`;
      const found = stampOf(path);
      return found === undefined ? [] : [{ path, id: found.id, isFull: false }];
    });
    this.trouble();
  }

  /** What has become of one of them, in words. */
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

/** Undefined: nothing is there. Numbers of files may be beyond those that doubles hold. */
function stampOf(path: string): { readonly id: bigint; readonly bytes: number } | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && { id: found.ino, bytes: Number(found.size) };
}
