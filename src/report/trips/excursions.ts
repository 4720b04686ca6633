import type { PriceColumns } from '../record.ts';
import { rowsBefore, rowsUpTo } from '../rows.ts';
import type { RoundTrip } from './round-trip.ts';

/**
 * The trip with how far the price went against and for it, by the candles from the one that holds
 * its first fill to its last. A candle counts whole, what came before the fill in it included.
 */
export function withExcursions(trip: RoundTrip, prices: PriceColumns): RoundTrip {
  const { time, low, high } = prices;
  const first = Math.max(0, rowsUpTo(time, trip.openTime) - 1);
  const after = trip.closeTime === undefined ? time.length : rowsBefore(time, trip.closeTime);
  if (after <= first || time[first]! > trip.openTime) return trip;
  let lowest = Math.min(trip.entryPrice, trip.exitPrice ?? trip.entryPrice);
  let highest = Math.max(trip.entryPrice, trip.exitPrice ?? trip.entryPrice);
  for (let at = first; at < after; at++) {
    if (low[at]! < lowest) lowest = low[at]!;
    if (high[at]! > highest) highest = high[at]!;
  }
  const fall = lowest / trip.entryPrice - 1;
  const rise = highest / trip.entryPrice - 1;
  return trip.side === 'long'
    ? { ...trip, adverse: fall, favourable: rise }
    : { ...trip, adverse: 0 - rise, favourable: 0 - fall };
}
