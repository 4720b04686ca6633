/** A text as a literal of SQL. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * The path of a file to be read, as a literal of SQL: for that file alone, even if its name is also
 * a pattern (`trades[1].csv`) that others match.
 */
export function pathLiteral(path: string): string {
  return literal(path.replace(/[[*?]/g, '[$&]'));
}

/** A name as an identifier of SQL. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Names as identifiers, one behind the other. */
export function identifiers(names: readonly string[]): string {
  return names.map(identifier).join(', ');
}

/** The rows of Parquet files, in their order. */
export function parquet(files: readonly string[]): string {
  return `read_parquet([${files.map(pathLiteral).join(', ')}])`;
}

/** The order of rows in Parquet files. */
export const FILE_ORDER = 'file_index, file_row_number';

/** Some rows of a table or of files, as SQL, and their order. */
export interface Selection {
  /** Such as `staged WHERE time > 0`. */
  readonly from: string;
  /** Columns, such as `time, row`, or those of `FILE_ORDER`. */
  readonly order: string;
}

/**
 * The rows of several selections, one selection after the other, or by a column `first`. They have
 * to be numbered: a union keeps no order, and a join may pass on few rows behind many later ones.
 */
export function inOrder(
  columns: string,
  { selections, first }: { readonly selections: readonly Selection[]; readonly first?: string },
): string {
  if (selections.length === 1) {
    const { from, order } = selections[0]!;
    return `SELECT ${columns} FROM ${from} ORDER BY ${order}`;
  }
  const numbered = selections.map(({ from, order }, part) => {
    const place = `row_number() OVER (ORDER BY ${order})`;
    return `SELECT ${columns}, ${part} AS part, ${place} AS place FROM ${from}`;
  });
  const order = first === undefined ? 'part, place' : `${first}, part, place`;
  return `SELECT ${columns} FROM (${numbered.join(' UNION ALL ')}) ORDER BY ${order}`;
}
