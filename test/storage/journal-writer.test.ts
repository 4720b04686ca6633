import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tradeEvent } from './events.ts';
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
});
