import type { DepthColumns } from '../../../domain/index.ts';

/**
 * The same rows of depth in chunks that end with an update: no book or change is in two of them. A
 * chunk's arrays hold until the next is asked for.
 */
export async function* wholeUpdates(
  chunks: AsyncIterable<DepthColumns>,
): AsyncGenerator<DepthColumns> {
  let held: DepthColumns | undefined;
  for await (const chunk of chunks) {
    const { update } = chunk;
    const end = update.length;
    if (end === 0) continue;
    let from = 0;
    if (held !== undefined) {
      while (from < end && update[from] === held.update[0]) from++;
      held = joined(held, partOf(chunk, 0, from));
      if (from === end) continue;
      yield held;
    }
    let to = end;
    while (to > from && update[to - 1] === update[end - 1]) to--;
    if (to > from) yield partOf(chunk, from, to);
    // A copy: the arrays of a chunk serve the next one.
    held = mapped((name) => chunk[name].slice(to));
  }
  if (held !== undefined) yield held;
}

function partOf(rows: DepthColumns, from: number, to: number): DepthColumns {
  return mapped((name) => rows[name].subarray(from, to));
}

function joined(some: DepthColumns, others: DepthColumns): DepthColumns {
  return mapped((name) => {
    const column = new Float64Array(some[name].length + others[name].length);
    column.set(some[name]);
    column.set(others[name], some[name].length);
    return column;
  });
}

function mapped(column: (name: keyof DepthColumns) => Float64Array): DepthColumns {
  return {
    ...{ time: column('time'), received: column('received'), update: column('update') },
    ...{ event: column('event'), side: column('side') },
    ...{ price: column('price'), amount: column('amount') },
  };
}
