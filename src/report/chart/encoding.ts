/**
 * Columns as short lists of whole numbers for the page: values are multiples of 10^-places, each
 * given as the difference to the one before. The page's script undoes it.
 */

/** A column as differences of whole units. */
export interface EncodedColumn {
  readonly places: number;
  readonly deltas: readonly number[];
}

/** A column in which the same difference comes often: pairs of difference and how many times. */
export interface EncodedRuns {
  readonly places: number;
  readonly runs: readonly number[];
}

export function encodeColumn(values: Float64Array, places: number): EncodedColumn {
  return { places, deltas: deltasOf(values, places) };
}

export function encodeRuns(values: Float64Array, places: number): EncodedRuns {
  const runs: number[] = [];
  for (const delta of deltasOf(values, places)) {
    if (runs.at(-2) === delta) runs.push(runs.pop()! + 1);
    else runs.push(delta, 1);
  }
  return { places, runs };
}

/** Times in whole seconds, as the chart wants them. */
export function encodeTimes(times: Float64Array): EncodedRuns {
  return encodeRuns(
    times.map((time) => Math.floor(time / 1000)),
    0,
  );
}

function deltasOf(values: Float64Array, places: number): number[] {
  const deltas: number[] = [];
  let previous = 0;
  for (const value of values) {
    const units = Math.round(value * 10 ** places);
    deltas.push(units - previous);
    previous = units;
  }
  return deltas;
}
