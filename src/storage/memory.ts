import type { JournalMemory, LiveOrder, OrderState } from '../domain/index.ts';
import { HOUR_MS } from '../kernel/index.ts';
import type { DatabaseFile } from './disk.ts';
import { reviveOrder } from './revive.ts';
import { NOT_MARKET_DATA } from './schema.ts';

/** How old request times matter: as long as the exchange locks an address that asked too much. */
const REQUESTS_KEPT_MS = HOUR_MS;

/**
 * What a restart takes over: live orders, the one longest unchanged first, and the request times of
 * the last hour.
 */
export function readMemory(file: DatabaseFile, nowMs: number): JournalMemory {
  const settled = file
    .prepare('SELECT body FROM orders JOIN events ON events.id = event WHERE final = 0 ORDER BY id')
    .iterate();
  const orders = Array.from(settled, ({ body }) => reviveOrder(body as string));
  return {
    liveOrders: [...orders, ...departedOrders(file)] as readonly LiveOrder[],
    requestTimes: requestTimes(file, nowMs - REQUESTS_KEPT_MS),
  };
}

/** The lines of orders that were about to leave when their run was killed, oldest first. */
export function departedLines(file: DatabaseFile): string[] {
  const rows = file.prepare('SELECT body FROM departures ORDER BY id').iterate();
  return Array.from(rows, ({ body }) => (body as string).split('\n')).flat();
}

/** Those orders. */
export function departedOrders(file: DatabaseFile): OrderState[] {
  return departedLines(file).map(reviveOrder);
}

function requestTimes(file: DatabaseFile, afterTime: number): number[] {
  const times: number[] = [];
  const newestFirst = [
    'SELECT time FROM departures ORDER BY id DESC',
    `SELECT time FROM events WHERE kind = 'request' AND ${NOT_MARKET_DATA} ORDER BY id DESC`,
  ];
  for (const sql of newestFirst) {
    for (const { time } of file.prepare(sql).iterate()) {
      if ((time as number) <= afterTime) break;
      times.push(time as number);
    }
  }
  return times.reverse();
}
