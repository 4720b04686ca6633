/** A row of a table of texts: a label, two columns of values, and a remark. */
export type Row = readonly string[];

/** Rows in columns: the first and the last aligned left, those between them right. */
export function aligned(rows: readonly Row[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, cell.length);
    });
  }
  const last = widths.length - 1;
  const line = (row: Row): string =>
    row
      .map((cell, at) =>
        at === 0 || at === last ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!),
      )
      .join('  ')
      .trimEnd();
  return rows.map(line).join('\n');
}
