import { INTERVAL_MS, INTERVALS, type Interval, intervalStart } from '../domain/index.ts';
import { DAY_MS, MINUTE_MS } from '../kernel/index.ts';

/** Bars that a market remembers, of each interval. Source: contract, kline `size`. */
export const BARS_KEPT = 1_000;
/** Minutes are kept for longer: the 24-hour summary is made of them. */
const MINUTES_KEPT = DAY_MS / MINUTE_MS;

/** Prices over one interval, in whole units. */
export interface Bar {
  readonly openTime: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** The bars of one interval. */
class Series {
  /** All bars kept, oldest first; a further minute may change the newest one. */
  readonly bars: Bar[] = [];
  readonly #interval: Interval;
  readonly #lengthMs: number;

  constructor(interval: Interval) {
    this.#interval = interval;
    this.#lengthMs = INTERVAL_MS[interval];
  }

  /** Adds a minute that has ended. */
  fold(minute: Bar): void {
    const { bars } = this;
    if (this.newestHolds(minute)) {
      join(bars[bars.length - 1]!, minute);
      return;
    }
    bars.push(this.opened(minute));
    if (bars.length >= 2 * MINUTES_KEPT) bars.splice(0, bars.length - MINUTES_KEPT);
  }

  /** Whether a minute, which is no older than the newest bar, lies within that bar. */
  newestHolds(minute: Bar): boolean {
    const newest = this.bars[this.bars.length - 1];
    return newest !== undefined && minute.openTime < newest.openTime + this.#lengthMs;
  }

  /** A new bar that begins with a minute. */
  opened({ openTime, open, high, low, close, volume }: Bar): Bar {
    return { openTime: intervalStart(openTime, this.#interval), open, high, low, close, volume };
  }
}

/**
 * Bars of all intervals, built from trades. An interval without trades has no bar.
 *
 * A trade touches the running minute only; a minute that has ended is folded into the others.
 */
export class Bars {
  readonly #all: readonly Series[] = INTERVALS.map((interval) => new Series(interval));
  readonly #byInterval = new Map(INTERVALS.map((interval, at) => [interval, this.#all[at]!]));
  #minute: Bar | undefined;

  record({ time, price, amount }: { time: number; price: number; amount: number }): void {
    const minute = this.#minute;
    if (minute === undefined || time >= minute.openTime + MINUTE_MS) {
      this.#endMinute();
      const openTime = time - (time % MINUTE_MS);
      this.#minute = {
        openTime,
        open: price,
        high: price,
        low: price,
        close: price,
        volume: amount,
      };
      return;
    }
    if (price > minute.high) minute.high = price;
    if (price < minute.low) minute.low = price;
    minute.close = price;
    minute.volume += amount;
  }

  /** Adds a whole minute of the past. Minutes come in order of time, before any trade. */
  recordMinute(bar: Bar): void {
    this.#endMinute();
    this.#minute = { ...bar };
  }

  /** When the running minute ends, undefined when none runs. */
  get minuteEnd(): number | undefined {
    return this.#minute === undefined ? undefined : this.#minute.openTime + MINUTE_MS;
  }

  /** Ends the running minute if it is over. */
  roll(nowMs: number): void {
    if (this.#minute !== undefined && nowMs >= this.#minute.openTime + MINUTE_MS) {
      this.#endMinute();
    }
  }

  /**
   * Bars that open at `fromMs` or later, oldest first, at most the newest 1000. Read them at once:
   * the newest one goes on changing.
   */
  from(interval: Interval, fromMs: number): Bar[] {
    const series = this.#byInterval.get(interval)!;
    const { bars: ended } = series;
    let first = ended.length;
    const earliest = Math.max(0, ended.length - BARS_KEPT);
    while (first > earliest && ended[first - 1]!.openTime >= fromMs) first--;
    const bars = ended.slice(first);
    if (this.#minute !== undefined) appendRunning(bars, { series, minute: this.#minute, fromMs });
    return bars.length > BARS_KEPT ? bars.slice(1) : bars;
  }

  /** All minutes known that have ended, at least of the last 24 hours, oldest first. */
  get endedMinutes(): readonly Bar[] {
    return this.#byInterval.get('1min')!.bars;
  }

  get runningMinute(): Bar | undefined {
    return this.#minute;
  }

  #endMinute(): void {
    const minute = this.#minute;
    if (minute === undefined) return;
    this.#minute = undefined;
    for (const series of this.#all) series.fold(minute);
  }
}

/** Adds the running minute to a list of bars, without changing the bars that the series keeps. */
function appendRunning(
  bars: Bar[],
  { series, minute, fromMs }: { series: Series; minute: Bar; fromMs: number },
): void {
  if (!series.newestHolds(minute)) {
    const opened = series.opened(minute);
    if (opened.openTime >= fromMs) bars.push(opened);
    return;
  }
  const newest = bars.length - 1;
  if (newest >= 0) bars[newest] = join({ ...bars[newest]! }, minute);
}

/** Changes a bar to hold a later one as well. */
function join(bar: Bar, later: Bar): Bar {
  if (later.high > bar.high) bar.high = later.high;
  if (later.low < bar.low) bar.low = later.low;
  bar.close = later.close;
  bar.volume += later.volume;
  return bar;
}
