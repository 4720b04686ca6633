/** How many of the rising times lie before `time`. */
function rowsBefore(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of the rising times lie at or before `time`. */
export function rowsUpTo(times: Float64Array, time: number): number {
  const before = rowsBefore(times, time);
  return times[before] === time ? before + 1 : before;
}
