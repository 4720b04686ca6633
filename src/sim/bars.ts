import { INTERVAL_MS, INTERVALS, type Interval } from '../domain/index.ts';
import { DAY_MS, MINUTE_MS } from '../kernel/index.ts';

/** Bars that a market remembers, of each interval. Source: contract, kline `size`. */
export const BARS_KEPT = 1_000;
/** Minutes are kept for longer: the 24-hour summary is made of them. */
const MINUTES_KEPT = DAY_MS / MINUTE_MS;
/** Monday, 5 January 1970: weeks start on Mondays, UTC. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** Prices over one interval, in whole units. */
export interface Bar {
  readonly openTime: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** The start of the interval that holds a time. */
export function openTimeOf(timeMs: number, interval: Interval): number {
  const length = INTERVAL_MS[interval];
  const origin = interval === '1week' ? FIRST_MONDAY_MS : 0;
  return Math.floor((timeMs - origin) / length) * length + origin;
}

/**
 * Bars of all intervals, built from trades. An interval without trades has no bar.
 *
 * A trade touches the running minute only; a minute that has ended is folded into the others.
 */
export class Bars {
  readonly #ended = new Map<Interval, Bar[]>(INTERVALS.map((interval) => [interval, []]));
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

  /** Bars that open at `fromMs` or later, oldest first, at most the newest 1000. */
  from(interval: Interval, fromMs: number): Bar[] {
    const ended = this.#ended.get(interval)!;
    let first = ended.length;
    const earliest = Math.max(0, ended.length - BARS_KEPT);
    while (first > earliest && ended[first - 1]!.openTime >= fromMs) first--;
    const bars = ended.slice(first);
    if (this.#minute !== undefined) this.#appendRunning(bars, { interval, fromMs });
    return bars.length > BARS_KEPT ? bars.slice(1) : bars;
  }

  /** All minutes known that have ended, at least of the last 24 hours, oldest first. */
  get endedMinutes(): readonly Bar[] {
    return this.#ended.get('1min')!;
  }

  get runningMinute(): Bar | undefined {
    return this.#minute;
  }

  #endMinute(): void {
    const minute = this.#minute;
    if (minute === undefined) return;
    this.#minute = undefined;
    for (const interval of INTERVALS) this.#fold(interval, minute);
  }

  #appendRunning(bars: Bar[], at: { interval: Interval; fromMs: number }): void {
    const minute = this.#minute!;
    const openTime = openTimeOf(minute.openTime, at.interval);
    if (openTime < at.fromMs) return;
    const last = bars[bars.length - 1];
    if (last?.openTime === openTime) bars[bars.length - 1] = merged(last, minute);
    else bars.push({ ...minute, openTime });
  }

  #fold(interval: Interval, minute: Bar): void {
    const bars = this.#ended.get(interval)!;
    const openTime = openTimeOf(minute.openTime, interval);
    const last = bars[bars.length - 1];
    if (last?.openTime === openTime) bars[bars.length - 1] = merged(last, minute);
    else bars.push({ ...minute, openTime });
    if (bars.length >= 2 * MINUTES_KEPT) bars.splice(0, bars.length - MINUTES_KEPT);
  }
}

function merged(earlier: Bar, later: Bar): Bar {
  return {
    openTime: earlier.openTime,
    open: earlier.open,
    high: Math.max(earlier.high, later.high),
    low: Math.min(earlier.low, later.low),
    close: later.close,
    volume: earlier.volume + later.volume,
  };
}
