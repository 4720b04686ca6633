/** Numbers that stand before those of a column: where it begins, and its step or NaN. */
const HEAD = 2;

/** Columns of one length, one behind the other. */
interface Columns {
  readonly numbers: Float64Array;
  /** Rows of each. */
  readonly rows: number;
}

/** How many numbers columns take at most once they are packed. */
export function packedMax({ numbers, rows }: Columns): number {
  return numbers.length + (numbers.length / rows) * HEAD;
}

/**
 * Columns in little room: of one that goes in even steps, or stands still, its beginning and its step
 * are all there is. Gives the part of `into` that was filled.
 */
export function pack({ numbers, rows }: Columns, into: Float64Array): Float64Array {
  let end = 0;
  for (let from = 0; from < numbers.length; from += rows) {
    const column = numbers.subarray(from, from + rows);
    const step = column[1]! - column[0]!;
    const isEven = goesIn(step, column);
    into[end++] = column[0]!;
    into[end++] = isEven ? step : Number.NaN;
    if (isEven) continue;
    into.set(column, end);
    end += rows;
  }
  return into.subarray(0, end);
}

/** Puts packed columns back in their place, each number as it was; only 0 may lose its sign. */
export function unpack(packed: Float64Array, { numbers, rows }: Columns): void {
  let at = 0;
  for (let from = 0; from < numbers.length; from += rows) {
    const first = packed[at++]!;
    const step = packed[at++]!;
    if (Number.isNaN(step)) {
      numbers.set(packed.subarray(at, at + rows), from);
      at += rows;
    } else {
      for (let row = 0; row < rows; row++) numbers[from + row] = first + row * step;
    }
  }
}

/** Whether each number is found again by that step. */
function goesIn(step: number, column: Float64Array): boolean {
  const first = column[0]!;
  for (let row = 0; row < column.length; row++) {
    if (column[row] !== first + row * step) return false;
  }
  return true;
}
