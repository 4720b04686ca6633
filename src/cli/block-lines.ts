import { type Paint, pad, widthOf } from './style.ts';
import { wrap } from './wrap.ts';

/** Width of the labels on the left. */
const LABEL = 14;
/** Width of a fact, so that facts line up below each other and keep their place. */
const FACT = 24;
/** The least width for a fact's text, however narrow the terminal. */
const WORD = 8;

/** How the lines of a block are drawn. */
export interface LineStyle {
  readonly paint: Paint;
  /** Columns of the terminal. */
  readonly columns: number;
}

/** Facts behind a label, side by side; what the terminal has no room for goes on below. */
export function factLines(
  label: string,
  facts: readonly string[],
  { paint, columns }: LineStyle,
): string[] {
  return beside(paint('quiet', pad(`  ${label}`, LABEL)), facts, columns);
}

/** Facts behind the name of a market. */
export function headLines(
  name: string,
  facts: readonly string[],
  { paint, columns }: LineStyle,
): string[] {
  return beside(paint('strong', pad(name, Math.max(LABEL, name.length + 2))), facts, columns);
}

function beside(label: string, facts: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  let line = label;
  for (const [at, fact] of facts.entries()) {
    if (at > 0 && widthOf(line) + widthOf(fact) > columns) {
      lines.push(line);
      line = ' '.repeat(LABEL);
    }
    const begin = widthOf(line);
    const pieces = wrap(fact, Math.max(WORD, columns - begin));
    for (const piece of pieces.slice(0, -1)) {
      lines.push(line + piece);
      line = ' '.repeat(begin);
    }
    line += `${pad(pieces.at(-1)!, FACT - 2)}  `;
  }
  return [...lines, line].map((text) => text.trimEnd());
}
