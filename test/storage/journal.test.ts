import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, Decimal, HOUR_MS, VirtualClock } from '../../src/kernel/index.ts';
import {
  BY_HAND,
  HashJournal,
  JournalReader,
  MARKET_DATA_KINDS,
  readFrom,
  StorageError,
  storageConfig,
  takeLock,
} from '../../src/storage/index.ts';
import { scratchFolder } from '../scratch-folder.ts';
import {
  cancelledOrderOf,
  filledEvents,
  orderEvent,
  orderOf,
  requestEvent,
  START_MS,
  tradeEvent,
} from './events.ts';
import {
  anyEvent,
  changed,
  copyJournal,
  eventsIn,
  journalOf,
  killedRun,
  memoryOf,
  rowsOf,
  scratchPath,
  writtenRun,
} from './fixture.ts';

/** The names of the indexes that the journal has made, in their order. */
function indexesOf(path: string): string[] {
  const sql =
    "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name";
  return rowsOf(path, sql).map(({ name }) => String(name));
}

describe('FileJournal.commit', () => {
  it('shows a reader what was committed, while it goes on', () => {
    const path = scratchPath();
    const journal = journalOf({ path });
    journal.append(tradeEvent(1));
    expect(eventsIn(path)).toEqual([]);
    journal.commit();
    expect(eventsIn(path)).toEqual([tradeEvent(1)]);
    journal.append(tradeEvent(2));
    journal.close();
    expect(eventsIn(path)).toEqual([tradeEvent(1), tradeEvent(2)]);
  });

  it('flushes by the clock, and leaves the clock alone while nothing is pending', () => {
    const path = scratchPath();
    const clock = new VirtualClock(START_MS);
    const journal = journalOf({ path, clock, flushIntervalMs: 200 });
    expect(clock.nextDueMs).toBeUndefined();
    journal.append(tradeEvent(1));
    clock.advanceBy(199);
    expect(eventsIn(path)).toHaveLength(0);
    clock.advanceBy(1);
    expect(eventsIn(path)).toHaveLength(1);
    expect(clock.nextDueMs).toBeUndefined();
    journal.close();
  });

  it("writes in the clock's next turn when 250 events are pending, and none before", () => {
    const path = scratchPath();
    const clock = new VirtualClock(START_MS);
    const journal = journalOf({ path, clock });
    for (let id = 0; id < 250; id++) journal.append(tradeEvent(id));
    expect(eventsIn(path)).toHaveLength(0);
    clock.advanceBy(0);
    expect(eventsIn(path)).toHaveLength(250);
    journal.append(tradeEvent(250));
    clock.advanceBy(199);
    expect(eventsIn(path)).toHaveLength(250);
    journal.close();
    expect(eventsIn(path)).toHaveLength(251);
  });

  it('leaves market data out where it is told to', () => {
    const path = writtenRun([tradeEvent(1), orderEvent()], { marketData: false });
    expect(eventsIn(path).map(({ kind }) => kind)).toEqual(['order']);
  });
});

describe('a kill between two events', () => {
  it.each([246, 247, 248, 249, 250])(
    'holds an order that ended with its fill or not at all, killed after any event (%i before it)',
    (before) => {
      const path = scratchPath();
      const clock = new VirtualClock(START_MS);
      const journal = journalOf({ path, clock });
      journal.append(orderEvent());
      journal.commit();
      for (let id = 0; id < before; id++) journal.append(tradeEvent(id));
      const killed = () => {
        const copy = copyJournal(path);
        const fills = eventsIn(copy).filter(({ kind }) => kind === 'fill').length;
        const { liveOrders } = memoryOf(copy);
        return { live: liveOrders.length, fills };
      };
      for (const event of filledEvents()) {
        journal.append(event);
        journal.commitOrders();
        expect(killed()).toEqual({ live: 1, fills: 0 });
      }
      clock.advanceBy(200);
      expect(killed()).toEqual({ live: 0, fills: 1 });
      journal.close();
    },
  );
});

