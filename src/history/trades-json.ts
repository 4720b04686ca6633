import type { RecordedTrade } from '../domain/index.ts';
import type { Line } from './lines.ts';
import type { RecordReader } from './reader.ts';
import { TradeBuilder } from './trade-builder.ts';
import { quote } from './values.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Reads one trade, or an array of trades, a line. A trade is a row or an object:
 *
 * - `[ms, id, type, side, price, amount, cost]`, or
 * - `{timestamp | date | time, id | tid, price, amount | size | quantity, side | type}`.
 *
 * One array of all trades may go over several lines: see `JsonArrayReader`.
 */
export class TradesJsonReader implements RecordReader {
  readonly #builder = new TradeBuilder();
  symbol: string | undefined;

  *read(line: Line): Generator<RecordedTrade> {
    const value: unknown = JSON.parse(line.text);
    // Rows are arrays themselves: an array whose first element is a number is one row.
    if (!Array.isArray(value) || typeof value[0] === 'number') yield this.#trade(value);
    else for (const [index, row] of value.entries()) yield this.#row(row, index);
  }

  #row(row: unknown, index: number): RecordedTrade {
    try {
      return this.#trade(row);
    } catch (thrown) {
      throw new TypeError(`row ${index + 1}: ${(thrown as Error).message}`, { cause: thrown });
    }
  }

  #trade(value: unknown): RecordedTrade {
    if (Array.isArray(value)) {
      const [time, id, , side, price, amount] = value as unknown[];
      return this.#builder.build({ time, id, side, price, amount });
    }
    if (typeof value !== 'object' || value === null) {
      throw new TypeError(`it is ${quote(value)}, a trade is wanted`);
    }
    const fields = value as Fields;
    if (typeof fields.symbol === 'string') this.symbol ??= fields.symbol;
    return this.#builder.build({
      time: fields.timestamp ?? fields.date ?? fields.time ?? fields.datetime,
      id: fields.id ?? fields.tid,
      price: fields.price,
      amount: fields.amount ?? fields.size ?? fields.quantity,
      side: fields.side ?? fields.type,
    });
  }
}

/** Reads one JSON array of trades that is laid out over any number of lines. It is held whole. */
export class JsonArrayReader implements RecordReader {
  readonly #lines: string[] = [];
  readonly #trades = new TradesJsonReader();

  get symbol(): string | undefined {
    return this.#trades.symbol;
  }

  read(line: Line): [] {
    this.#lines.push(line.text);
    return [];
  }

  *end(): Generator<RecordedTrade> {
    yield* this.#trades.read({ number: 1, text: this.#lines.join('\n') });
  }
}
