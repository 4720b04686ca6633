import { renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/kernel/index.ts';
import { Whereabouts } from '../../src/storage/whereabouts.ts';
import { scratchFolder } from '../scratch-folder.ts';
import { START_MS, tradeEvent } from './events.ts';
import { journalOf, scratchPath } from './fixture.ts';

/** A file with its log beside it, and the watch over both. */
function filesOf({ isEmpty = false }: { readonly isEmpty?: boolean } = {}) {
  const path = join(scratchFolder(), 'live.journal');
  writeFileSync(path, isEmpty ? '' : 'pages');
  writeFileSync(`${path}-wal`, 'frames');
  return { path, whereabouts: new Whereabouts(path) };
}

describe('Whereabouts.trouble', () => {
  it('is none while the files are in their place and grow', () => {
    const { path, whereabouts } = filesOf({ isEmpty: true });
    expect(whereabouts.trouble()).toBeUndefined();
    writeFileSync(path, 'pages', { flag: 'a' });
    expect(whereabouts.trouble()).toBeUndefined();
  });

  it('names a file that was deleted, and one that went with its folder', () => {
    const one = filesOf();
    rmSync(`${one.path}-wal`);
    expect(one.whereabouts.trouble()).toBe(
      `${one.path}-wal was deleted or moved while it was written`,
    );
    const other = filesOf();
    const folder = dirname(other.path);
    renameSync(folder, `${folder}-away`);
    expect(other.whereabouts.trouble()).toContain(`${basename(other.path)} was deleted or moved`);
    renameSync(`${folder}-away`, folder);
    expect(other.whereabouts.trouble()).toBeUndefined();
  });

  it('names a file that another one was put in the place of', () => {
    const { path, whereabouts } = filesOf();
    writeFileSync(`${path}.copy`, 'pages');
    renameSync(`${path}.copy`, path);
    expect(whereabouts.trouble()).toBe(`another file was put in the place of ${path}`);
  });

  it('names a file that somebody has emptied, but for its log', () => {
    const { path, whereabouts } = filesOf();
    truncateSync(`${path}-wal`);
    expect(whereabouts.trouble()).toBeUndefined();
    truncateSync(path);
    expect(whereabouts.trouble()).toBe(`somebody has emptied ${path}`);
  });
});

describe('FileJournal.commit', () => {
  const takeAway = (path: string): void => rmSync(path);
  const replace = (path: string): void => {
    rmSync(path);
    writeFileSync(path, '');
  };
  const empty = (path: string): void => truncateSync(path);

  it.each([
    ...[takeAway, replace, empty].map((meddle) => ({ meddle, part: '' })),
    { meddle: takeAway, part: '-wal' },
  ])('fails once its file$part met $meddle.name, and tells of it once', ({ meddle, part }) => {
    const path = scratchPath();
    const clock = new VirtualClock(START_MS);
    const failures: string[] = [];
    const journal = journalOf({ path, clock, onFailure: ({ message }) => failures.push(message) });
    journal.append(tradeEvent(1));
    journal.commit();
    meddle(path + part);
    journal.append(tradeEvent(2));
    clock.advanceBy(200);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatch(
      /^Cannot write the journal .*, the file that this run opened is wanted/,
    );
    expect(() => journal.append(tradeEvent(3))).toThrow(failures[0]);
    journal.close();
  });
});
