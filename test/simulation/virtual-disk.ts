import { DatabaseSync } from 'node:sqlite';
import type { DatabaseFile, Disk, Row, SqlValue } from '../../src/storage/index.ts';
import type { VirtualProcess } from './virtual-process.ts';

/** A disk that outlives processes: SQLite's own engine, in memory, killed between any two writes. */
export class VirtualDisk {
  readonly #files = new Map<string, DatabaseSync>();
  /** Called before each statement that writes; may kill the process that writes. */
  beforeWrite: () => void = () => {};
  /** From now on every write fails: no space left. */
  full = false;

  /** The disk as one process sees it: what a dead one writes goes nowhere. */
  of(process: VirtualProcess): Disk {
    return { open: (path) => this.#open(path, process) };
  }

  /** The operating system cleans up after processes that died: what was not committed is gone. */
  crash(): void {
    for (const file of this.#files.values()) if (file.isTransaction) file.exec('ROLLBACK');
  }

  #open(path: string, process: VirtualProcess): DatabaseFile {
    const file = this.#fileAt(path);
    const mayWrite = (): boolean => {
      if (process.alive) this.beforeWrite();
      if (process.alive && this.full) throw new Error('database or disk is full');
      return process.alive;
    };
    return {
      execute: (sql) => {
        if (mayWrite()) file.exec(sql);
      },
      prepare: (sql) => {
        const statement = file.prepare(sql);
        return {
          run: (...values: SqlValue[]) => {
            if (mayWrite()) statement.run(...values);
          },
          iterate: (...values: SqlValue[]) =>
            process.alive ? (statement.iterate(...values) as Iterable<Row>) : [],
        };
      },
      close: () => {
        if (process.alive && file.isTransaction) file.exec('ROLLBACK');
      },
    };
  }

  #fileAt(path: string): DatabaseSync {
    let file = this.#files.get(path);
    if (file === undefined) {
      file = new DatabaseSync(':memory:');
      this.#files.set(path, file);
    }
    return file;
  }
}
