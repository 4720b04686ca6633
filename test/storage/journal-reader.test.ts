import {
  appendFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type OrderState, timeOf } from '../../src/domain/index.ts';
import { DAY_MS, HOUR_MS, VirtualClock } from '../../src/kernel/index.ts';
import { type DatabaseFile, type Disk, machineDisk, type Row } from '../../src/storage/disk.ts';
import { JournalReader, StorageError } from '../../src/storage/index.ts';
import type { EventQuery } from '../../src/storage/journal-reader.ts';
import { lineOf } from '../../src/storage/text/line.ts';
import {
  cancelledOrderOf,
  orderEvent,
  orderOf,
  requestEvent,
  START_MS,
  tradeEvent,
} from './events.ts';
import {
  anyEvent,
  changed,
  eventsIn,
  journalOf,
  killedRun,
  scratchPath,
  writtenRun,
} from './fixture.ts';

describe('JournalReader of a damaged file', () => {
  it.each(['cut off', 'overwritten'])('names the file where it is %s', (damage) => {
    const path = writtenRun(Array.from({ length: 3_000 }, (_, at) => tradeEvent(START_MS + at)));
    const bytes = readFileSync(path);
    const half = Math.floor(bytes.length / 2);
    if (damage === 'cut off') truncateSync(path, half);
    else writeFileSync(path, bytes.fill(7, 4_096));
    const message = expect.stringContaining(`Cannot read the journal ${path}: `);
    const failure = expect.objectContaining({ name: 'StorageError', message });
    expect(() => {
      const reader = new JournalReader(path);
      onTestFinished(() => reader.close());
      reader.runs();
      return [...reader.events()];
    }).toThrow(failure);
  });

  it.each<[string, (reader: JournalReader) => unknown]>([
    ['the end of a run', (reader) => reader.tail(1, 1)],
    ['the basis of a run', (reader) => reader.basis()],
    ['an order', (reader) => reader.order('order1')],
    ['the owner of an order', (reader) => reader.ownerOf('1')],
    ['a snapshot', (reader) => reader.snapshot(START_MS)],
    ['whether it is whole', (reader) => reader.verify()],
  ])('names the file where it is asked for %s', (_, ask) => {
    const path = writtenRun([orderEvent(orderOf())]);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(7, 4_096));
    const reader = new JournalReader(path);
    onTestFinished(() => reader.close());
    expect(() => ask(reader)).toThrow(`Cannot read the journal ${path}: `);
  });
});

describe('JournalReader of a file that is cut short', () => {
  it('refuses one that ends within a page, of which SQLite takes the rest for zeros', () => {
    const path = writtenRun([tradeEvent(1)]);
    truncateSync(path, statSync(path).size - 37);
    expect(() => new JournalReader(path)).toThrow(
      `Cannot read the journal ${path}: its file ends within a page, a whole journal is wanted`,
    );
    expect(() => journalOf({ path })).toThrow(
      `Cannot open the journal ${path}: its file ends within a page, a whole journal is wanted`,
    );
  });
});

it('JournalReader reads what ends within a page where the log beside it has that page', () => {
  const killed = killedRun([tradeEvent(1)]);
  appendFileSync(killed, Buffer.alloc(37));
  expect(eventsIn(killed)).toEqual([tradeEvent(1)]);
});

describe('JournalReader of a line that is none any more', () => {
  it.each([
    ['of an event', 'UPDATE chunks SET body = replace(body, \'"kind":\', \'"kind";\')'],
    ['of an order', 'UPDATE orders SET body = replace(body, \'"kind":\', \'"kind";\')'],
    [
      'of an order that is of something else',
      "UPDATE orders SET body = replace(body, 'order', 'trade')",
    ],
    [
      'of an amount that is no number',
      'UPDATE orders SET body = replace(body, \'"filledValue":"0"\', \'"filledValue":"z"\')',
    ],
    ['of requests', "UPDATE chunks SET requests = '[1;2]'"],
  ])('names the file: %s', (_, sql) => {
    const path = changed(writtenRun([orderEvent(orderOf())]), sql);
    const reader = new JournalReader(path);
    onTestFinished(() => reader.close());
    const wanted = `Cannot read the journal ${path}: `;
    const message = expect.stringMatching(new RegExp(`^${wanted}.*, a whole journal is wanted`));
    const failure = expect.objectContaining({ name: 'StorageError', message });
    expect(() => {
      reader.memory(START_MS);
      return [...reader.events()];
    }).toThrow(failure);
  });
});

