import type { Market } from '../../domain/index.ts';
import type { Analysis } from '../analysis.ts';
import { type CurveBlocks, curveOf, drawdownCurve, knownRows } from '../curve.ts';
import type { PriceColumns, RecordedFill } from '../record.ts';
import { largestMarks, marksOf, positionsOf } from './chart-fills.ts';
import { downsampleCurve } from './downsample.ts';
import {
  type EncodedColumn,
  type EncodedRuns,
  encodeColumn,
  encodeRuns,
  encodeTimes,
} from './encoding.ts';

/** Points of the equity curve. */
const CURVE_POINTS_MAX = 10_000;
/** Marks of fills that the page holds in all. */
const MARKS_MAX = 12_000;

/** A curve of money or percentages, with its own times. */
interface EncodedCurve {
  readonly time: EncodedRuns;
  readonly values: EncodedColumn;
}

/** One market on the page. */
export interface MarketChart {
  readonly id: string;
  readonly priceScale: number;
  readonly time: EncodedRuns;
  /** Each open less the close before; the others are differences within their candle. */
  readonly open: EncodedColumn['deltas'];
  readonly rise: EncodedColumn['deltas'];
  readonly fall: EncodedColumn['deltas'];
  readonly move: EncodedColumn['deltas'];
  readonly position: EncodedRuns;
  readonly marks: {
    readonly time: EncodedRuns;
    /** 1: an entry by a buy, 2: an exit by a buy; -1 and -2: the same by a sell. */
    readonly kind: readonly number[];
    readonly price: EncodedColumn;
    readonly amount: readonly number[];
    readonly total: number;
  };
}

/** What the charts of the page are drawn from. */
export interface ChartData {
  readonly currency: string;
  readonly places: number;
  readonly equity: EncodedCurve;
  readonly buyAndHold: EncodedCurve | undefined;
  readonly leftAlone: EncodedCurve | undefined;
  /** In percent. */
  readonly drawdown: EncodedCurve;
  readonly markets: readonly MarketChart[];
}

/** Packs a run's curves, prices and fills for the page, thinned to what a screen can show. */
export function chartDataOf({ record, money }: Analysis): ChartData {
  const { curve } = record;
  const equity = knownRows(curveOf(curve, 'equity'));
  const [beginning] = curve;
  const beside = (name: 'buyAndHold' | 'leftAlone') =>
    beginning?.[name] && encodedCurve(knownRows(curveOf(curve, name)), money.places);
  const priced = record.markets.filter(({ id }) => (record.prices.get(id)?.time.length ?? 0) > 0);
  return {
    currency: money.currency,
    places: money.places,
    equity: encodedCurve(equity, money.places),
    buyAndHold: beside('buyAndHold'),
    leftAlone: beside('leftAlone'),
    drawdown: encodedCurve(drawdownCurve(equity), 3),
    markets: priced.map((market) => marketChart(market, record, priced.length)),
  };
}

function encodedCurve(curve: CurveBlocks, places: number): EncodedCurve {
  const thinned = downsampleCurve(curve, CURVE_POINTS_MAX);
  return { time: encodeTimes(thinned.time), values: encodeColumn(thinned.values, places) };
}

function marketChart(
  market: Market,
  { prices, fills }: Pick<Analysis['record'], 'prices' | 'fills'>,
  count: number,
): MarketChart {
  const candles = prices.get(market.id)!;
  const own = { [Symbol.iterator]: () => fillsOf(fills, market) };
  const on = { candleTimes: candles.time, market };
  const marks = marksOf(own, on);
  const held = positionsOf(own, on);
  const shown = largestMarks(marks, Math.floor(MARKS_MAX / count));
  return {
    id: market.id,
    priceScale: market.priceScale,
    ...encodeCandles(candles, market.priceScale),
    position: encodeRuns(held, market.amountScale),
    marks: {
      time: encodeTimes(Float64Array.from(shown, ({ time }) => time)),
      kind: shown.map(({ side, isEntry }) => (side === 'buy' ? 1 : -1) * (isEntry ? 1 : 2)),
      price: encodeColumn(
        Float64Array.from(shown, ({ price }) => price),
        market.priceScale,
      ),
      amount: shown.map(({ amount }) => Number(amount.toPrecision(8))),
      total: marks.length,
    },
  };
}

function* fillsOf(fills: Iterable<RecordedFill>, { id }: Market): Generator<RecordedFill> {
  for (const fill of fills) if (fill.market === id) yield fill;
}

function encodeCandles({ time, open, high, low, close }: PriceColumns, scale: number) {
  const units = (value: number): number => Math.round(value * 10 ** scale);
  return {
    time: encodeTimes(time),
    open: Array.from(open, (value, at) => units(value) - (at === 0 ? 0 : units(close[at - 1]!))),
    move: Array.from(close, (value, at) => units(value) - units(open[at]!)),
    rise: Array.from(high, (value, at) => units(value) - units(Math.max(open[at]!, close[at]!))),
    fall: Array.from(low, (value, at) => units(Math.min(open[at]!, close[at]!)) - units(value)),
  };
}
