import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/kernel/index.ts';
import { JournalReader, StorageError } from '../../src/storage/index.ts';
import { START_MS } from './events.ts';
import { eventsIn, journalOf, scratchPath } from './fixture.ts';

const WRITER = new URL('./killed-writer.ts', import.meta.url).pathname;

/**
 * Runs a writer and kills it after so many orders; returns the orders that it reported as durable.
 */
async function killedAfter(path: string, orders: number): Promise<string[]> {
  const writer = spawn(process.execPath, [WRITER, path], { stdio: ['ignore', 'pipe', 'ignore'] });
  const told: string[] = [];
  for await (const line of createInterface({ input: writer.stdout })) {
    if (told.push(line) === 1) expect(() => journalOf({ path })).toThrow(StorageError);
    if (told.length === orders) writer.kill('SIGKILL');
  }
  if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'exit');
  return told;
}

describe('kill -9', () => {
  it('loses no order that was committed and needs no cleaning up', async () => {
    const path = scratchPath();
    const random = seededRandom('kill');
    for (let run = 1; run <= 4; run++) {
      const told = await killedAfter(path, 1 + random.integer(300));
      expect(told.length).toBeGreaterThan(0);
      const reader = new JournalReader(path);
      const written = eventsIn(path).flatMap((event) =>
        event.kind === 'order' ? event.order.clientOrderId : [],
      );
      expect(written.slice(0, told.length)).toEqual(told);
      // One more may have been committed but not reported any more.
      expect(written.length - told.length).toBeLessThanOrEqual(1);
      expect(reader.verify()).toMatchObject({ intact: true });
      expect(reader.runs()).toHaveLength(run);
      expect(reader.runs().at(-1)!.ended).toBeUndefined();
      const live = new Set(reader.memory(START_MS).liveOrders.map((order) => order.clientOrderId));
      expect(told.filter((id) => !live.has(id))).toEqual([]);
      reader.close();
    }
    journalOf({ path }).close();
  });
});
