import {
  type Candle,
  INTERVAL_MS,
  type Interval,
  type Market,
  type Trade,
} from '../domain/index.ts';
import { type Clock, Decimal, unitsOrNaN } from '../kernel/index.ts';
import type { RiskView } from './review.ts';
import { VolumeWindow } from './volume-window.ts';

interface Watched {
  readonly market: Market;
  readonly window: VolumeWindow;
}

/**
 * The recent volume of the markets whose limits ask for it, as far as it was seen: in the first
 * window of a run it grows from nothing. A trade counts at its own time, or when it was heard of if
 * that is earlier: trades read after an outage get their place, and a date in the future adds
 * nothing.
 */
export class TradedVolume {
  readonly #clock: Clock;
  readonly #watched = new Map<string, Watched>();

  constructor({ clock, bus, markets, rules, candlesOf }: RiskView) {
    this.#clock = clock;
    for (const id of markets.keys()) {
      const known = rules.of(id);
      if (known === undefined || known.limits.volumeShareMax === undefined) continue;
      const watched = {
        market: known.market,
        window: new VolumeWindow(known.limits.volumeWindowMs),
      };
      this.#watched.set(id, watched);
      const interval = candlesOf?.get(id);
      if (interval === undefined) {
        bus.on('trade', id).subscribe((trade) => this.#onTrade(trade, watched));
      } else {
        bus.on('candle', id).subscribe((candle) => onCandle(candle, { interval, ...watched }));
      }
    }
  }

  /** The volume in the window that ends now, in the base currency. */
  of(market: string): Decimal {
    const watched = this.#watched.get(market);
    if (watched === undefined) return Decimal.ZERO;
    const units = watched.window.units(this.#clock.now());
    return new Decimal(BigInt(units), watched.market.amountScale);
  }

  #onTrade({ amount, exchangeTime }: Trade, { market, window }: Watched): void {
    window.add(unitsOf(amount, market), Math.min(exchangeTime, this.#clock.now()));
  }
}

function onCandle(
  { volume, openTime, closed, interval: itsInterval }: Candle,
  { market, window, interval }: Watched & { readonly interval: Interval },
): void {
  if (!closed || itsInterval !== interval) return;
  const toMs = openTime + INTERVAL_MS[interval];
  window.addEvenly(unitsOf(volume, market), { fromMs: openTime, toMs });
}

/** Whole units, rounded down; zero for what cannot be an amount. */
function unitsOf(amount: number, { amountScale }: Market): number {
  const units = unitsOrNaN(amount, amountScale);
  if (units >= 0) return units;
  const beyond = Math.floor(amount * 10 ** amountScale);
  return beyond >= 0 && Number.isFinite(beyond) ? beyond : 0;
}
