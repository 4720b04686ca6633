/** A text as a literal of SQL. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
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
  return `read_parquet([${files.map(literal).join(', ')}])`;
}
