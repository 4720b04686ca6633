import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { hasCommit } from '../../src/storage/write-ahead-log.ts';
import { rowsOf, scratchPath } from './fixture.ts';

const ROW_BYTES = 30_000;

/** A database that is entirely in the log: a table, and a row over several pages. */
function logged(): string {
  const path = scratchPath();
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; BEGIN; CREATE TABLE rows (text TEXT)');
  database.exec(`INSERT INTO rows VALUES ('${'x'.repeat(ROW_BYTES)}'); COMMIT`);
  const copy = scratchPath();
  for (const suffix of ['', '-wal']) copyFileSync(path + suffix, copy + suffix);
  database.close();
  return copy;
}

/** Whether SQLite finds the table. */
function isFound(path: string): boolean {
  return rowsOf(path, 'SELECT name FROM sqlite_schema').length > 0;
}

/** What `hasCommit` and SQLite say about a log that was changed. */
function verdicts(change: (log: string) => void) {
  const path = logged();
  change(`${path}-wal`);
  return { ours: hasCommit(`${path}-wal`), theirs: isFound(path) };
}

function changeByte(log: string, at: number): void {
  const bytes = readFileSync(log);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at);
  writeFileSync(log, bytes);
}

describe('hasCommit', () => {
  it('finds the transaction that SQLite finds', () => {
    expect(verdicts(() => {})).toEqual({ ours: true, theirs: true });
  });

  it('finds it ahead of one that is cut', () => {
    const both = verdicts((log) => writeFileSync(log, Buffer.alloc(100), { flag: 'a' }));
    expect(both).toEqual({ ours: true, theirs: true });
  });

  it.each([1, 31, 32, 60, 1_000, 4_152, 20_000])('finds none in its first %i bytes', (bytes) => {
    const both = verdicts((log) => truncateSync(log, bytes));
    expect(both).toEqual({ ours: false, theirs: false });
  });

  it.each([
    ['the magic number', 0],
    ['the version', 7],
    ['the size of pages', 10],
    ['a salt of the log', 17],
    ['a sum of the log', 24],
    ['the number of a page', 35],
    ['a salt of a frame', 41],
    ['a sum of a frame', 50],
    ['a page', 200],
  ])('finds none where %s is another', (_, at) => {
    const both = verdicts((log) => changeByte(log, at));
    expect(both).toEqual({ ours: false, theirs: false });
  });

  it('finds none in zeros', () => {
    const both = verdicts((log) => writeFileSync(log, Buffer.alloc(10_000)));
    expect(both).toEqual({ ours: false, theirs: false });
  });
});
