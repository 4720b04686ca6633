import { chmodSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { JournalReader } from '../../src/storage/index.ts';
import { byNobody } from '../nobody.ts';
import { tradeEvent } from './events.ts';
import { copyJournal, eventsIn, journalOf, killedRun, writtenRun } from './fixture.ts';

/** Prints how many events a journal has. */
const SCRIPT = `
  import { JournalReader } from ${JSON.stringify(new URL('../../src/storage/index.ts', import.meta.url).href)};
  const reader = new JournalReader(process.argv[1]);
  process.stdout.write(String([...reader.events()].length));
  reader.close();
`;

/** How many events a user without write access reads, and the folder's files before and after. */
function readByNobody(path: string) {
  const before = readdirSync(dirname(path));
  chmodSync(dirname(path), 0o555);
  const { stdout, stderr } = byNobody(SCRIPT, path);
  chmodSync(dirname(path), 0o755);
  return { stdout, stderr, before, after: readdirSync(dirname(path)) };
}

function contentsBeside(path: string) {
  const folder = dirname(path);
  return readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]);
}

it('reads a journal in a folder in which nothing can be written', () => {
  const path = writtenRun([tradeEvent(1)]);
  const { before, ...read } = readByNobody(path);
  expect(read).toEqual({ stdout: '1', stderr: '', after: before });
});

it('says of a journal that may not be read what is wanted', () => {
  const path = writtenRun([]);
  chmodSync(path, 0);
  const { stderr } = readByNobody(path);
  expect(stderr).toContain(
    `Cannot read the journal ${path}: you may not use ${path}, permission to read it is wanted`,
  );
});

describe('openToRead, of a copy of what a killed writer left,', () => {
  /** The path of a copy whose event is only in the log. */
  const killed = () => killedRun([tradeEvent(1)]);

  it('reads what is in the log, and leaves the folder as it was', () => {
    const copy = killed();
    const before = contentsBeside(copy);
    expect(eventsIn(copy)).toEqual([tradeEvent(1)]);
    expect(contentsBeside(copy)).toEqual(before);
  });

  it('reads it in a folder in which nothing can be written', () => {
    const { before, ...read } = readByNobody(killed());
    expect(read).toEqual({ stdout: '1', stderr: '', after: before });
  });

  it('says so where somebody writes it meanwhile', () => {
    const copy = killed();
    const reader = new JournalReader(copy);
    const writer = journalOf({ path: copy });
    expect(() => reader.close()).toThrow('it was opened for writing while it was read');
    writer.close();
  });
});

describe('openToRead, of a copy with a log in which nothing counts,', () => {
  /**
   * The path of a copy with its event in the database, and a transaction in the log that is cut.
   */
  function begun(): string {
    const path = writtenRun([tradeEvent(1)]);
    const journal = journalOf({ path });
    journal.commit();
    const copy = copyJournal(path);
    journal.close();
    truncateSync(`${copy}-wal`, 1_000);
    return copy;
  }

  it('reads what is in the database, and leaves the folder as it was', () => {
    const copy = begun();
    const before = contentsBeside(copy);
    expect(eventsIn(copy)).toEqual([tradeEvent(1)]);
    expect(contentsBeside(copy)).toEqual(before);
  });

  it('takes nothing from a writer that has begun meanwhile', () => {
    const copy = begun();
    const reader = new JournalReader(copy);
    expect([...reader.events()]).toHaveLength(1);
    const writer = journalOf({ path: copy });
    writer.append(tradeEvent(2));
    writer.commit();
    expect(() => reader.close()).toThrow('it was opened for writing while it was read');
    writer.append(tradeEvent(3));
    writer.commit();
    expect(eventsIn(copyJournal(copy))).toEqual([tradeEvent(2), tradeEvent(3)]);
    writer.close();
  });
});
