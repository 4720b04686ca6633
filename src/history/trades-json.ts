import type { RecordedTrade } from '../domain/index.ts';
import type { Line } from './lines.ts';
import type { RecordReader } from './reader.ts';
import { TradeBuilder } from './trade-builder.ts';
import { columnsNamed, sameSymbol, sideOfMaker, type TradeColumns } from './trades-columns.ts';
import { quote } from './values.ts';

type Fields = Readonly<Record<string, unknown>>;
/** How objects call what they hold; '' for what they do not. */
type FieldNames = { readonly [column in keyof TradeColumns]: string };

/** @throws {TypeError} where they are not those of a trade, or may mean something else. */
function namesOf(fields: Fields): FieldNames {
  const names = Object.keys(fields);
  const columns = Object.entries(columnsNamed(names));
  return Object.fromEntries(columns.map(([column, at]) => [column, names[at] ?? ''])) as FieldNames;
}

/** Reads one trade, or an array of trades, a line. A trade is a row or an object:
 *
 * - `[ms, id, type, side, price, amount, cost]`, or
 * - an object whose fields have the names that columns of a table of trades may have; all objects
 *   have the names of the first.
 *
 * One array of all trades may go over several lines: see `JsonArrayReader`.
 */
export class TradesJsonReader implements RecordReader {
  readonly #builder = new TradeBuilder();
  #names: FieldNames | undefined;
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
    this.#names ??= namesOf(fields);
    const names = this.#names;
    this.symbol = sameSymbol(this.symbol, fields[names.symbol]);
    const flag = fields[names.buyerIsMaker];
    return this.#builder.build({
      time: fields[names.time],
      receivedTime: fields[names.receivedTime],
      id: fields[names.id],
      price: fields[names.price],
      amount: fields[names.amount],
      side: flag === undefined ? fields[names.side] : sideOfMaker(flag),
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
