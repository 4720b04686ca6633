import type { JournalMemory, LiveOrder } from '../domain/index.ts';
import type { DatabaseFile } from './disk.ts';
import { REQUESTS_KEPT_MS } from './journal-writer.ts';
import { reviveOrder } from './revive.ts';

/** What a restart takes over: live orders, the one longest unchanged first, and the request times of the last hour. */
export function readMemory(file: DatabaseFile, nowMs: number): JournalMemory {
  const orders = file.prepare(
    'SELECT body FROM orders JOIN events ON events.id = event WHERE final = 0 ORDER BY event',
  );
  const requests = file.prepare('SELECT time FROM requests WHERE time > ? ORDER BY time');
  return {
    liveOrders: Array.from(
      orders.iterate(),
      ({ body }) => reviveOrder(body as string) as LiveOrder,
    ),
    requestTimes: Array.from(
      requests.iterate(nowMs - REQUESTS_KEPT_MS),
      ({ time }) => time as number,
    ),
  };
}
