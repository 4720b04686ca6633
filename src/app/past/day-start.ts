import { EMPTY } from 'rxjs';
import { isFill, type Market, type TradingEvent } from '../../domain/index.ts';
import { Bus, DAY_MS } from '../../kernel/index.ts';
import { PositionLedger } from '../../ledger/index.ts';
import type { DayStart } from '../../risk/index.ts';
import type { Recollection } from './recall.ts';

/**
 * The positions and profit from which today's losses count: those after the fills of earlier runs
 * before midnight UTC, or before the last reset by a person if that came later. With the price of
 * each market's first fill since.
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