/** The machine's disk, and how many reads of it are open. */
function countingDisk() {
  const open = { reads: 0 };
  function* counted(rows: Iterable<Row>) {
    open.reads++;
    try {
      yield* rows;
    } finally {
      open.reads--;
    }
  }
  const disk: Disk = {
    ...machineDisk,
    open: (path, mode) => {
      const file = machineDisk.open(path, mode);
      const prepare: DatabaseFile['prepare'] = (sql) => {
        const statement = file.prepare(sql);
        return { ...statement, iterate: (...values) => counted(statement.iterate(...values)) };
      };
      return { ...file, prepare };
    },
  };
  return { disk, open };
}

describe('JournalReader, of which enough was read', () => {
  it('leaves no read open, which would keep the log from being brought in', () => {
    const path = writtenRun(
      [1, 2, 3].map((at) => tradeEvent(START_MS + at)),
      { each: 1 },
    );
    const { disk, open } = countingDisk();
    const reader = new JournalReader(path, disk);
    onTestFinished(() => reader.close());
    for (const _ of reader.events()) break;
    expect(reader.endedOrderIds({ afterTime: START_MS + 2, nowMs: START_MS + 2 })).toEqual([]);
    expect(open.reads).toBe(0);
  });

  it('leaves none open between two events either: whoever reads them may stand still', () => {
    const path = writtenRun(
      Array.from({ length: 200 }, (_, at) => tradeEvent(START_MS + at)),
      { each: 1 },
    );
    const { disk, open } = countingDisk();
    const reader = new JournalReader(path, disk);
    onTestFinished(() => reader.close());
    const places: number[] = [];
    for (const { sequence } of reader.events()) {
      expect(open.reads).toBe(0);
      places.push(sequence);
    }
    expect(places).toEqual(Array.from({ length: 200 }, (_, at) => at + 1));
  });
});

describe('JournalReader.close', () => {
  /** The suffixes of the files beside a journal. */
  const beside = (path: string): string[] =>
    readdirSync(dirname(path))
      .map((name) => name.replace(basename(path), ''))
      .filter((end) => end.startsWith('-'))
      .sort();
  const read = (path: string) => expect(eventsIn(path)).toHaveLength(1);

  it('leaves nothing beside a journal that nobody writes, by whatever name it was read', () => {
    const path = writtenRun([tradeEvent(1)]);
    const { mtimeMs } = statSync(path);
    read(path);
    const link = join(dirname(path), 'link');
    symlinkSync(path, link);
    read(link);
    expect(beside(path)).toEqual([]);
    expect(readdirSync(dirname(path)).filter((name) => name.startsWith('link'))).toEqual(['link']);
    expect(statSync(path).mtimeMs).toBe(mtimeMs);
  });

  it('leaves nothing once the last of several readers is gone', () => {
    const path = writtenRun([tradeEvent(1)]);
    const readers = [new JournalReader(path), new JournalReader(path)];
    for (const reader of readers) reader.runs();
    for (const reader of readers) reader.close();
    expect(beside(path)).toEqual([]);
  });

  it('takes nothing from a run that goes on, nor of what a killed one has left', () => {
    const path = scratchPath();
    const journal = journalOf({ path });
    onTestFinished(() => journal.close());
    journal.append(tradeEvent(1));
    journal.commit();
    read(path);
    expect(beside(path)).toEqual(['-shm', '-wal']);
    const killed = scratchPath();
    for (const end of ['', '-shm', '-wal']) cpSync(path + end, killed + end);
    const left = readFileSync(`${killed}-wal`);
    read(killed);
    expect(readFileSync(`${killed}-wal`).equals(left)).toBe(true);
    journal.append(tradeEvent(2));
    journal.commit();
  });

  it('leaves alone what a run has begun to write meanwhile', () => {
    const path = writtenRun([tradeEvent(1)]);
    const reader = new JournalReader(path);
    reader.runs();
    const journal = journalOf({ path });
    journal.append(tradeEvent(2));
    reader.close();
    journal.append(tradeEvent(3));
    journal.close();
    expect(beside(path)).toEqual([]);
    expect(eventsIn(path)).toHaveLength(2);
  });
});

