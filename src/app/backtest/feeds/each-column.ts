/** The rows with every column replaced by what `make` returns for it. */
export function eachColumn<Rows extends { readonly [name in keyof Rows]: Float64Array }>(
  rows: Rows,
  make: (column: Float64Array, name: keyof Rows) => Float64Array,
): Rows {
  const entries = Object.entries<Float64Array>(rows).map(([name, column]) => {
    return [name, make(column, name as keyof Rows)];
  });
  return Object.fromEntries(entries) as Rows;
}
