import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { orderEvent, orderOf, requestEvent, START_MS, tradeEvent } from './events.ts';
import { journalOf, scratchPath } from './fixture.ts';

describe('JournalWriter.write', () => {
  it('brings the write-ahead log into the database, a megabyte at a time', () => {
    const path = scratchPath();
    const journal = journalOf({ path });
    for (let write = 0; write < 300; write++) {
      for (let at = 0; at < 200; at++) journal.append(tradeEvent(200 * write + at));
      journal.commit();
    }
    const [database, log] = [statSync(path).size, statSync(`${path}-wal`).size];
    expect(database).toBeGreaterThan(8 * 2 ** 20);
    expect(log).toBeLessThan(2 * 2 ** 20);
    journal.close();
  });

  it.each([
    ['a request', requestEvent],
    ['an order', (at: number) => orderEvent(orderOf({ clientOrderId: `order${at}` }))],
  ])('does so where each write is no more than %s', (_, eventOf) => {
    const path = scratchPath();
    const journal = journalOf({ path });
    for (let at = START_MS; at < START_MS + 1_000; at++) {
      journal.append(eventOf(at));
      journal.commit();
    }
    expect(statSync(`${path}-wal`).size).toBeLessThan(2 * 2 ** 20);
    journal.close();
  });
});
