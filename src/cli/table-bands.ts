import { pad, widestOf, widthOf } from './style.ts';
import { wrap } from './wrap.ts';

/** Between two columns. */
const GAP = '  ';
/** The indent of the bands below the first. */
const INDENT = '    ';
/** The least width to which a column of words is narrowed to keep others beside it. */
const WORDS_MIN = 20;

/** A column with its head, which is the first of its texts. */
interface Texts {
  readonly isRight: boolean;
  readonly texts: readonly string[];
}

/** A column and the width it is shown with. */
interface Shown extends Texts {
  readonly width: number;
}

/** Columns that stand beside each other. */
export interface Band {
  readonly indent: string;
  readonly columns: readonly Shown[];
}

/** Splits the columns into as many bands as the width requires. */
export function bandsOf(columns: readonly Texts[], width: number): Band[] {
  const natural = columns.map((column) => ({
    ...column,
    width: widestOf(column.texts),
  }));
  const bands: { indent: string; columns: Shown[] }[] = [{ indent: '', columns: [] }];
  for (const column of narrowed(natural, width)) {
    const { indent, columns: beside } = bands.at(-1)!;
    const isFull = beside.length > 0 && indent.length + totalOf([...beside, column]) > width;
    if (isFull) bands.push({ indent: INDENT, columns: [bounded(column, width - INDENT.length)] });
    else beside.push(beside.length === 0 ? bounded(column, width) : column);
  }
  return bands;
}

/** The texts of one row as lines. */
export function bandLines({ indent, columns }: Band, index: number): string[] {
  const cells = columns.map(({ isRight, texts, width }) => {
    const text = texts[index]!;
    return isRight || widthOf(text) <= width ? [text] : wrap(text, width);
  });
  const height = Math.max(...cells.map(({ length }) => length));
  const lines = Array.from({ length: height }, (_, line) => {
    const parts = columns.map((column, at) => aligned(cells[at]![line] ?? '', column));
    return (indent + parts.join(GAP)).trimEnd();
  });
  // A lower band takes no line where it has no text.
  return indent === '' ? lines : lines.filter((line) => line !== '');
}

/** Narrows the widest column of words until all columns fit, unless it would become too narrow. */
function narrowed(columns: readonly Shown[], width: number): readonly Shown[] {
  const over = totalOf(columns) - width;
  if (over <= 0) return columns;
  const words = columns.filter(({ isRight }) => !isRight);
  const [widest] = words.toSorted((a, b) => b.width - a.width);
  if (widest === undefined) return columns;
  const room = widest.width - over;
  if (room < Math.max(WORDS_MIN, longestWord(widest))) return columns;
  return columns.map((column) => (column === widest ? { ...column, width: room } : column));
}

function bounded(column: Shown, width: number): Shown {
  return column.isRight ? column : { ...column, width: Math.min(column.width, width) };
}

function longestWord({ texts }: Texts): number {
  return widestOf(texts.flatMap((text) => text.split(' ')));
}

function totalOf(columns: readonly Shown[]): number {
  const gaps = GAP.length * (columns.length - 1);
  return columns.reduce((sum, { width }) => sum + width, gaps);
}

function aligned(text: string, { width, isRight }: Shown): string {
  return isRight ? ' '.repeat(Math.max(0, width - widthOf(text))) + text : pad(text, width);
}