describe('FileJournal.hash', () => {
  it('is that of a journal in memory, whenever it is committed', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyEvent, fc.boolean())), fc.boolean(), (steps, marketData) => {
        const journal = journalOf({ marketData });
        const memory = new HashJournal({ leavesOut: new Set(marketData ? [] : MARKET_DATA_KINDS) });
        for (const [event, commits] of steps) {
          journal.append(event);
          memory.append(event);
          if (commits) journal.commit();
        }
        expect(journal.hash()).toBe(memory.hash());
        journal.close();
      }),
      { seed: 3, numRuns: 25 },
    );
  });

  it('starts every run with a chain of its own', () => {
    const path = scratchPath();
    const hashes = [1, 2].map(() => {
      const journal = journalOf({ path });
      journal.append(orderEvent());
      const hash = journal.hash();
      journal.close();
      return hash;
    });
    expect(hashes[0]).toBe(hashes[1]);
    expect(readFrom(path, (reader) => reader.runs())).toMatchObject([
      { id: 1, configHash: 'config', started: START_MS, ended: START_MS, hash: hashes[0] },
      { id: 2, hash: hashes[1] },
    ]);
  });
});

describe('FileJournal', () => {
  it('refuses a second journal on the same file until the first is closed', () => {
    const path = scratchPath();
    const journal = journalOf({ path });
    const since = new Date(START_MS).toISOString().slice(0, 19).replace('T', ' ');
    expect(() => journalOf({ path })).toThrow(
      `Cannot open the journal ${path}: process ${process.pid} uses it (newest run: since ` +
        `${since} UTC), one at a time is wanted: its lock ends with that process`,
    );
    journal.close();
    journalOf({ path }).close();
  });

  it('names the deployment of the newest run, and no process that is dead', () => {
    const path = scratchPath();
    const basis = { seed: 'a', file: '/bots/live.yaml', config: {}, markets: [] };
    const journal = journalOf({ path, basis });
    const dead = spawnSync(process.execPath, ['--version']).pid;
    writeFileSync(`${path}.owner`, `${dead}`);
    expect(() => journalOf({ path })).toThrow(
      `Cannot open the journal ${path}: another process uses it (newest run: of /bots/live.yaml, `,
    );
    journal.close();
  });

  it('names no run by hand as the newest', () => {
    const path = scratchPath();
    journalOf({
      path,
      basis: { seed: 'a', file: '/bots/live.yaml', config: {}, markets: [] },
    }).close();
    const byHand = journalOf({ path, configHash: BY_HAND });
    expect(() => journalOf({ path })).toThrow('(newest run: of /bots/live.yaml, since');
    byHand.close();
  });
});

