import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TradingEvent } from '../../src/domain/index.ts';
import { DAY_MS, HOUR_MS, VirtualClock } from '../../src/kernel/index.ts';
import { readFrom } from '../../src/storage/index.ts';
import { orderEvent, orderOf, START_MS, tradeEvent } from './events.ts';
import {
  changed,
  eventsIn,
  journalOf,
  rowsOf,
  scratchPath,
  verified,
  writtenRun,
} from './fixture.ts';

/** A run that keeps market data for a day, and writes given events at given hours. */
function makeRun() {
  const path = scratchPath();
  const clock = new VirtualClock(START_MS);
  const journal = journalOf({ path, clock, keepDays: 1 });
  const writeAt = (hour: number, ...events: readonly TradingEvent[]): void => {
    clock.advanceTo(START_MS + hour * HOUR_MS);
    for (const event of events) journal.append(event);
    journal.commit();
  };
  return { path, journal, writeAt };
}

const trade = (hour: number, second = 0): TradingEvent =>
  tradeEvent(hour * HOUR_MS + second * 1_000);

describe('Pruner, while a run goes on,', () => {
  it('drops market data as it grows too old, and nothing else', () => {
    const { path, journal, writeAt } = makeRun();
    writeAt(0, trade(0), orderEvent());
    writeAt(12, trade(12));
    writeAt(24, trade(24));
    expect(eventsIn(path)).toEqual([trade(0), orderEvent(), trade(12), trade(24)]);
    writeAt(25, trade(25));
    expect(eventsIn(path)).toEqual([orderEvent(), trade(12), trade(24), trade(25)]);
    journal.close();
    expect(verified(path, 1)).toEqual({ intact: true, events: 4 });
  });

  it('leaves what was written together until all of it is too old', () => {
    const { path, journal, writeAt } = makeRun();
    writeAt(2, trade(0), trade(2));
    writeAt(25, orderEvent());
    expect(eventsIn(path)).toEqual([trade(0), trade(2), orderEvent()]);
    writeAt(27, orderEvent());
    expect(eventsIn(path)).toEqual([orderEvent(), orderEvent()]);
    journal.close();
  });

  it('works off what has gathered, four writes of then with each of now', () => {
    const { path, journal, writeAt } = makeRun();
    for (let hour = 0; hour < 10; hour++) writeAt(hour, trade(hour));
    const left = [40, 41, 42, 43].map((hour) => {
      writeAt(hour, orderEvent());
      return eventsIn(path).filter(({ kind }) => kind === 'trade').length;
    });
    expect(left).toEqual([6, 2, 0, 0]);
    journal.close();
  });

  it('tells that its run has not got all of its market data any more', () => {
    const { path, journal, writeAt } = makeRun();
    const isPruned = () => readFrom(path, (reader) => reader.runs()[0]?.isPruned);
    writeAt(0, trade(0));
    expect(isPruned()).toBe(false);
    writeAt(30, orderEvent());
    expect(isPruned()).toBe(true);
    journal.close();
  });
});

describe('A file of which a Pruner drops what is too old', () => {
  it('grows no further once it holds what is kept', () => {
    const { path, journal, writeAt } = makeRun();
    const sizeAfter = (from: number, to: number): number => {
      for (let hour = from; hour < to; hour++) {
        for (let minute = 0; minute < 60; minute++) {
          // A chunk of them nearly fills a page. Emptied and full chunks must not share pages.
          const trades = Array.from({ length: 23 }, (_, at) => trade(hour, 60 * minute + at));
          writeAt(hour + minute / 60, ...trades);
        }
      }
      changed(path, 'PRAGMA wal_checkpoint(TRUNCATE)');
      return statSync(path).size;
    };
    const aDay = sizeAfter(0, 25);
    // An emptied chunk keeps its row, and the hash of its lines.
    expect(sizeAfter(25, 75)).toBeLessThan(1.25 * aDay);
    journal.close();
  });

  it('is brought up to date as soon where much is emptied as where much is written', () => {
    const { path, journal, writeAt } = makeRun();
    for (let hour = 0; hour < 40; hour++) {
      // All other lines stay, so that the chunk is written again.
      writeAt(hour, trade(hour), ...Array.from({ length: 500 }, () => orderEvent()));
    }
    changed(path, 'PRAGMA wal_checkpoint(TRUNCATE)');
    for (let hour = 80; hour < 90; hour++) writeAt(hour, orderEvent());
    expect(statSync(`${path}-wal`).size).toBeLessThan(2 ** 21);
    journal.close();
  });

  it('tells that without a look at all else', () => {
    const { path, journal, writeAt } = makeRun();
    writeAt(0, trade(0));
    journal.close();
    const plan = rowsOf(
      path,
      `EXPLAIN QUERY PLAN SELECT rowid FROM chunks WHERE kinds & 15 <> 0 AND until < 9
       ORDER BY until LIMIT 4`,
    );
    expect(plan.map(({ detail }) => detail)).toEqual([
      'SEARCH chunks USING INDEX marketData (until<?)',
    ]);
  });
});

