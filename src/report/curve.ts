import type { EquityColumns } from './record.ts';

/** A curve, or a block of its rows, as columns of one length. */
export interface CurveColumns {
  readonly time: Float64Array;
  readonly values: Float64Array;
}

/** A curve in blocks of rows; can be iterated any number of times. */
export type CurveBlocks = Iterable<CurveColumns>;

type CurveName = 'equity' | 'buyAndHold' | 'leftAlone';

/** One of the curves of an account; empty if the account does not have it. */
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

/**
 * How far each value lies below the highest before it, in percent: zero or negative. Below a peak
 * of zero or less it is -100.
 */
export function drawdownCurve(curve: CurveBlocks): CurveBlocks {
  return { [Symbol.iterator]: () => drawdownBlocks(curve) };
}

function* drawdownBlocks(curve: CurveBlocks): Generator<CurveColumns> {
  let peak = Number.NEGATIVE_INFINITY;
  for (const { time, values } of curve) {
    const percent = values.map((value) => {
      if (value > peak) peak = value;
      if (value === peak) return 0;
      return peak > 0 ? (value / peak - 1) * 100 : -100;
    });
    yield { time, values: percent };
  }
}
