import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TradingEvent } from '../../src/domain/index.ts';
import { type EventQuery, openJournalReader, StorageError } from '../../src/storage/index.ts';
import { lineOf, timeOf } from '../../src/storage/line.ts';
import { orderEvent, tradeEvent } from './events.ts';
import { anyEvent, journalOf, scratchPath } from './fixture.ts';

function journalWith(events: readonly TradingEvent[]): string {
  const path = scratchPath();
  const journal = journalOf({ path });
  for (const event of events) journal.append(event);
  journal.close();
  return path;
}

function changed(path: string, sql: string): string {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
  return path;
}

describe('JournalReader.events', () => {
  it('finds what a filter over all events finds', () => {
    const kinds = fc.subarray(['order', 'fill', 'depth', 'run'] as const, { minLength: 1 });
    fc.assert(
      fc.property(fc.array(anyEvent, { minLength: 5 }), kinds, (events, wanted) => {
        const path = journalWith(events);
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
        const reader = openJournalReader(path);
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

  it('are those of one run', () => {
    const path = journalWith([tradeEvent(1)]);
    const next = journalOf({ path });
    next.append(orderEvent());
    next.close();
    const reader = openJournalReader(path);
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
    expect(openJournalReader(journalWith(events)).verify()).toEqual({ intact: true, events: 4 });
  });

  it('finds a changed, a removed and a cut line', () => {
    const brokenAt = (sql: string): number | undefined =>
      openJournalReader(changed(journalWith(events), sql)).verify().brokenAt;
    expect(brokenAt("UPDATE events SET body = '{}' WHERE id = 2")).toBe(2);
    expect(brokenAt('DELETE FROM events WHERE id = 3')).toBe(4);
    expect(brokenAt('DELETE FROM events WHERE id = 4')).toBe(4);
    expect(brokenAt("UPDATE events SET hash = '' WHERE id = 4")).toBe(4);
  });
});

describe('openJournalReader', () => {
  it('refuses what is not there', () => {
    expect(() => openJournalReader(scratchPath())).toThrow(StorageError);
  });

  it('finds an empty journal empty', () => {
    const reader = openJournalReader(journalWith([]));
    expect([...reader.events()]).toEqual([]);
    expect(reader.verify()).toEqual({ intact: true, events: 0 });
    expect(reader.runs()).toHaveLength(1);
    reader.close();
  });
});