describe('JournalReader.snapshot', () => {
  it('is the newest of nothing later than asked for, the last of its day', () => {
    const clock = new VirtualClock(DAY_MS);
    const path = scratchPath();
    const keep = (body: string, until: number): void => {
      const journal = journalOf({ path, clock });
      journal.append(tradeEvent(until));
      journal.keepSnapshot({ until, body });
      journal.close();
    };
    keep('early', 1);
    clock.advanceBy(HOUR_MS);
    keep('late', 2);
    clock.advanceBy(DAY_MS);
    keep('next day', 7);
    const reader = new JournalReader(path);
    expect(reader.snapshot(2)).toBeUndefined();
    expect(reader.snapshot(3)).toEqual({ run: 2, sequence: 1, until: 2, body: 'late' });
    expect(reader.snapshot(7)).toMatchObject({ run: 2 });
    expect(reader.snapshot(8)).toMatchObject({ run: 3, sequence: 1, body: 'next day' });
    reader.close();
  });

  it('is none in a file from before there were any, until it is next written', () => {
    const path = changed(writtenRun([tradeEvent(1)]), 'DROP TABLE snapshots');
    const reader = new JournalReader(path);
    expect(reader.snapshot(Number.POSITIVE_INFINITY)).toBeUndefined();
    const journal = journalOf({ path });
    journal.keepSnapshot({ until: 5, body: 'now' });
    journal.close();
    expect(reader.snapshot(6)).toMatchObject({ run: 2, sequence: 0, body: 'now' });
    reader.close();
  });
});

describe('JournalReader.events', () => {
  it('finds what a filter over all events finds', () => {
    const kinds = fc.subarray(['order', 'fill', 'depth', 'run'] as const, { minLength: 1 });
    fc.assert(
      fc.property(fc.array(anyEvent, { minLength: 5 }), kinds, (events, wanted) => {
        const path = writtenRun(events, { each: 3 });
        const since = timeOf(events[1]!);
        const until = timeOf(events[3]!);
        const query: EventQuery = { kinds: wanted, market: 'btc_usdt', since, until };
        const expected = events.filter(
          (event) =>
            wanted.some((kind) => kind === event.kind) &&
            'market' in event &&
            event.market === 'btc_usdt' &&
            timeOf(event) >= since &&
            timeOf(event) < until,
        );
        const reader = new JournalReader(path);
        const found = [...reader.events(query)].map(({ event }) => lineOf(event));
        expect(found).toEqual(expected.map(lineOf));
        expect([...reader.events()].map(({ sequence }) => sequence)).toEqual(
          events.map((_, index) => index + 1),
        );
        reader.close();
      }),
      { seed: 4, numRuns: 20 },
    );
  });

  it('are those behind a place in the run, wherever its chunks begin', () => {
    const events = Array.from({ length: 20 }, (_, index) => tradeEvent(index));
    const path = writtenRun(events, { each: 3 });
    const reader = new JournalReader(path);
    for (let after = 0; after <= 21; after++) {
      const found = [...reader.events({ after })].map(({ sequence }) => sequence);
      expect(found).toEqual(events.map((_, index) => index + 1).filter((place) => place > after));
    }
    reader.close();
  });

  it('are those that hold a text, as they were given it, whatever is beside them', () => {
    const ids = ['order1', 'a "quoted" order', 'order2'];
    const events = ids.flatMap((clientOrderId) => [
      orderEvent(orderOf({ clientOrderId })),
      requestEvent(START_MS),
    ]);
    const reader = new JournalReader(writtenRun(events, { each: 3 }));
    const found = [...reader.events({ texts: ids.slice(1) })];
    expect(found.map(({ sequence }) => sequence)).toEqual([3, 5]);
    reader.close();
  });

  it('are those of one run', () => {
    const path = writtenRun([tradeEvent(1)]);
    writtenRun([orderEvent()], { path });
    const reader = new JournalReader(path);
    const kinds = (query: EventQuery) => [...reader.events(query)].map(({ event }) => event.kind);
    expect(kinds({})).toEqual(['order']);
    expect(kinds({ run: 1 })).toEqual(['trade']);
    expect(() => kinds({ run: 3 })).toThrow('Cannot read the run 3: there is none of that number');
    reader.close();
  });
});

