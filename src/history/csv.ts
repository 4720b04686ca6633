const DELIMITERS = [',', ';', '\t', '|'] as const;

/** A comma that is not within a number. */
const PARTING_COMMA = /(^|\D),|,(\D|$)/;

/** The delimiter of a table's columns, by its first line; undefined if it has none. */
export function delimiterOf(line: string): string | undefined {
  const [first, second] = DELIMITERS.filter((delimiter) => line.includes(delimiter));
  return second === undefined || PARTING_COMMA.test(line) ? first : second;
}

/** A line without quotes, blanks and a byte order mark, to be compared with others. */
export function bare(line: string): string {
  return line.replaceAll(/["\s]/g, '');
}

/** The cells of one line. Quoted cells may hold the delimiter and doubled quotes (RFC 4180). */
export function cellsOf(line: string, delimiter: string): string[] {
  if (!line.includes('"')) return line.split(delimiter);
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (quoted && character === '"' && line[at + 1] === '"') cell += line[++at];
    else if (character === '"') quoted = !quoted;
    else if (character === delimiter && !quoted) {
      cells.push(cell);
      cell = '';
    } else cell += character;
  }
  if (quoted) throw new TypeError('a quote is open at its end, a closed one is wanted');
  return [...cells, cell];
}
