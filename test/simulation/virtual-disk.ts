import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { DatabaseFile, Disk, LogFile, Row, SqlValue } from '../../src/storage/disk.ts';
import type { WriteFault } from './disk-trouble.ts';
import type { VirtualProcess } from './virtual-process.ts';

/** A disk that outlives processes: SQLite's own engine, in memory, killed between any two writes. */
export class VirtualDisk {
  readonly #files = new Map<string, DatabaseSync>();
  readonly #logs = new Map<string, string>();
  /** Called before each statement that writes; may kill the process that writes. */
  beforeWrite: () => void = () => {};
  /** How the next write goes wrong; undefined: it does not. Reads fail then too. */
  fault: () => WriteFault | undefined = () => undefined;

  /** The disk as one process sees it: what a dead one writes goes nowhere. */
  of(process: VirtualProcess): Disk {
    return {
      open: (path) => this.#open(path, process),
      placeOf: (path) => path,
      openLog: (path) => this.#openLog(path, process),
      readLog: (path) => {
        this.#mayRead();
        return this.#logs.get(path) ?? '';
      },
    };
  }

  /** The operating system cleans up after processes that died: what was not committed is gone. */
  crash(): void {
    for (const file of this.#files.values()) if (file.isTransaction) file.exec('ROLLBACK');
  }

  /** Whether the journal of a path knows the order, or the log beside it does. */
  knows(path: string, clientOrderId: string): boolean {
    if (this.#logs.get(`${path}.departures`)?.includes(`"${clientOrderId}"`)) return true;
    const sql = 'SELECT 1 FROM orders WHERE clientOrderId = ?';
    return this.#fileAt(path).prepare(sql).get(clientOrderId) !== undefined;
  }

  /** How many runs have lost market data to age. */
  prunedRuns(path: string): number {
    const sql = 'SELECT count(*) AS runs FROM runs WHERE pruned = 1';
    return Number(this.#fileAt(path).prepare(sql).get()?.runs);
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
    const write = (all: () => void) => this.#write(process, { all });
    return {
      execute: (sql) => write(() => file.exec(sql)),
      prepare: (sql) => {
        const statement = file.prepare(sql);
        return {
          run: (...values: SqlValue[]) => write(() => statement.run(...values)),
          iterate: (...values: SqlValue[]) => {
            if (!process.alive) return [];
            this.#mayRead();
            return statement.iterate(...values) as Iterable<Row>;
          },
        };
      },
      close: () => {
        if (process.alive && file.isTransaction) file.exec('ROLLBACK');
      },
    };
  }

  /** What is cut off in the middle is a torn line. */
  #openLog(path: string, process: VirtualProcess): LogFile {
    const logs = this.#logs;
    const add = (text: Uint8Array) =>
      logs.set(path, `${logs.get(path) ?? ''}${Buffer.from(text).toString()}`);
    return {
      append: (text) =>
        this.#write(process, {
          all: () => add(text),
          part: () => add(text.subarray(0, text.length / 2)),
        }),
      sync: () => this.#write(process, { all: () => {} }),
      empty: () => this.#write(process, { all: () => logs.set(path, '') }),
      close: () => {},
    };
  }

  /** `part`: what is there of a write that was cut off. SQLite takes back what it began. */
  #write(
    process: VirtualProcess,
    { all, part = () => {} }: { readonly all: () => void; readonly part?: () => void },
  ): void {
    if (!process.alive) return;
    this.beforeWrite();
    const fault = process.alive ? this.fault() : 'torn';
    if (fault === undefined || fault === 'kept') all();
    else if (fault === 'torn') part();
    if (process.alive && fault !== undefined) throw new Error('database or disk is full');
  }

  #mayRead(): void {
    if (this.fault() !== undefined) throw new Error('disk I/O error');
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