describe('FileJournal, of a file that is there,', () => {
  it('refuses a file that is no journal', () => {
    const text = scratchPath();
    writeFileSync(text, 'something else, long enough to be read as a header of a database file');
    expect(() => journalOf({ path: text })).toThrow(
      `Cannot open the journal ${text}: it is no journal, one of Tradewind is wanted`,
    );
    expect(() => new JournalReader(text)).toThrow('it is no journal, one of Tradewind is wanted');
    const foreign = changed(scratchPath(), 'CREATE TABLE things (id)');
    expect(() => journalOf({ path: foreign })).toThrow(/it is no journal, one of Tradewind is wan/);
    expect(() => new JournalReader(foreign)).toThrow(StorageError);
    const folder = scratchFolder();
    expect(() => journalOf({ path: folder })).toThrow('it is a folder, a file is wanted');
  });

  it('says what is wanted in place of one that is damaged, and leaves it as it is', () => {
    const path = scratchPath();
    journalOf({ path }).close();
    truncateSync(path, 5_000);
    const before = readFileSync(path);
    const wanted =
      /^Cannot open the journal .*: .*, a whole journal is wanted, or that it is moved away/;
    expect(() => journalOf({ path })).toThrow(wanted);
    expect(readFileSync(path)).toEqual(before);
  });

  it('lays nothing beside a file that is no journal, and leaves it as it is', () => {
    const text = scratchPath();
    writeFileSync(text, '# Read me');
    const foreign = changed(scratchPath(), 'CREATE TABLE things (id)');
    for (const path of [text, foreign]) {
      const before = readFileSync(path);
      expect(() => takeLock(path)).toThrow(StorageError);
      expect(readdirSync(dirname(path))).toEqual([basename(path)]);
      expect(readFileSync(path)).toEqual(before);
    }
  });

  it('takes an empty file, and one that was killed with all it wrote in its log', () => {
    const path = scratchPath();
    writeFileSync(path, '');
    const killed = journalOf({ path });
    const copy = copyJournal(path);
    killed.close();
    expect(readFileSync(copy).indexOf('TWJ1')).toBe(-1);
    journalOf({ path: copy }).close();
  });

  it('refuses a journal of a newer version and lets go of it', () => {
    const path = scratchPath();
    journalOf({ path }).close();
    changed(path, 'PRAGMA user_version = 4');
    expect(() => journalOf({ path })).toThrow('its version is 4, 3 is wanted');
    changed(path, 'PRAGMA user_version = 3');
    journalOf({ path }).close();
  });

  it('makes no folder', () => {
    // Below the second, where the system takes none, Node's recursive way never ends.
    for (const folder of [join(scratchFolder(), 'none'), '/proc/none/var']) {
      const path = join(folder, 'bot.journal');
      expect(() => journalOf({ path })).toThrow(
        `Cannot open the journal ${path}: there is no folder ${folder}, one is wanted`,
      );
      expect(existsSync(folder)).toBe(false);
    }
  });
});

describe('FileJournal.close', () => {
  it('takes nothing once closed, and closes twice', () => {
    const journal = journalOf();
    journal.close();
    journal.close();
    expect(() => journal.append(orderEvent())).toThrow('it is closed, an open one is wanted');
    expect(() => journal.hash()).toThrow(StorageError);
  });
});

describe('JournalReader.memory', () => {
  it('remembers the orders whose story is not over, in their newest state, over all runs', () => {
    const path = scratchPath();
    const first = journalOf({ path });
    const nothing = { liveOrders: [], guessedOrders: [], requestTimes: [] };
    expect(memoryOf(path)).toEqual({ ...nothing, aliveTimes: new Map() });
    for (const clientOrderId of ['order1', 'order2', 'order3']) {
      first.append(orderEvent(orderOf({ clientOrderId, status: 'pending' })));
    }
    first.append(orderEvent(cancelledOrderOf({ clientOrderId: 'order2' })));
    first.close();
    writtenRun([orderEvent(orderOf({ clientOrderId: 'order3', status: 'open' }))], { path });
    const { liveOrders } = memoryOf(path);
    expect(liveOrders.map(({ clientOrderId, status }) => [clientOrderId, status])).toEqual([
      ['order1', 'pending'],
      ['order3', 'open'],
    ]);
    readFrom(path, (reader) => {
      expect(reader.order('order2')?.status).toBe('cancelled');
      expect(reader.order('order9')).toBeUndefined();
    });
  });

  it('remembers until when the run lived that left an order', () => {
    const open = (clientOrderId: string) => orderEvent(orderOf({ clientOrderId, status: 'open' }));
    const until = START_MS + HOUR_MS;
    const path = writtenRun([open('older'), requestEvent(until)], { each: 1 });
    writtenRun([open('newer'), requestEvent(until + 1)], { path, each: 1 });
    expect([...memoryOf(path).aliveTimes]).toEqual([
      ['older', until],
      ['newer', until + 1],
    ]);
  });

  it('remembers the request times of the last hour', () => {
    const times = [-2 * HOUR_MS, -HOUR_MS, 1 - HOUR_MS, -1, -1];
    const requests = times.map((offset) => requestEvent(START_MS + offset));
    const path = writtenRun(requests, { each: 1 });
    const offsets = memoryOf(path).requestTimes.map((time) => time - START_MS);
    expect(offsets).toEqual([1 - HOUR_MS, -1, -1]);
  });

  it('remembers them past a run whose date was far behind, none of one that was far ahead', () => {
    const path = scratchPath();
    for (const offset of [DAY_MS, -30_000, -HOUR_MS, -2 * HOUR_MS, -1]) {
      writtenRun([requestEvent(START_MS + offset)], { path });
    }
    const offsets = memoryOf(path).requestTimes.map((time) => time - START_MS);
    expect(offsets).toEqual([-30_000, -1]);
  });

  it('remembers when orders left whose run was killed first, also once they are taken over', () => {
    const left = [requestEvent(START_MS - 1), orderEvent(orderOf({ status: 'pending' }))];
    const killed = killedRun(left, 'commitOrders');
    expect(memoryOf(killed).requestTimes).toEqual([START_MS]);
    journalOf({ path: killed }).close();
    expect(memoryOf(killed).requestTimes).toEqual([START_MS]);
  });
});

