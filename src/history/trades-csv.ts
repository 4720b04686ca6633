import type { RecordedTrade } from '../domain/index.ts';
import { counted } from '../kernel/index.ts';
import { cellsOf, delimiterOf } from './csv.ts';
import type { Line } from './lines.ts';
import type { RecordReader } from './reader.ts';
import { TradeBuilder } from './trade-builder.ts';
import {
  columnsOfHeading,
  columnsOfRow,
  isHeading,
  sameSymbol,
  sideOfMaker,
  type TradeColumns,
} from './trades-columns.ts';

interface Layout {
  readonly delimiter: string;
  readonly columns: TradeColumns;
  readonly width: number;
}

/** Reads tables of trades: columns are known by their heading, or by their shape without one. */
export class TradesCsvReader implements RecordReader {
  readonly #builder = new TradeBuilder();
  #layout: Layout | undefined;
  symbol: string | undefined;

  read(line: Line): RecordedTrade[] {
    if (this.#layout !== undefined) return [this.#trade(line.text, this.#layout)];
    const delimiter = delimiterOf(line.text) ?? ',';
    const cells = cellsOf(line.text, delimiter);
    const named = isHeading(cells);
    const columns = named ? columnsOfHeading(cells) : columnsOfRow(cells);
    this.#layout = { delimiter, columns, width: cells.length };
    return named ? [] : [this.#trade(line.text, this.#layout)];
  }

  #trade(text: string, { delimiter, columns, width }: Layout): RecordedTrade {
    const cells = cellsOf(text, delimiter);
    if (cells.length !== width) {
      throw new TypeError(`the row has ${counted(cells.length, 'column')}, ${width} are wanted`);
    }
    this.symbol = sameSymbol(this.symbol, cells[columns.symbol]);
    return this.#builder.build({
      time: cells[columns.time],
      receivedTime: cells[columns.receivedTime],
      id: cells[columns.id],
      price: cells[columns.price],
      amount: cells[columns.amount],
      side: sideOf(cells, columns),
    });
  }
}

function sideOf(cells: readonly string[], columns: TradeColumns): string | undefined {
  if (columns.side >= 0 || columns.buyerIsMaker < 0) return cells[columns.side];
  return sideOfMaker(cells[columns.buyerIsMaker]);
}
