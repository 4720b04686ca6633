import { DAY_MS, MINUTE_MS } from '../kernel/index.ts';
import type { Bar, Bars } from './bars.ts';

/** The last 24 hours of trading, in whole units; all zero before any trade. */
export interface DaySummary {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly last: number;
  readonly volume: number;
}

const NOTHING: DaySummary = { open: 0, high: 0, low: 0, last: 0, volume: 0 };

/**
 * Sums up the last 24 hours by the minute: ended minutes once a minute, the running one on asking.
 *
 * A day without trades shows the last price known, and no volume.
 */
export class DaySummaries {
  readonly #bars: Bars;
  #minute = Number.NaN;
  #newest: Bar | undefined;
  #ended: DaySummary = NOTHING;

  constructor(bars: Bars) {
    this.#bars = bars;
  }

  /** The summary at a time; zeros while nothing was ever traded. */
  at(nowMs: number): DaySummary {
    this.#bars.roll(nowMs);
    const minute = Math.floor(nowMs / MINUTE_MS);
    const newest = this.#bars.endedMinutes.at(-1);
    if (minute !== this.#minute || newest !== this.#newest) {
      this.#minute = minute;
      this.#newest = newest;
      this.#ended = sumUp(this.#bars.endedMinutes, minute * MINUTE_MS - DAY_MS);
    }
    const running = this.#bars.runningMinute;
    return running === undefined ? this.#ended : joined(this.#ended, running);
  }
}

function sumUp(minutes: readonly Bar[], afterMs: number): DaySummary {
  const newest = minutes[minutes.length - 1];
  if (newest === undefined) return NOTHING;
  let day: DaySummary | undefined;
  for (const bar of minutes) {
    if (bar.openTime <= afterMs) continue;
    day = day === undefined ? dayOf(bar) : joined(day, bar);
  }
  const last = newest.close;
  return day ?? { open: last, high: last, low: last, last, volume: 0 };
}

function dayOf({ open, high, low, close, volume }: Bar): DaySummary {
  return { open, high, low, last: close, volume };
}

function joined(day: DaySummary, bar: Bar): DaySummary {
  if (day.volume === 0) return dayOf(bar);
  return {
    open: day.open,
    high: Math.max(day.high, bar.high),
    low: Math.min(day.low, bar.low),
    last: bar.close,
    volume: day.volume + bar.volume,
  };
}