describe('JournalReader.verify', () => {
  const events = [tradeEvent(1), tradeEvent(2), orderEvent(), tradeEvent(3)];

  it('finds an untouched run intact', () => {
    expect(new JournalReader(writtenRun(events)).verify()).toEqual({ intact: true, events: 4 });
  });

  it('finds a changed, a swapped and a removed line, by the write that they came with', () => {
    const brokenAt = (sql: string): number | undefined => {
      const reader = new JournalReader(changed(writtenRun(events, { each: 2 }), sql));
      const { intact, brokenAt } = reader.verify();
      expect(intact).toBe(brokenAt === undefined);
      return brokenAt;
    };
    expect(brokenAt('UPDATE chunks SET first = first')).toBeUndefined();
    expect(brokenAt("UPDATE chunks SET body = replace(body, '42000', '42001')")).toBe(1);
    expect(brokenAt("UPDATE chunks SET body = replace(body, 'maker', 'taker')")).toBe(3);
    expect(brokenAt("UPDATE chunks SET body = body || char(10) || '{}' WHERE first = 1")).toBe(1);
    const swap =
      'UPDATE chunks SET body = (SELECT body FROM chunks AS other WHERE first <> chunks.first)';
    expect(brokenAt(swap)).toBe(1);
    expect(brokenAt('DELETE FROM chunks WHERE first = 1')).toBe(1);
    expect(brokenAt('DELETE FROM chunks WHERE first = 3')).toBe(3);
    expect(brokenAt("UPDATE chunks SET othersHash = '' WHERE first = 3")).toBe(3);
    expect(brokenAt("UPDATE runs SET hash = ''")).toBe(5);
  });
});

describe('JournalReader', () => {
  it('refuses what is not there', () => {
    expect(() => new JournalReader(scratchPath())).toThrow(StorageError);
  });

  it('finds an empty journal empty', () => {
    const reader = new JournalReader(writtenRun([]));
    expect([...reader.events()]).toEqual([]);
    expect(reader.verify()).toEqual({ intact: true, events: 0 });
    expect(reader.runs()).toHaveLength(1);
    reader.close();
  });
});

describe('JournalReader.endedOrderIds', () => {
  it('names what ended since, in all runs, filled or not', () => {
    const at = (exchangeOrderId: string, afterMs: number) => {
      return { exchangeOrderId, changedTime: START_MS + afterMs };
    };
    const path = scratchPath();
    const filled = { ...orderOf(at('3', 20)), status: 'filled' } as OrderState;
    const runs = [
      [cancelledOrderOf(at('1', 0))],
      [cancelledOrderOf(at('2', 10)), orderOf(at('2', 10))],
      [filled, orderOf(at('4', 21))],
    ];
    for (const orders of runs) writtenRun(orders.map(orderEvent), { path });
    const reader = new JournalReader(path);
    const nowMs = START_MS + 30;
    expect(reader.endedOrderIds({ afterTime: START_MS, nowMs })).toEqual(['3', '2']);
    expect(reader.endedOrderIds({ afterTime: nowMs, nowMs })).toEqual([]);
    reader.close();
  });

  it('names them past a run whose date was far behind, none of one that was far ahead', () => {
    const path = scratchPath();
    for (const afterMs of [DAY_MS, 0, -HOUR_MS, 1]) {
      const changedTime = START_MS + afterMs;
      const exchangeOrderId = String(afterMs);
      writtenRun([orderEvent(cancelledOrderOf({ exchangeOrderId, changedTime }))], { path });
    }
    const reader = new JournalReader(path);
    const span = { afterTime: START_MS - 1, nowMs: START_MS + 2 };
    expect(reader.endedOrderIds(span)).toEqual(['1', '0']);
    reader.close();
  });
});

describe('JournalReader.tail', () => {
  /** A journal with one run; each write has the events of some seconds. */
  const readerOf = (...writes: readonly (readonly number[])[]) => {
    const path = scratchPath();
    const journal = journalOf({ path });
    for (const seconds of writes) {
      for (const second of seconds) journal.append(tradeEvent(1_000 * second));
      journal.commit();
    }
    journal.close();
    const reader = new JournalReader(path);
    onTestFinished(() => reader.close());
    return reader;
  };

  it('tells where the last seconds of a run begin, whole writes of it', () => {
    const reader = readerOf([0, 10], [20, 30], [40]);
    const lastTime = START_MS + 40_000;
    expect(reader.tail(1, 0)).toEqual({ first: 5, lastTime, elapsedMs: 0 });
    expect(reader.tail(1, 20_000)).toEqual({ first: 3, lastTime, elapsedMs: 20_000 });
    expect(reader.tail(1, 20_001)).toEqual({ first: 1, lastTime, elapsedMs: 40_000 });
    expect(reader.tail(1, 999_999)).toEqual({ first: 1, lastTime, elapsedMs: 40_000 });
  });

  it('counts a time without events, or back, as a minute or nothing: the date was set', () => {
    expect(readerOf([0], [9_000], [9_010]).tail(1, 999_999)?.elapsedMs).toBe(70_000);
    expect(readerOf([9_000], [0, 5]).tail(1, 999_999)?.elapsedMs).toBe(5_000);
  });

  it('knows none of a run without events', () => {
    expect(readerOf().tail(1, 1_000)).toBeUndefined();
  });
});
