import {
  type FinalOrder,
  isFinal,
  type JournalMemory,
  type LiveOrder,
  type OrderState,
} from '../domain/index.ts';
import { HOUR_MS } from '../kernel/index.ts';
import type { DatabaseFile, Row } from './disk.ts';
import { kindSetOf } from './kind-set.ts';
import { GUESSED, LIVE } from './schema.ts';
import { type OrderEvent, reviveEvent, reviveOrder } from './text/revive.ts';

/** How long request times matter: as long as the exchange locks an address that asked too much. */
const REQUESTS_KEPT_MS = HOUR_MS;

/**
 * How many orders with a guessed fee a restart takes over at most, for the exchange may never
 * report their fees. Fewer than the ended orders that the ledger remembers (4,096).
 */
const GUESSED_MAX = 4_000;
/** Only of limit orders is the fee in doubt: a PostOnly order never takes, an IOC order always. */
const IS_DOUBTFUL = "json_extract(body, '$.order.type') = 'limit'";

/** Live orders, each with the time of the last chunk of the run that left it behind. */
const LEFT = `SELECT body, (SELECT until FROM chunks WHERE chunks.run = orders.run
    ORDER BY first DESC LIMIT 1) AS aliveTime
  FROM orders WHERE final = ${LIVE} ORDER BY run, sequence`;

/**
 * What a restart takes over: live orders, ended orders whose fee is a guess that may be wrong (the
 * one longest unchanged first), and request times.
 */
export function readMemory(
  file: DatabaseFile,
  { departed, nowMs }: { readonly departed: readonly OrderEvent[]; readonly nowMs: number },
): JournalMemory {
  const known: OrderState[] = [];
  const aliveTimes = new Map<string, number>();
  for (const { body, aliveTime } of file.prepare(LEFT).iterate()) {
    const order = reviveOrder(body as string);
    known.push(order);
    aliveTimes.set(order.clientOrderId, aliveTime as number);
  }
  const unknown = unwritten(file, departed).map(({ order }) => order);
  const times = requestTimes(file, { afterTime: nowMs - REQUESTS_KEPT_MS, nowMs });
  return {
    liveOrders: [...known, ...unknown] as readonly LiveOrder[],
    aliveTimes,
    guessedOrders: guessedOrders(file),
    requestTimes: [...times, ...unknown.map(({ createdTime }) => createdTime)],
  };
}

function guessedOrders(file: DatabaseFile): readonly FinalOrder[] {
  const sql = `SELECT body FROM orders WHERE final = ${GUESSED} AND ${IS_DOUBTFUL}
    ORDER BY run DESC, sequence DESC LIMIT ?`;
  const rows = file.prepare(sql).iterate(GUESSED_MAX);
  return Array.from(rows, ({ body }) => reviveOrder(body as string) as FinalOrder).reverse();
}

/** The departed orders that are not in the journal: their run was killed before it wrote them. */
export function unwritten(
  file: DatabaseFile,
  departed: readonly OrderEvent[],
): readonly OrderEvent[] {
  return departed.filter(({ order }) => orderLine(file, order.clientOrderId) === undefined);
}

/** The line of an order's newest state. */
export function orderLine(file: DatabaseFile, clientOrderId: string): string | undefined {
  const rows = file.prepare('SELECT body FROM orders WHERE clientOrderId = ?');
  const [row] = [...rows.iterate(clientOrderId)];
  return row?.body as string | undefined;
}

/** Our id of the order with that id of the exchange; undefined if it is none of ours. */
export function ownerOf(file: DatabaseFile, exchangeOrderId: string): string | undefined {
  const sql =
    "SELECT clientOrderId FROM orders WHERE json_extract(body, '$.order.exchangeOrderId') = ?";
  const [row] = [...file.prepare(sql).iterate(exchangeOrderId)];
  return row?.clientOrderId as string | undefined;
}

const ORDERS = kindSetOf(['order']);

/** The time after which records are wanted, and the present time. */
export interface Span {
  readonly afterTime: number;
  readonly nowMs: number;
}

/** The exchange's ids of orders that ended in that time, filled or not; some ended earlier. */
export function endedOrderIds(file: DatabaseFile, span: Span): string[] {
  const ids = new Set<string>();
  for (const { kinds, body } of chunksIn(file, 'kinds, body', span)) {
    if (((kinds as number) & ORDERS) === 0) continue;
    for (const line of (body as string).split('\n')) {
      const id = line.includes('"kind":"order"') ? endedIn(line) : undefined;
      if (id !== undefined) ids.add(id);
    }
  }
  return [...ids];
}

/** The exchange's id of the order that ended with this event; undefined if none did. */
function endedIn(line: string): string | undefined {
  const event = reviveEvent(line);
  return event.kind === 'order' && isFinal(event.order) ? event.order.exchangeOrderId : undefined;
}

/** Times of requests in that time, oldest first. */
function requestTimes(file: DatabaseFile, span: Span): number[] {
  const chunks: number[][] = [];
  for (const { requests } of chunksIn(file, 'requests', span)) {
    if (requests !== null) chunks.push(JSON.parse(requests as string) as number[]);
  }
  return chunks
    .reverse()
    .flat()
    .filter((time) => time > span.afterTime);
}

/**
 * Chunks of that time, the newest first. Times rise only within a run, so every run is searched: a
 * later run may have begun with a clock that was far behind. Once a run reaches back beyond that
 * time, chunks of earlier runs that lie in the future came from a clock that was ahead, and are
 * left out.
 */
function* chunksIn(
  file: DatabaseFile,
  columns: string,
  { afterTime, nowMs }: Span,
): Generator<Row, void> {
  const sql = `SELECT until, ${columns} FROM chunks WHERE run = ? ORDER BY first DESC`;
  const chunks = file.prepare(sql);
  let latestTime = Number.POSITIVE_INFINITY;
  for (const { id } of [...file.prepare('SELECT id FROM runs ORDER BY id DESC').iterate()]) {
    for (const chunk of chunks.iterate(id as number)) {
      const until = chunk.until as number;
      if (until <= afterTime || until > latestTime) {
        latestTime = nowMs;
        break;
      }
      yield chunk;
    }
  }
}
