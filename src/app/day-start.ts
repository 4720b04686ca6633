import { EMPTY } from 'rxjs';
import type { Market, TradingEvent } from '../domain/index.ts';
import { Bus, DAY_MS } from '../kernel/index.ts';
import { PositionLedger } from '../ledger/index.ts';
import type { Recollection } from './recall.ts';

/**
 * What was held, and earned, when the losses of today began to count: the fills of earlier runs
 * before midnight UTC, or before the last reset by a person where that came later.
 */
export function dayStartOf(
  { held, bookings, resetTime = 0 }: Recollection,
  { markets, nowMs }: { readonly markets: ReadonlyMap<string, Market>; readonly nowMs: number },
): PositionLedger {
  const sinceMs = Math.max(Math.floor(nowMs / DAY_MS) * DAY_MS, resetTime);
  const bus = new Bus<TradingEvent>();
  const positions = new PositionLedger({ bus, markets, bookings: EMPTY });
  for (const one of held) if (markets.has(one.market)) positions.restoreHeld(one);
  for (const booking of bookings) {
    if (booking.time < sinceMs && markets.has(booking.market)) positions.restore(booking);
  }
  return positions;
}
