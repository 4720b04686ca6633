import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { DatabaseFile, Disk, LogFile, Row, SqlValue } from '../../src/storage/disk.ts';
import type { VirtualProcess } from './virtual-process.ts';

/** A disk that outlives processes: SQLite's own engine, in memory, killed between any two writes. */
export class VirtualDisk {
  readonly #files = new Map<string, DatabaseSync>();
  readonly #logs = new Map<string, string>();
  /** Called before each statement that writes; may kill the process that writes. */
  beforeWrite: () => void = () => {};
  /** From now on every write fails: no space left. */
  full = false;

  /** The disk as one process sees it: what a dead one writes goes nowhere. */
  of(process: VirtualProcess): Disk {
    return {
      open: (path) => this.#open(path, process),
      openLog: (path) => this.#openLog(path, process),
      readLog: (path) => this.#logs.get(path) ?? '',
    };
  }

  /** The operating system cleans up after processes that died: what was not committed is gone. */
  crash(): void {
    for (const file of this.#files.values()) if (file.isTransaction) file.exec('ROLLBACK');
  }

  /** The hash of everything that journals have written to a file. */
  hashOf(path: string): string {
    const rows = this.#fileAt(path)
      .prepare('SELECT marketDataHash || othersHash AS hash FROM chunks ORDER BY run, first')
      .all();
    return hash('sha256', rows.map((row) => String(row.hash)).join());
  }

  #open(path: string, process: VirtualProcess): DatabaseFile {
    const file = this.#fileAt(path);
    const mayWrite = () => this.#mayWrite(process);
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

  /** A process that is killed while it appends leaves a torn line. */
  #openLog(path: string, process: VirtualProcess): LogFile {
    const logs = this.#logs;
    return {
      append: (text) => {
        if (!process.alive) return;
        const added = this.#mayWrite(process) ? text : text.slice(0, text.length / 2);
        logs.set(path, `${logs.get(path) ?? ''}${added}`);
      },
      sync: () => {},
      empty: () => {
        if (this.#mayWrite(process)) logs.set(path, '');
      },
      close: () => {},
    };
  }

  #mayWrite(process: VirtualProcess): boolean {
    if (process.alive) this.beforeWrite();
    if (process.alive && this.full) throw new Error('database or disk is full');
    return process.alive;
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
