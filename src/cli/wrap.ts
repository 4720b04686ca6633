import { RESET, STYLES, terminalWidth, widthOf } from './style.ts';

/** The indent of continuation lines, in columns. */
const HANG = 4;

/** Marks a line with a command to copy, which must not be broken. */
const COMMAND = 'npx tradewind ';

/** Breaks a text at blanks into lines of at most `width`; a longer word gets its own line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of text.split(' ')) {
    const longer: string = line === undefined ? word : `${line} ${word}`;
    if (line !== undefined && widthOf(longer) > width) {
      lines.push(line.trimEnd());
      line = word;
    } else {
      line = longer;
    }
  }
  return carried([...lines, line!]);
}

/** Lines as one text, in which none is wider than the terminal; a pipe gets them as they are. */
export function printed(lines: readonly string[], width: number = terminalWidth()): string {
  const all = lines.flatMap((line) => line.split('\n'));
  return `${all.flatMap((line) => reflow(line, width)).join('\n')}\n`;
}

/**
 * Breaks a line that is wider than the terminal. Cells, separated by two or more blanks, keep their
 * place while they fit. The last one wraps below itself if it has at least half the width; else
 * what does not fit goes to lines of its own. A line with a command stays as it is.
 */
function reflow(line: string, width: number): string[] {
  if (widthOf(line) <= width || line.includes(COMMAND)) return [line];
  const cells = [...line.matchAll(/\S+(?: \S+)*/g)].map(({ 0: text, index }) => ({
    ...{ text, index, start: widthOf(line.slice(0, index)), end: index + text.length },
  }));
  const fitting = cells.filter(({ start, text }) => start + widthOf(text) <= width).length;
  const { start, index } = cells[fitting] ?? { start: 0, index: 0 };
  const isLast = fitting === cells.length - 1;
  if (isLast && start <= width / 2) {
    // A wrapped sentence is indented, so that it does not look like two.
    const hang = fitting === 0 ? start + HANG / 2 : start;
    return hung(line.slice(0, index), { rest: line.slice(index), hang, width });
  }
  const head = fitting === 0 ? '' : line.slice(0, cells[fitting - 1]!.end);
  const rest = cells.slice(fitting).map(({ text }) => text);
  const hang = (cells[0]?.start ?? 0) + HANG;
  const own = wrap(rest.join('  '), width - hang).map((text) => ' '.repeat(hang) + text);
  return carried(head === '' ? own : [head, ...own]);
}

function hung(
  head: string,
  { rest, hang, width }: { readonly rest: string; readonly hang: number; readonly width: number },
): string[] {
  const [first = '', ...others] = wrap(rest, width - hang);
  return carried([head + first, ...others.map((text) => ' '.repeat(hang) + text)]);
}

/** Ends open styles at the end of each line and reopens them in the next. */
function carried(lines: readonly string[]): string[] {
  let open = '';
  return lines.map((line) => {
    const begun = open + line;
    for (const [style] of line.matchAll(STYLES)) open = ENDS.has(style) ? '' : open + style;
    return open === '' ? begun : begun + RESET;
  });
}

/** The codes that end a style; accents are never nested. */
const ENDS: ReadonlySet<string> = new Set([RESET, '\u001b[22m', '\u001b[39m']);
