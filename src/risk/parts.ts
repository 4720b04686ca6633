/** A rest of less than so many times the least order may be none, once the price has moved. */
const MARGIN = 2n;

/**
 * How much of what is wanted leaves in one part, all in units of the amount: the most that one order
 * may trade, or the half of all where the rest would be too little for an order of its own.
 */
export function partOf(
  wanted: bigint,
  { most, least }: { readonly most: bigint; readonly least: bigint },
): bigint {
  const rest = wanted - most;
  if (rest <= 0n || rest >= MARGIN * least) return most;
  const half = (wanted + 1n) / 2n;
  return half >= least && half <= most ? half : most;
}
