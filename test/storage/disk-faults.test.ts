import { appendFileSync, cpSync, statSync, truncateSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { type Clock, seededRandom, VirtualClock } from '../../src/kernel/index.ts';
import { type Disk, machineDisk } from '../../src/storage/disk.ts';
import { readFrom, StorageError } from '../../src/storage/index.ts';
import { orderEvent, orderOf, requestEvent, START_MS, tradeEvent } from './events.ts';
import { copyJournal, journalOf, memoryOf, scratchPath, verified, writtenRun } from './fixture.ts';

/** The machine's disk, but `beforeWrite` is asked before each statement that may write. */
function watchedDisk(beforeWrite: () => void): Disk {
  return {
    ...machineDisk,
    openLog: (path) => {
      const log = machineDisk.openLog(path);
      const append = (text: Uint8Array): void => {
        beforeWrite();
        log.append(text);
      };
      const empty = (): void => {
        beforeWrite();
        log.empty();
      };
      return { ...log, append, empty };
    },
    open: (path, mode) => {
      const file = machineDisk.open(path, mode);
      const execute = (sql: string): void => {
        beforeWrite();
        file.execute(sql);
      };
      const prepare: typeof file.prepare = (sql) => {
        const statement = file.prepare(sql);
        const run: typeof statement.run = (...values) => {
          beforeWrite();
          statement.run(...values);
        };
        return { ...statement, run };
      };
      return { ...file, execute, prepare };
    },
  };
}

/** Three commits of three events each; reports after each commit how many events are durable. */
function writeNine(options: { path: string; disk: Disk; onDurable?: (events: number) => void }) {
  const journal = journalOf(options);
  for (let commit = 0; commit < 3; commit++) {
    const clientOrderId = `order${commit}`;
    journal.append(requestEvent(START_MS + commit));
    journal.append(orderEvent(orderOf({ clientOrderId, status: 'pending' })));
    journal.append(tradeEvent(commit));
    journal.commit();
    options.onDurable?.((commit + 1) * 3);
  }
  journal.close();
}

/** What a restart finds, checked to be consistent in itself. */
function recoveredFrom(path: string): number {
  const { intact, events } = verified(path);
  const { liveOrders, requestTimes } = memoryOf(path);
  expect({ intact, rest: events % 3 }).toEqual({ intact: true, rest: 0 });
  expect([liveOrders.length, requestTimes.length]).toEqual([events / 3, events / 3]);
  return events;
}

describe('a kill between any two writes', () => {
  it('leaves the last commit whole, and a file that opens', () => {
    const path = scratchPath();
    let durable = 0;
    let opened = false;
    const copies: { copy: string; durable: number }[] = [];
    const disk = watchedDisk(() => {
      if (opened) copies.push({ copy: copyJournal(path), durable });
    });
    journalOf({ path }).close();
    opened = true;
    writeNine({ path, disk, onDurable: (events) => (durable = events) });
    copies.push({ copy: copyJournal(path), durable });
    expect(copies.length).toBeGreaterThan(20);
    for (const { copy, durable } of copies) {
      // A commit may be complete before its caller knows.
      expect([durable, durable + 3]).toContain(recoveredFrom(copy));
      journalOf({ path: copy }).close();
    }
  });

  it('while the very first tables are made leaves a file that opens', () => {
    const path = scratchPath();
    const copies: string[] = [];
    writeNine({ path, disk: watchedDisk(() => copies.push(copyJournal(path))) });
    for (const copy of copies) {
      writtenRun([orderEvent()], { path: copy });
      expect(verified(copy)).toEqual({ intact: true, events: 1 });
    }
  });
});

describe('a torn write', () => {
  it('at any byte of the log leaves some commit whole', () => {
    const path = scratchPath();
    let copy = '';
    writeNine({
      path,
      disk: machineDisk,
      onDurable: (events) => {
        if (events === 9) copy = copyJournal(path);
      },
    });
    const random = seededRandom('torn');
    const size = statSync(`${copy}-wal`).size;
    const found = new Set<number>();
    for (let cut = 0; cut < 40; cut++) {
      const torn = scratchPath();
      cpSync(copy, torn);
      cpSync(`${copy}-wal`, `${torn}-wal`);
      truncateSync(`${torn}-wal`, random.integer(size));
      journalOf({ path: torn }).close();
      const before = memoryOf(torn).liveOrders.length;
      const runs = readFrom(torn, (reader) => reader.runs());
      if (runs.length > 1) expect(verified(torn, 1)).toEqual({ intact: true, events: before * 3 });
      found.add(before);
    }
    expect(found.size).toBeGreaterThan(2);
  });

  it('of an order that was about to leave is not gone on with by the next run', () => {
    const path = scratchPath();
    const torn: Disk = {
      ...machineDisk,
      openLog: (file) => {
        const log = machineDisk.openLog(file);
        const append = (text: Uint8Array): void => {
          log.append(text.subarray(0, text.length / 2));
          throw new Error('the disk took a part only');
        };
        return { ...log, append };
      },
    };
    const first = journalOf({ path, disk: torn });
    first.append(orderEvent(orderOf({ status: 'pending' })));
    expect(() => first.commitOrders()).toThrow('the disk took a part only');
    first.close();
    const second = journalOf({ path });
    second.append(orderEvent(orderOf({ clientOrderId: 'order2', status: 'pending' })));
    second.commitOrders();
    const killed = copyJournal(path);
    second.close();
    journalOf({ path: killed }).close();
    expect(memoryOf(killed).liveOrders.map((order) => order.clientOrderId)).toEqual(['order2']);
  });

  it('in the midst of the orders that left last is told, with what is wanted', () => {
    const path = scratchPath();
    journalOf({ path }).close();
    appendFileSync(`${path}.departures`, '\0\0\0\n');
    const told =
      /^Cannot read .*\.departures, the orders that left last: .*, a whole journal is wanted/;
    expect(() => journalOf({ path })).toThrow(told);
  });
});

describe('a full disk', () => {
  /** Opens well, then fails from the nth write on. */
  function fullDisk(): { disk: Disk; fillAfter: (writes: number) => void } {
    let left = Number.POSITIVE_INFINITY;
    const disk = watchedDisk(() => {
      if (left-- <= 0) throw new Error('database or disk is full');
    });
    return {
      disk,
      fillAfter: (writes) => {
        left = writes;
      },
    };
  }

  it('at any write fails the commit, keeps what was committed and stays failed', () => {
    for (let writes = 0; writes < 7; writes++) {
      const path = scratchPath();
      const { disk, fillAfter } = fullDisk();
      const onFailure = vi.fn();
      const journal = journalOf({ path, disk, onFailure });
      journal.append(orderEvent());
      journal.commit();
      fillAfter(writes);
      const commits = (): void => {
        for (let id = 1; id < 5; id++) {
          journal.append(orderEvent(orderOf({ clientOrderId: `order${id}` })));
          journal.append(tradeEvent(id));
          journal.append(requestEvent(START_MS));
        }
        journal.commit();
      };
      expect(commits).toThrow(`Cannot write the journal ${path}: database or disk is full`);
      expect(() => journal.append(tradeEvent(9))).toThrow(StorageError);
      expect(() => journal.hash()).toThrow(StorageError);
      expect(onFailure).toHaveBeenCalledTimes(1);
      journal.close();
      expect(verified(path)).toEqual({ intact: true, events: 1 });
      expect(memoryOf(path).liveOrders).toHaveLength(1);
      expect(readFrom(path, (reader) => reader.runs()[0]!.ended)).toBeUndefined();
      journalOf({ path }).close();
    }
  });

  it('at a flush by the clock is told at once, and by the next append', () => {
    const { disk, fillAfter } = fullDisk();
    const clock: Clock = new VirtualClock(START_MS);
    const onFailure = vi.fn();
    const journal = journalOf({ disk, clock, onFailure });
    journal.append(tradeEvent(1));
    fillAfter(1);
    (clock as VirtualClock).advanceBy(200);
    expect(onFailure).toHaveBeenCalledTimes(1);
    expect(onFailure.mock.calls[0]![0]).toBeInstanceOf(StorageError);
    expect(() => journal.append(tradeEvent(2))).toThrow('disk is full');
    journal.close();
  });

  it('while closing lets go of the lock all the same', () => {
    const path = scratchPath();
    const { disk, fillAfter } = fullDisk();
    const journal = journalOf({ path, disk });
    journal.append(tradeEvent(1));
    fillAfter(1);
    expect(() => journal.close()).toThrow(StorageError);
    journalOf({ path }).close();
  });
});
