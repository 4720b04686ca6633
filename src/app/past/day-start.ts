import { EMPTY } from 'rxjs';
import { isFill, type Market, type TradingEvent } from '../../domain/index.ts';
import { Bus, DAY_MS } from '../../kernel/index.ts';
import { PositionLedger } from '../../ledger/index.ts';
import type { DayStart } from '../../risk/index.ts';
import type { Recollection } from './recall.ts';

/**
 * What was held, and earned, when the losses of today began to count: the fills of earlier runs
 * before midnight UTC, or before the last reset by a person where that came later. With the prices
 * that were traded first since.
 */
export function dayStartOf(
  { held, bookings, resetTime = 0 }: Recollection,
  { markets, nowMs }: { readonly markets: ReadonlyMap<string, Market>; readonly nowMs: number },
): DayStart & PositionLedger {
  const sinceMs = Math.max(Math.floor(nowMs / DAY_MS) * DAY_MS, resetTime);
  const bus = new Bus<TradingEvent>();
  const positions = new PositionLedger({ bus, markets, bookings: EMPTY });
  for (const one of held) if (markets.has(one.market)) positions.restoreHeld(one);
  const firstPrices = new Map<string, number>();
  for (const booking of bookings) {
    const { market, time } = booking;
    if (!markets.has(market)) continue;
    if (time < sinceMs) positions.restore(booking);
    else if (isFill(booking) && !firstPrices.has(market)) firstPrices.set(market, booking.price);
  }
  return Object.assign(positions, { firstPrice: (market: string) => firstPrices.get(market) });
}
