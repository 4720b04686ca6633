import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { LevelChange, MarketRecord } from '../../domain/index.ts';
import { plainBytes } from '../bytes.ts';
import { unreadable } from '../errors.ts';
import { type Line, linesOf } from '../lines.ts';
import { RawReader } from '../raw.ts';
import type { Database } from './database.ts';
import { DEPTH_EVENTS } from './kinds.ts';
import { RowWriter } from './row-writer.ts';
import { STAGED } from './staging.ts';

const RECORDED = 'recorded';
const COLUMNS = ['file', 'row', 'time', 'received', 'update', 'event', 'side', 'price', 'amount'];

/**
 * Stages raw recordings of one market, one behind the other: a book goes on from file to file.
 *
 * @throws {HistoryError} naming file and line, when one can't be read.
 */
export async function stageRaw(database: Database, files: readonly string[]): Promise<void> {
  const columns = COLUMNS.map((name) => `"${name}" DOUBLE`).join(', ');
  await database.run(`CREATE OR REPLACE TABLE ${RECORDED} (${columns})`);
  const rows = new DepthRows(await RowWriter.to(database, RECORDED));
  const reader = new RawReader();
  for (const [file, path] of files.entries()) await readFile(path, { reader, rows, file });
  for (const record of reader.end()) rows.write(record, files.length - 1);
  rows.close();
  await database.run(`INSERT INTO ${STAGED} BY NAME SELECT * FROM ${RECORDED}`);
  await database.run(`DROP TABLE ${RECORDED}`);
}

interface Pass {
  readonly reader: RawReader;
  readonly rows: DepthRows;
  readonly file: number;
}

async function readFile(path: string, { reader, rows, file }: Pass): Promise<void> {
  const name = basename(path);
  let line: Line | undefined;
  try {
    for await (const lines of linesOf(plainBytes(createReadStream(path)))) {
      for (line of lines) {
        for (const record of reader.read(line)) rows.write(record, file);
      }
      line = undefined;
    }
  } catch (thrown) {
    throw unreadable(line === undefined ? { name } : { name, line: line.number }, thrown);
  }
}

/** Writes records as rows of depth. */
class DepthRows {
  readonly #writer: RowWriter;
  #update = 0;
  #row = 0;
  #file = 0;
  #time = 0;
  #received = Number.NaN;

  constructor(writer: RowWriter) {
    this.#writer = writer;
  }

  write(record: MarketRecord, file: number): void {
    this.#update++;
    this.#file = file;
    this.#time = record.time;
    this.#received = record.receivedTime ?? Number.NaN;
    const { snapshot, change, trade, gap } = DEPTH_EVENTS;
    switch (record.kind) {
      case 'trade':
        this.#level(trade, [record.takerSide, record.price, record.amount]);
        break;
      case 'book':
        for (const [price, amount] of record.bids) this.#level(snapshot, ['buy', price, amount]);
        for (const [price, amount] of record.asks) this.#level(snapshot, ['sell', price, amount]);
        break;
      case 'levels':
        for (const level of record.changes) this.#level(change, level);
        break;
      case 'gap':
        this.#level(gap, ['buy', 0, 0]);
        break;
      default:
        record satisfies never;
    }
  }

  close(): void {
    this.#writer.close();
  }

  #level(event: number, [side, price, amount]: LevelChange): void {
    const at = this.#writer.nextRow();
    const { columns } = this.#writer;
    columns[0]![at] = this.#file;
    columns[1]![at] = ++this.#row;
    columns[2]![at] = this.#time;
    columns[3]![at] = this.#received;
    columns[4]![at] = this.#update;
    columns[5]![at] = event;
    columns[6]![at] = side === 'buy' ? 1 : -1;
    columns[7]![at] = price;
    columns[8]![at] = amount;
  }
}
