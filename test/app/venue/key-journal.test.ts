import {
  chmodSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/app/errors.ts';
import { followJournal } from '../../../src/app/venue/key-journal.ts';
import { silentLogger } from '../../../src/kernel/index.ts';
import { keptLines } from '../../kernel/fixture.ts';
import { byNobody } from '../../nobody.ts';
import { runEvent, START_MS } from '../../storage/events.ts';
import { journalOf, killedRun, writtenRun } from '../../storage/fixture.ts';
import { scratchFolder } from '../fixture.ts';

const KEY_JOURNAL = new URL('../../../src/app/venue/key-journal.ts', import.meta.url).href;

/** A key, and journals of runs that were killed or ended in order. */
function key() {
  const folder = scratchFolder();
  const lock = { path: join(folder, 'key'), release: () => {} };
  const { lines: warnings, logger } = keptLines();
  const follow =
    (journal: string, deployment = 'live') =>
    () =>
      followJournal(lock, { deployment, journal, logger })();
  const ended = (status: 'running' | 'starting' = 'running') => writtenRun([runEvent(status)]);
  const killed = () => killedRun();
  return { lock, logger, warnings, follow, killed, ended, fresh: join(folder, 'fresh.journal') };
}

it('followJournal takes no journal for gone whose folder is closed to this user', () => {
  const { lock, follow, ended, fresh } = key();
  const former = ended();
  follow(former)();
  chmodSync(dirname(lock.path), 0o777);
  chmodSync(dirname(former), 0);
  const { stdout } = byNobody(
    `import { followJournal } from ${JSON.stringify(KEY_JOURNAL)};
    const [, path, journal] = process.argv;
    const logger = { warn: (_, text) => console.log(text) };
    try {
      followJournal({ path }, { deployment: 'live', journal, logger });
    } catch ({ message }) {
      console.log(message);
    }`,
    lock.path,
    fresh,
  );
  chmodSync(dirname(former), 0o700);
  expect(stdout).toContain(
    `Cannot start live with the journal ${fresh}: its last run with this key`,
  );
});

describe('followJournal', () => {
  it('refuses to begin another journal than that of the run before, and names both', () => {
    const { follow, ended, fresh } = key();
    const former = ended();
    follow(former)();
    expect(follow(former)).not.toThrow();
    expect(follow(fresh)).toThrow(AppError);
    expect(follow(fresh)).toThrow(
      `Cannot start live with the journal ${fresh}: its last run with this key kept ${former}, ` +
        'which knows its orders, positions and losses; go on with that journal ' +
        `(--set journal.path=${former}, or start in the folder of that run), or move it away`,
    );
    expect(follow(fresh)).toThrow(expect.objectContaining({ exitCode: 3 }));
    expect(existsSync(fresh)).toBe(false);
  });

  it('asks for no journal of refused starts alone, though it was noted', () => {
    const { follow, ended, killed } = key();
    const refused = ended('starting');
    follow(refused)();
    const dead = killed();
    expect(follow(dead)).not.toThrow();
    expect(follow(refused)).toThrow(`kept ${dead}`);
  });

  it('lets a deployment change between journals that are there, but not after a kill', () => {
    const { follow, ended, killed } = key();
    const [one, other, dead] = [ended(), ended(), killed()];
    for (const journal of [one, other, one, dead]) expect(follow(journal)).not.toThrow();
    expect(follow(one)).toThrow(`kept ${dead}`);
  });

  it('lets none go that ended halted, nor any for a file that holds no run', () => {
    const { follow, ended, fresh } = key();
    const other = ended();
    const halted = writtenRun([
      runEvent('running'),
      { kind: 'tradingState', time: START_MS, state: 'HALTED', reason: 'a loss' },
    ]);
    follow(halted)();
    expect(follow(other)).toThrow(`kept ${halted}`);
    const { follow: followElsewhere } = key();
    followElsewhere(other)();
    writeFileSync(fresh, '');
    expect(followElsewhere(fresh)).toThrow(`kept ${other}`);
  });

  it('lets begin anew where the journal before was moved away', () => {
    const { follow, killed, fresh } = key();
    const former = killed();
    follow(former)();
    renameSync(former, `${former}.old`);
    expect(follow(fresh)).not.toThrow();
  });
});

describe('followJournal, of a journal that is lost in its own place', () => {
  it('refuses the one that it kept where that is empty now, and goes on with a copy of it', () => {
    const { follow, ended } = key();
    const journal = ended();
    const whole = readFileSync(journal);
    follow(journal)();
    truncateSync(journal, 0);
    expect(follow(journal)).toThrow(
      `Cannot open the journal ${journal}: it is empty, and the last run of live with this key kept ` +
        'its orders, positions and losses there; a whole one is wanted, or that it is moved away once ' +
        'its orders and positions are looked after',
    );
    expect(follow(journal)).toThrow(expect.objectContaining({ exitCode: 7 }));
    writeFileSync(journal, whole);
    expect(follow(journal)).not.toThrow();
  });

  it('takes an empty one that it never kept, and one of which all is in its log', () => {
    const { follow, killed, fresh } = key();
    writeFileSync(fresh, '');
    expect(follow(fresh, 'another')).not.toThrow();
    const dead = killed();
    follow(dead)();
    truncateSync(dead, 0);
    expect(statSync(`${dead}-wal`).size).toBeGreaterThan(0);
    expect(follow(dead)).not.toThrow();
  });

  it('refuses one of which the beginning is left, without the log that has all that was written', () => {
    const { follow, killed } = key();
    const dead = killed();
    follow(dead)();
    rmSync(`${dead}-wal`);
    expect(statSync(dead).size).toBeGreaterThan(0);
    expect(follow(dead)).toThrow(`Cannot open the journal ${dead}: it is empty, and the last run`);
    expect(follow(dead)).toThrow(expect.objectContaining({ exitCode: 7 }));
  });

  it('refuses to begin anew beside the log of one that was moved without it', () => {
    const { follow, killed } = key();
    const dead = killed();
    follow(dead)();
    renameSync(dead, `${dead}.moved`);
    expect(follow(dead)).toThrow(
      `Cannot open the journal ${dead}: it is gone, but ${dead}-wal, in which the last run of live ` +
        'with this key kept its newest events, is still there; put the journal back in its place, ' +
        'or move that file away as well',
    );
    expect(follow(dead)).toThrow(expect.objectContaining({ exitCode: 7 }));
    renameSync(`${dead}.moved`, dead);
    expect(follow(dead)).not.toThrow();
  });

  it('warns where it is gone that this run knows nothing of it, and once another is kept no more', () => {
    const { follow, ended, fresh, warnings } = key();
    const former = ended();
    follow(former)();
    rmSync(former);
    follow(former)();
    const lost =
      `the journal ${former}, which the last run of live with this key kept, is gone: this run begins ` +
      'without its orders, positions, losses and halts';
    expect(warnings).toEqual([lost]);
    follow(fresh)();
    expect(warnings).toEqual([lost, lost]);
    follow(ended())();
    expect(warnings).toHaveLength(2);
  });
});

describe('followJournal, of what it noted of the last run', () => {
  it('warns of an older copy of it, which does not have the last run', () => {
    const { follow, ended, warnings } = key();
    const journal = ended();
    const older = readFileSync(journal);
    follow(journal)();
    journalOf({ path: journal }).close();
    follow(journal)();
    follow(journal)();
    expect(warnings).toEqual([]);
    writeFileSync(journal, older);
    follow(journal)();
    expect(warnings).toEqual([
      `the journal ${journal} is an older copy of the one that the last run of live with this key ` +
        'kept: it lacks that run, with its orders, fills, losses and halts',
    ]);
    follow(journal)();
    expect(warnings).toHaveLength(1);
  });

  it('goes on from a note of the path alone', () => {
    const { follow, ended, fresh, lock, warnings } = key();
    const journal = ended();
    writeFileSync(`${lock.path}.journals`, JSON.stringify({ live: journal }));
    expect(follow(fresh)).toThrow(`kept ${journal}`);
    follow(journal)();
    expect(warnings).toEqual([]);
  });
});

describe('followJournal, of a start that was refused', () => {
  it('notes nothing until it is told that the key was taken', () => {
    const { lock, logger, follow, ended } = key();
    const [refused, right] = [ended('starting'), ended()];
    followJournal(lock, { deployment: 'live', logger, journal: refused });
    expect(follow(right)).not.toThrow();
    expect(() => followJournal(lock, { deployment: 'live', logger, journal: refused })).toThrow(
      `kept ${right}`,
    );
  });

  it('takes it neither for a run of the other journal, nor for the end of a killed one', () => {
    const { lock, logger, follow, ended, killed } = key();
    const [former, refused, other, dead] = [ended(), ended('starting'), ended(), killed()];
    follow(former)();
    expect(follow(refused)).toThrow(`kept ${former}`);
    follow(dead)();
    const start = journalOf({ path: dead });
    start.append(runEvent('starting'));
    start.close();
    expect(() => followJournal(lock, { deployment: 'live', logger, journal: other })).toThrow(
      `kept ${dead}`,
    );
  });
});

describe('followJournal, of one place under several names', () => {
  it('knows a journal by whatever link leads to its folder', () => {
    const { lock, follow, killed } = key();
    const journal = killed();
    const link = `${lock.path}-link`;
    symlinkSync(dirname(journal), link);
    follow(journal)();
    expect(follow(join(link, basename(journal)))).not.toThrow();
  });

  it('knows each deployment by its name', () => {
    const { follow, killed, fresh } = key();
    follow(killed())();
    expect(follow(fresh, 'another')).not.toThrow();
    expect(follow(fresh)).toThrow('Cannot start live');
  });

  it('warns a deployment that begins anew of what the last one with this key knew', () => {
    const { follow, killed, ended, fresh, warnings } = key();
    const [older, dead] = [ended(), killed()];
    follow(older, 'older')();
    follow(dead)();
    follow(fresh, 'renamed')();
    const begins =
      `renamed begins a journal: the last run with this key was of live and kept ${dead}, ` +
      'whose orders, positions, losses and halts this run does not know; if the deployment was ' +
      `renamed, go on with that journal (--set journal.path=${dead})`;
    expect(warnings).toEqual([begins]);
    follow(dead, 'another')();
    follow(ended(), 'one more')();
    expect(warnings).toEqual([begins]);
  });

  it('knows a journal by a link to its file', () => {
    const { lock, follow, killed } = key();
    const journal = killed();
    const link = `${lock.path}-link`;
    symlinkSync(journal, link);
    follow(journal)();
    expect(follow(link)).not.toThrow();
  });

  it('knows a journal by a link that led nowhere when it was begun', () => {
    const { lock, follow, fresh } = key();
    const link = `${lock.path}-link`;
    symlinkSync(fresh, link);
    expect(follow(link)).not.toThrow();
    journalOf({ path: fresh }).close();
    for (const journal of [link, fresh]) expect(follow(journal)).not.toThrow();
  });

  it('knows a deployment named constructor like any other', () => {
    const { follow, killed, fresh } = key();
    expect(follow(fresh, 'constructor')).not.toThrow();
    follow(killed(), 'constructor')();
    expect(follow(fresh, 'constructor')).toThrow('Cannot start constructor');
  });
});

describe('followJournal, of its note', () => {
  it('refuses where nobody can read what was noted, and where nothing can be', () => {
    const { lock, follow, killed, fresh } = key();
    follow(killed())();
    const notes = `${lock.path}.journals`;
    writeFileSync(notes, '[1');
    expect(follow(fresh)).toThrow(
      new RegExp(`^Cannot read ${notes}, the list .*; restore it, or remove it if`),
    );
    expect(follow(fresh)).toThrow(expect.objectContaining({ exitCode: 3 }));
    writeFileSync(notes, '{"live":{"place":"live.journal"}}');
    expect(follow(fresh)).toThrow(
      'with this key: it is no such list, or one of another version; restore it',
    );
    const nowhere = { ...lock, path: join(fresh, 'key') };
    const used = { deployment: 'live', journal: fresh, logger: silentLogger };
    expect(followJournal(nowhere, used)).toThrow(/^Cannot note in .* which journal is kept/);
  });
});
