import { isFinal, type OrderState, type TradingEvent, timeOf } from '../domain/index.ts';
import { Chains, runHash } from './chain.ts';
import type { Departures } from './departures.ts';
import type { DatabaseFile, Statement } from './disk.ts';
import { kindSetOf } from './kind-set.ts';
import type { Pruner } from './prune.ts';
import { GUESSED, LIVE, OVER } from './schema.ts';
import { lineOf } from './text/line.ts';
import type { OrderEvent } from './text/revive.ts';
import { TextBytes } from './text/text-bytes.ts';

interface OrderLine {
  readonly order: OrderState;
  readonly sequence: number;
  readonly line: string;
}

interface WriterParts {
  readonly run: number;
  readonly departures: Departures;
  /** Drops old market data with each write. Undefined: nothing is dropped. */
  readonly pruner: Pruner | undefined;
}

/** What a chunk's row says of its lines. */
interface Chunk {
  readonly first: number;
  readonly orders: Map<string, OrderLine>;
  readonly requestTimes: number[];
  since: number;
  until: number;
}

/** Writes the events of one run, and with them the tables that a restart reads. */
export class JournalWriter {
  readonly #file: DatabaseFile;
  readonly #run: number;
  readonly #departures: Departures;
  readonly #pruner: Pruner | undefined;
  readonly #chunk: Statement;
  readonly #order: Statement;
  readonly #chains = new Chains();
  /** The lines of the write under way, as bytes: no long string has to be made and converted. */
  readonly #body = new TextBytes();
  #events = 0;

  constructor(file: DatabaseFile, { run, departures, pruner }: WriterParts) {
    this.#file = file;
    this.#run = run;
    this.#departures = departures;
    this.#pruner = pruner;
    // Row ids above 0: those of emptied chunks are below, see `Pruner`.
    this.#chunk = file.prepare(
      `INSERT INTO chunks (rowid, run, first, kinds, since, until, marketDataHash, othersHash,
       requests, body) VALUES ((SELECT max(coalesce(max(rowid), 0), 0) + 1 FROM chunks),
       ?,?,?,?,?,?,?,?,CAST(? AS TEXT))`,
    );
    this.#order = file.prepare('INSERT OR REPLACE INTO orders VALUES (?,?,?,?,?)');
  }

  /** Events written so far. */
  get events(): number {
    return this.#events;
  }

  /** The hash over all lines so far. */
  get hash(): string {
    return runHash(this.#chains.state);
  }

  /** Writes events in one transaction: all of them or none. */
  write(events: readonly TradingEvent[]): void {
    this.#write(events, this.#chunkOf(events));
  }

  /**
   * Writes the last orders before a kill, and counts their requests, which nothing else records.
   */
  writeLeft(events: readonly OrderEvent[]): void {
    const chunk = this.#chunkOf(events);
    for (const { order } of events) chunk.requestTimes.push(order.createdTime);
    this.#write(events, chunk);
  }

  #write(events: readonly TradingEvent[], chunk: Chunk): void {
    const { marketData, others } = this.#chains.state;
    const { first, since, until, orders } = chunk;
    const kinds = kindSetOf(events.map(({ kind }) => kind));
    const requests = chunk.requestTimes.length > 0 ? JSON.stringify(chunk.requestTimes) : null;
    // Without the line feed of the last line.
    const body = this.#body.bytes.subarray(0, -1);
    this.#file.execute('BEGIN IMMEDIATE');
    this.#chunk.run(this.#run, first, kinds, since, until, marketData, others, requests, body);
    for (const [clientOrderId, { order, sequence, line }] of orders) {
      this.#order.run(clientOrderId, endOf(order), this.#run, sequence, line);
    }
    this.#pruner?.write();
    this.#file.execute('COMMIT');
    this.#departures.clear();
  }

  #chunkOf(events: readonly TradingEvent[]): Chunk {
    const chunk: Chunk = {
      first: this.#events + 1,
      orders: new Map(),
      requestTimes: [],
      since: Number.POSITIVE_INFINITY,
      until: Number.NEGATIVE_INFINITY,
    };
    this.#body.clear();
    for (const event of events) this.#add(event, chunk);
    return chunk;
  }

  #add(event: TradingEvent, chunk: Chunk): void {
    const sequence = ++this.#events;
    const time = timeOf(event);
    if (time < chunk.since) chunk.since = time;
    if (time > chunk.until) chunk.until = time;
    if (event.kind === 'request') chunk.requestTimes.push(time);
    if (event.kind !== 'order') {
      this.#chains.addEvent(sequence, event, this.#body);
      return;
    }
    const { order } = event;
    const line = this.#departures.lineOf(event) ?? lineOf(event);
    this.#body.addLine(line);
    this.#chains.add(sequence, { line, isMarketData: false });
    chunk.orders.set(order.clientOrderId, { order, sequence, line });
  }
}

/** The mark of an order's state in `orders.final`. */
function endOf(order: OrderState): number {
  if (!isFinal(order)) return LIVE;
  return order.guessedFee === undefined ? OVER : GUESSED;
}
