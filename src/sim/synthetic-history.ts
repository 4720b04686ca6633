import { amountOf, type Market } from '../domain/index.ts';
import { fromUnits, HOUR_MS, MINUTE_MS, type Random, UNITS_MAX } from '../kernel/index.ts';
import type { SyntheticParameters } from './config.ts';
import type { FairValue } from './fair-value.ts';
import { priceNear } from './maker-ladder.ts';
import type { MinuteBar } from './simulated-market.ts';
import { poisson } from './taker-flow.ts';

/** Prices sampled within a minute: enough for a believable high and low. */
const LOOKS_PER_MINUTE = 12;

interface HistoryOptions {
  readonly market: Market;
  readonly parameters: SyntheticParameters;
  readonly random: Random;
  /** The present; the history ends with the minute before it. */
  readonly nowMs: number;
}

/**
 * The minutes before the start of a seeded market, made by the process that goes on from there.
 *
 * The fair value moves along; afterwards everything is scaled so that the present price is the
 * configured start price. There was no book: prices are fair values, volumes an estimate.
 */
export function syntheticHistory(fair: FairValue, options: HistoryOptions): MinuteBar[] {
  const { market, parameters, nowMs } = options;
  const minutes = Math.floor((parameters.historyHours * HOUR_MS) / MINUTE_MS);
  const end = nowMs - (nowMs % MINUTE_MS);
  const bars = Array.from({ length: minutes }, (_, i) =>
    minuteOf(fair, { ...options, openTime: end - (minutes - i) * MINUTE_MS }),
  );
  const factor = parameters.startPrice / fair.price;
  const volumeMax = fromUnits(UNITS_MAX - 1, market.amountScale);
  fair.rebase(parameters.startPrice);
  return bars
    .map(({ openTime, open, high, low, close, volume }) => ({
      openTime,
      open: priceNear(options, open * factor),
      high: priceNear(options, high * factor),
      low: priceNear(options, low * factor),
      close: priceNear(options, close * factor),
      volume: amountOf(market, Math.min(volumeMax, volume / factor)),
    }))
    .filter(({ low, volume }) => low > 0 && volume > 0);
}

function minuteOf(fair: FairValue, options: HistoryOptions & { openTime: number }): MinuteBar {
  const { openTime, random, parameters } = options;
  const prices = fair.walk(MINUTE_MS, LOOKS_PER_MINUTE);
  const trades = poisson(random, parameters.tradesPerMinute * fair.turbulence);
  const volume = (trades * parameters.tradeValue) / prices.close;
  return { openTime, ...prices, volume };
}
