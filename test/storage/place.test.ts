import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { journalLine, placeOf, takeLock } from '../../src/storage/index.ts';
import { orderEvent, orderOf } from './events.ts';
import { eventsIn, journalOf, memoryOf, scratchPath, writtenRun } from './fixture.ts';

/** A path with a link to it, to the file or to its folder. */
function linked(to: 'file' | 'folder' | 'link') {
  const folder = join(dirname(scratchPath()), `place-${linkCount++}`);
  mkdirSync(join(folder, 'kept'), { recursive: true });
  const path = join(folder, 'kept', 'a.journal');
  if (to === 'folder') symlinkSync('kept', join(folder, 'other'));
  else symlinkSync('kept/a.journal', join(folder, 'b.journal'));
  if (to === 'link') symlinkSync('b.journal', join(folder, 'c.journal'));
  const names = { file: 'b.journal', folder: 'other/a.journal', link: 'c.journal' };
  return { path, link: join(folder, names[to]) };
}
let linkCount = 0;

const PENDING = orderEvent(orderOf({ status: 'pending' } as never));

describe.each(['file', 'folder', 'link'] as const)('a journal by a link to its %s', (to) => {
  it('has one place, before it is there and afterwards', () => {
    const { path, link } = linked(to);
    const place = placeOf(link);
    expect(place).toBe(join(realpathSync(dirname(path)), 'a.journal'));
    expect(placeOf(path)).toBe(place);
    writeFileSync(path, '');
    expect(placeOf(link)).toBe(place);
    expect(placeOf(path)).toBe(place);
  });

  it('has one lock, taken first by either name', () => {
    const { path, link } = linked(to);
    for (const [one, other] of [
      [path, link],
      [link, path],
    ] as const) {
      const lock = takeLock(one);
      expect(() => takeLock(other)).toThrow(`process ${process.pid} uses it`);
      lock.release();
    }
  });

  it('knows by the other name what left just before a kill', () => {
    const { path, link } = linked(to);
    const journal = journalOf({ path: link });
    journal.append(PENDING);
    journal.commitOrders();
    expect(memoryOf(path).liveOrders.map(({ clientOrderId }) => clientOrderId)).toEqual(['order1']);
    journal.close();
  });
});

describe('a journal that an earlier version kept by a link', () => {
  it('still knows what left just before a kill', () => {
    const { path, link } = linked('file');
    journalOf({ path }).close();
    writeFileSync(`${link}.departures`, `${journalLine(PENDING)}\n`);
    journalOf({ path: link }).close();
    expect(memoryOf(link).liveOrders.map((order) => order.clientOrderId)).toEqual(['order1']);
    journalOf({ path: link }).close();
    expect(memoryOf(link).liveOrders).toHaveLength(1);
    expect(eventsIn(path, 2)).toHaveLength(1);
    expect(eventsIn(path, 3)).toEqual([]);
  });
});

describe('a journal by a name that SQLite knows for something else', () => {
  it.each([':memory:', 'file:a.journal', 'file:a.journal?mode=memory'])('is a file: %s', (path) => {
    const folder = process.cwd();
    process.chdir(dirname(scratchPath()));
    onTestFinished(() => process.chdir(folder));
    writtenRun([PENDING], { path });
    expect(existsSync(path)).toBe(true);
    expect(eventsIn(path)).toHaveLength(1);
  });
});

describe('placeOf', () => {
  it('is the same before and after, where a link in a linked folder leads out of it', () => {
    const { path } = linked('folder');
    const home = dirname(dirname(path));
    symlinkSync('../x.journal', join(home, 'kept', 'out.journal'));
    const name = join(home, 'other', 'out.journal');
    const before = placeOf(name);
    writeFileSync(join(home, 'x.journal'), '');
    expect(placeOf(name)).toBe(before);
  });

  it('ends with links that lead round, and with folders that are not there', () => {
    const { path } = linked('file');
    const round = join(dirname(path), 'round');
    symlinkSync('round', round);
    expect(placeOf(round)).toContain('round');
    const nowhere = join(dirname(path), 'no', 'such', 'a.journal');
    expect(placeOf(nowhere)).toBe(nowhere);
  });
});
