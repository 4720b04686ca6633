import { Doubles } from '../kernel/index.ts';
import { type Conventions, calendarMonthsOf } from './config.ts';
import type { CurveColumns } from './curve.ts';

/** What is measured of a curve, unknown values left out. Times and lengths in milliseconds. */
export interface Curve {
  /** The first and the last value: NaN if it is not known. */
  readonly first: number;
  readonly last: number;
  readonly elapsedMs: number;
  /** Of the last value. */
  readonly endTime: number;
  /** Lowest value of all. If it is zero or below, returns mean nothing. */
  readonly lowest: number;
  /** Simple returns, one per period; a partial period at either end counts as one. */
  readonly returns: Float64Array;
  readonly drawdown: Drawdown;
}

/** The deepest fall of a curve below its last peak, and the longest time below one. */
export interface Drawdown {
  /** The deepest fall as a share of its peak, zero or negative; infinite below a peak of zero. */
  readonly depth: number;
  /** The same in the curve's own unit. */
  readonly amount: number;
  readonly peakTime: number;
  readonly troughTime: number;
  /** When the peak was reached again after the deepest fall; undefined if it never was. */
  readonly recoveryTime: number | undefined;
  /** The longest time from a peak to its recovery, or to the end. */
  readonly longestMs: number;
}

type Periods = Pick<Conventions, 'periodName' | 'periodMs' | 'offsetMs' | 'countsEmptyPeriods'>;

/** Measures a curve that comes in blocks of rows. */
export class CurveMeter {
  readonly #returns: PeriodReturns;
  readonly #falls = new Falls();
  #startTime = Number.NaN;
  #endTime = Number.NaN;
  #first = Number.NaN;
  #last = Number.NaN;

  constructor(periods: Periods) {
    this.#returns = new PeriodReturns(periods);
  }

  /** Takes the next rows. */
  add({ time, values }: CurveColumns): void {
    if (time.length === 0) return;
    if (Number.isNaN(this.#startTime)) [this.#startTime, this.#first] = [time[0]!, values[0]!];
    [this.#endTime, this.#last] = [time.at(-1)!, values.at(-1)!];
    for (let at = 0; at < time.length; at++) {
      const value = values[at]!;
      if (Number.isNaN(value)) continue;
      this.#returns.add(time[at]!, value);
      this.#falls.add(time[at]!, value);
    }
  }

  result(): Curve {
    const [first, last, endTime] = [this.#first, this.#last, this.#endTime];
    const elapsedMs = Number.isNaN(this.#startTime) ? 0 : endTime - this.#startTime;
    const returns = this.#returns.result();
    return { first, last, elapsedMs, endTime, returns, ...this.#falls.result() };
  }
}

/**
 * Simple returns from the end of one period to that of the next: see `countsEmptyPeriods`. A value
 * stamped at the very end of a period belongs to that period.
 */
class PeriodReturns {
  readonly #periods: Periods;
  readonly #returns = new Doubles();
  /** When the current period ends; NaN before the first row. */
  #endMs = Number.NaN;
  #opening = Number.NaN;
  #closing = Number.NaN;
  #isEmpty = true;

  constructor(periods: Periods) {
    this.#periods = periods;
  }

  add(time: number, value: number): void {
    if (Number.isNaN(this.#endMs)) this.#begin(time, value);
    else {
      while (time > this.#endMs) this.#end();
      this.#isEmpty = false;
    }
    this.#closing = value;
  }

  result(): Float64Array {
    if (!this.#isEmpty) this.#end();
    return this.#returns.view();
  }

  #begin(time: number, value: number): void {
    this.#opening = value;
    this.#endMs = endAfter(time, this.#periods);
  }

  #end(): void {
    this.#endMs = endAfter(this.#endMs, this.#periods);
    if (this.#isEmpty && !this.#periods.countsEmptyPeriods) return;
    this.#returns.push(this.#closing / this.#opening - 1);
    this.#opening = this.#closing;
    this.#isEmpty = true;
  }
}

/** The first end of a period after a time. */
function endAfter(time: number, { periodName, periodMs, offsetMs }: Periods): number {
  const periodMonths = calendarMonthsOf(periodName);
  if (periodMonths === undefined) {
    return offsetMs + (Math.floor((time - offsetMs) / periodMs) + 1) * periodMs;
  }
  const date = new Date(time);
  const month = date.getUTCMonth();
  return Date.UTC(date.getUTCFullYear(), month - (month % periodMonths) + periodMonths);
}

/** Follows a curve from peak to peak. */
class Falls {
  #lowest = Number.NaN;
  #peak = Number.NaN;
  #peakTime = Number.NaN;
  #time = Number.NaN;
  #isUnder = false;
  #longestMs = 0;
  #deepest: Omit<Drawdown, 'longestMs'> | undefined;

  add(time: number, value: number): void {
    this.#time = time;
    if (this.#deepest === undefined) this.#begin(time, value);
    else if (value >= this.#peak) this.#rise(time, value);
    else this.#fall(value);
  }

  result(): Pick<Curve, 'drawdown' | 'lowest'> {
    this.#endFall();
    const time = Number.NaN;
    const none = { depth: 0, amount: 0, peakTime: time, troughTime: time, recoveryTime: time };
    const drawdown = { ...(this.#deepest ?? none), longestMs: this.#longestMs };
    return { drawdown, lowest: this.#lowest };
  }

  #begin(time: number, value: number): void {
    this.#lowest = value;
    this.#peak = value;
    this.#peakTime = time;
    this.#deepest = { depth: 0, amount: 0, peakTime: time, troughTime: time, recoveryTime: time };
  }

  #rise(time: number, value: number): void {
    this.#endFall();
    const deepest = this.#deepest!;
    if (deepest.recoveryTime === undefined) this.#deepest = { ...deepest, recoveryTime: time };
    this.#isUnder = false;
    this.#peak = value;
    this.#peakTime = time;
  }

  #fall(value: number): void {
    this.#isUnder = true;
    if (value < this.#lowest) this.#lowest = value;
    const depth = this.#peak > 0 ? value / this.#peak - 1 : Number.NEGATIVE_INFINITY;
    if (!(depth < this.#deepest!.depth)) return;
    const [amount, peakTime, troughTime] = [value - this.#peak, this.#peakTime, this.#time];
    this.#deepest = { depth, amount, peakTime, troughTime, recoveryTime: undefined };
  }

  #endFall(): void {
    if (!this.#isUnder) return;
    this.#longestMs = Math.max(this.#longestMs, this.#time - this.#peakTime);
  }
}