describe('JournalReader.memory of guessed fees', () => {
  it('holds the newest plain limits that were over while their fee was a guess', () => {
    const path = scratchPath();
    const first = journalOf({ path });
    const fee = Decimal.of('0.001');
    const guessed = (clientOrderId: string) =>
      cancelledOrderOf({ clientOrderId, fee, guessedFee: Decimal.ZERO });
    for (let id = 0; id < 4_002; id++) {
      first.append(orderEvent(guessed(`order${id}`)));
      for (const type of ['postOnly', 'ioc'] as const) {
        const clientOrderId = `${type}${id}`;
        first.append(orderEvent(cancelledOrderOf({ clientOrderId, type, fee, guessedFee: fee })));
      }
    }
    first.append(orderEvent(orderOf({ clientOrderId: 'live', fee, guessedFee: fee })));
    first.append(orderEvent(cancelledOrderOf({ clientOrderId: 'order50', fee })));
    first.close();
    const { guessedOrders, liveOrders } = memoryOf(path);
    const ids = Array.from({ length: 4_002 }, (_, id) => `order${id}`);
    expect(guessedOrders.map(({ clientOrderId }) => clientOrderId)).toEqual(
      ids.filter((id) => id !== 'order50').slice(-4_000),
    );
    expect(guessedOrders[0]).toEqual(guessed('order1'));
    expect(liveOrders.map(({ clientOrderId }) => clientOrderId)).toEqual(['live']);
  });

  it.each([
    ['late fees were told', 'recalled', 20_480],
    ['positions were set by hand', 'recalled8409088', 8_409_088],
  ])('finds its way in a file that was made before %s', (_, index, kinds) => {
    const path = scratchPath();
    journalOf({ path }).close();
    const [recalled] = indexesOf(path).filter((name) => name.startsWith('recalled'));
    changed(path, `DROP INDEX ${recalled}; DROP INDEX guessedOrders; DROP INDEX marketData`);
    changed(path, `CREATE INDEX ${index} ON chunks (run, first) WHERE kinds & ${kinds} <> 0`);
    expect(memoryOf(path).guessedOrders).toEqual([]);
    journalOf({ path }).close();
    expect(indexesOf(path)).toEqual(['guessedOrders', 'liveOrders', 'marketData', recalled]);
  });
});

describe('HashJournal', () => {
  it('takes no events once closed', () => {
    const journal = new HashJournal();
    const empty = journal.hash();
    journal.append(orderEvent());
    journal.commit();
    const hash = journal.hash();
    expect(hash).not.toBe(empty);
    journal.close();
    expect(() => journal.append(orderEvent())).toThrow(StorageError);
    expect(journal.hash()).toBe(hash);
  });
});

describe('storageConfig', () => {
  it('has a default for everything', () => {
    expect(storageConfig.parse({})).toEqual({
      durability: 'normal',
      flushIntervalMs: 200,
      marketData: true,
    });
    expect(() => storageConfig.parse({ durable: true })).toThrow();
  });
});
