import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { orderEvent, orderOf, requestEvent, START_MS, tradeEvent } from './events.ts';
import { journalOf, scratchPath } from './fixture.ts';

const ordersOf = (at: number, count: number) =>
  Array.from({ length: count }, (_, nth) =>
    orderEvent(orderOf({ clientOrderId: `${(at * 2_654_435_761) % 2 ** 32}order${nth}` })),
  );

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
    ['a request', (at: number) => [requestEvent(at)]],
    ['an order', (at: number) => ordersOf(at, 1)],
    ['a dozen orders', (at: number) => ordersOf(at, 12)],
  ])('does so where each write is no more than %s', (_, eventsOf) => {
    const path = scratchPath();
    const journal = journalOf({ path });
    for (let at = START_MS; at < START_MS + 1_000; at++) {
      for (const event of eventsOf(at)) journal.append(event);
      journal.commit();
    }
    expect(statSync(`${path}-wal`).size).toBeLessThan(2 * 2 ** 20);
    journal.close();
  });

  it('does so no sooner for the orders of a write, which share their pages', () => {
    const path = scratchPath();
    const journal = journalOf({ path });
    const before = statSync(path).size;
    const orders = ordersOf(START_MS, 350);
    for (const [nth, event] of orders.entries()) {
      journal.append(event);
      if (nth % 35 === 34) journal.commit();
    }
    expect(statSync(path).size).toBe(before);
    journal.close();
  });
});
