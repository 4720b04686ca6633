import { Doubles } from '../kernel/index.ts';
import type { Conventions } from './config.ts';
import type { EquityColumns } from './record.ts';

/** What a curve tells, values that are not known left out. Times and lengths in milliseconds. */
export interface Curve {
  /** The first value, and the last: NaN where it is not known. */
  readonly first: number;
  readonly last: number;
  readonly elapsedMs: number;
  /** Of the last value. */
  readonly endTime: number;
  /** Lowest value of all: at zero or below it, returns mean nothing. */
  readonly lowest: number;
  /** Simple returns, one a period of the conventions; a part of one at either end counts as one. */
  readonly returns: Float64Array;
  readonly drawdown: Drawdown;
}

/** The deepest fall of a curve below its last peak, and the longest time below one. */
export interface Drawdown {
  /** Share of the peak lost at the deepest: zero or negative. */
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

/** A curve, or some rows of it, as columns of one length. */
export interface CurveColumns {
  readonly time: Float64Array;
  readonly values: Float64Array;
}

/** A curve, some rows at a time; to be gone through as often as wanted. */
export type CurveBlocks = Iterable<CurveColumns>;

type CurveName = 'equity' | 'buyAndHold' | 'leftAlone';

/** One of the curves of an account: nothing of one that it has not. */
export function curveOf(account: Iterable<EquityColumns>, name: CurveName): CurveBlocks {
  return { [Symbol.iterator]: () => curveBlocks(account, name) };
}

function* curveBlocks(account: Iterable<EquityColumns>, name: CurveName): Generator<CurveColumns> {
  for (const { time, [name]: values } of account) if (values !== undefined) yield { time, values };
}

/** Goes through the rows of a curve. */
export function eachRow(curve: CurveBlocks, take: (time: number, value: number) => void): void {
  for (const { time, values } of curve) {
    for (let at = 0; at < time.length; at++) take(time[at]!, values[at]!);
  }
}

/** A curve without the rows whose value is not known (NaN). */
export function knownRows(curve: CurveBlocks): CurveBlocks {
  return { [Symbol.iterator]: () => knownBlocks(curve) };
}

function* knownBlocks(curve: CurveBlocks): Generator<CurveColumns> {
  for (const { time, values } of curve) {
    const isKnown = (_: number, at: number): boolean => !Number.isNaN(values[at]!);
    if (values.every(isKnown)) yield { time, values };
    else yield { time: time.filter(isKnown), values: values.filter(isKnown) };
  }
}

/** Measures a curve. A value stamped at the very end of a period belongs to that period. */
export function analyseCurve(curve: CurveBlocks, conventions: Conventions): Curve {
  const known = knownRows(curve);
  return { ...endsOf(curve), returns: periodReturns(known, conventions), ...drawdownOf(known) };
}

function endsOf(curve: CurveBlocks): Pick<Curve, 'first' | 'last' | 'elapsedMs' | 'endTime'> {
  let startTime: number | undefined;
  let endTime = Number.NaN;
  let first = Number.NaN;
  let last = Number.NaN;
  for (const { time, values } of curve) {
    if (time.length === 0) continue;
    if (startTime === undefined) [startTime, first] = [time[0]!, values[0]!];
    [endTime, last] = [time.at(-1)!, values.at(-1)!];
  }
  return { first, last, elapsedMs: startTime === undefined ? 0 : endTime - startTime, endTime };
}

type Periods = Pick<Conventions, 'periodMs' | 'offsetMs' | 'countsEmptyPeriods'>;

/** Simple returns from the end of one period to that of the next: see `countsEmptyPeriods`. */
export function periodReturns(
  curve: CurveBlocks,
  { periodMs, offsetMs, countsEmptyPeriods }: Periods,
): Float64Array {
  const returns = new Doubles();
  let period = Number.NaN;
  let opening: number | undefined;
  let closing = Number.NaN;
  let isEmpty = true;
  const end = (): void => {
    if (isEmpty && !countsEmptyPeriods) return;
    returns.push(closing / opening! - 1);
    opening = closing;
    isEmpty = true;
  };
  eachRow(curve, (time, value) => {
    if (opening === undefined) {
      opening = value;
      period = Math.floor((time - offsetMs) / periodMs) + 1;
    } else {
      for (; time > offsetMs + period * periodMs; period++) end();
      isEmpty = false;
    }
    closing = value;
  });
  if (!isEmpty) end();
  return returns.view();
}

function drawdownOf(curve: CurveBlocks): Pick<Curve, 'drawdown' | 'lowest'> {
  const falls = new Falls();
  eachRow(curve, (time, value) => falls.add(time, value));
  return falls.told();
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

  told(): Pick<Curve, 'drawdown' | 'lowest'> {
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
    const depth = value / this.#peak - 1;
    if (!(depth < this.#deepest!.depth)) return;
    const [amount, peakTime, troughTime] = [value - this.#peak, this.#peakTime, this.#time];
    this.#deepest = { depth, amount, peakTime, troughTime, recoveryTime: undefined };
  }

  #endFall(): void {
    if (!this.#isUnder) return;
    this.#longestMs = Math.max(this.#longestMs, this.#time - this.#peakTime);
  }
}

/** How far each value lies below the highest before it, in percent: zero or negative. */
export function drawdownCurve(curve: CurveBlocks): CurveBlocks {
  return { [Symbol.iterator]: () => drawdownBlocks(curve) };
}

function* drawdownBlocks(curve: CurveBlocks): Generator<CurveColumns> {
  let peak = Number.NEGATIVE_INFINITY;
  for (const { time, values } of curve) {
    const percent = values.map((value) => {
      if (value > peak) peak = value;
      return (value / peak - 1) * 100;
    });
    yield { time, values: percent };
  }
}