describe('Pruner, as a run begins,', () => {
  it('keeps all other lines of every run, though all there is is too old', () => {
    const path = scratchPath();
    const clock = new VirtualClock(START_MS);
    const others = (['first', 'alone', 'last'] as const).map((name) =>
      orderEvent(orderOf({ clientOrderId: name })),
    );
    for (let run = 1; run <= 5; run++) {
      const journal = journalOf({ path, clock, keepDays: 1 });
      journal.append(others[0]!);
      journal.append(trade(48 * (run - 1)));
      journal.commit();
      journal.append(others[1]!);
      journal.commit();
      journal.append(trade(48 * (run - 1)));
      journal.append(others[2]!);
      journal.close();
      clock.advanceBy(2 * DAY_MS);
    }
    journalOf({ path, clock, keepDays: 1 }).close();
    for (let run = 1; run <= 5; run++) {
      expect(eventsIn(path, run)).toEqual(others);
      expect(verified(path, run)).toEqual({ intact: true, events: 3 });
    }
  });

  it('drops old market data of earlier runs and nothing else', () => {
    const clock = new VirtualClock(START_MS);
    const events = [tradeEvent(1), orderEvent(), tradeEvent(3 * DAY_MS)];
    const path = writtenRun(events, { clock, each: 2 });
    clock.advanceBy(3 * DAY_MS);
    writtenRun([tradeEvent(3 * DAY_MS)], { path, clock, keepDays: 2 });
    expect(eventsIn(path, 1)).toEqual([orderEvent(), tradeEvent(3 * DAY_MS)]);
    expect(eventsIn(path, 2)).toHaveLength(1);
    expect(verified(path, 1)).toEqual({ intact: true, events: 2 });
  });

  it('numbers events rightly after everything before was dropped', () => {
    const clock = new VirtualClock(START_MS);
    const path = writtenRun([tradeEvent(1), tradeEvent(2)], { clock });
    clock.advanceBy(9 * DAY_MS);
    writtenRun([orderEvent()], { path, clock, keepDays: 1 });
    expect(eventsIn(path, 1)).toEqual([]);
    expect(eventsIn(path, 2)).toEqual([orderEvent()]);
    expect([verified(path, 1).intact, verified(path, 2).intact]).toEqual([true, true]);
  });
});

describe('Pruner, of what has gathered,', () => {
  it('keeps nobody waiting for all that has gathered', () => {
    const clock = new VirtualClock(START_MS);
    const trades = Array.from({ length: 1_030 }, (_, write) => tradeEvent(write));
    const path = writtenRun(trades, { clock, each: 1 });
    clock.advanceBy(2 * DAY_MS);
    const next = journalOf({ path, clock, keepDays: 1 });
    expect(eventsIn(path, 1)).toHaveLength(6);
    next.append(orderEvent());
    next.commit();
    expect(eventsIn(path, 1)).toHaveLength(2);
    next.close();
  });

  it('takes no more in hand at once than some megabytes, in few chunks', () => {
    const clock = new VirtualClock(START_MS);
    const chunkEvents = 7_000;
    const trades = Array.from({ length: 12 * chunkEvents }, (_, at) =>
      tradeEvent(Math.floor(at / chunkEvents)),
    );
    const path = writtenRun(trades, { clock, each: chunkEvents });
    clock.advanceBy(2 * DAY_MS);
    const next = journalOf({ path, clock, keepDays: 1 });
    const left = (): number => eventsIn(path, 1).length / chunkEvents;
    const atStart = left();
    expect(atStart).toBeGreaterThan(0);
    expect(atStart).toBeLessThan(6);
    next.append(orderEvent());
    next.commit();
    expect(left()).toBe(Math.max(0, atStart - 4));
    next.close();
  });
});
