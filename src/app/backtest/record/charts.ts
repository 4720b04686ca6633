import type { CandleColumns } from '../../../domain/index.ts';
import { DEPTH_EVENTS } from '../../../history/index.ts';
import { Doubles, getOrInsert } from '../../../kernel/index.ts';
import type { PriceColumns } from '../../../report/index.ts';

/** Most candles of a chart: more would exceed the columns of a screen and strain a browser. */
const CANDLES_MAX = 20_000;
/** Most candles of all charts of a report together, at about 20 bytes each. */
const CANDLES_OF_ALL_MAX = 45_000;

/** A growing chart of candles of one length. The range of the last candle is kept apart. */
class GrowingChart {
  readonly #grid: Grid;
  readonly #time = new Doubles();
  readonly #open = new Doubles();
  readonly #high = new Doubles();
  readonly #low = new Doubles();
  readonly #close = new Doubles();
  /** When the last candle is over. */
  #endMs = Number.NEGATIVE_INFINITY;
  #highest = Number.NaN;
  #lowest = Number.NaN;
  #newest = Number.NaN;

  constructor(grid: Grid) {
    this.#grid = grid;
  }

  /** Adds one finer candle, or a trade, whose four prices are the same. */
  take({ time, open, high, low, close }: PriceColumns, at: number): void {
    if (time[at]! >= this.#endMs) this.#begin(time[at]!, open[at]!);
    if (high[at]! > this.#highest) this.#highest = high[at]!;
    if (low[at]! < this.#lowest) this.#lowest = low[at]!;
    this.#newest = close[at]!;
  }

  columns(): PriceColumns {
    this.#settle();
    const [time, open, high] = [this.#time.view(), this.#open.view(), this.#high.view()];
    return { time, open, high, low: this.#low.view(), close: this.#close.view() };
  }

  #begin(timeMs: number, price: number): void {
    this.#settle();
    const { fromMs, stepMs } = this.#grid;
    const startMs = fromMs + Math.floor((timeMs - fromMs) / stepMs) * stepMs;
    this.#endMs = startMs + stepMs;
    this.#time.push(startMs);
    for (const column of [this.#open, this.#high, this.#low, this.#close]) column.push(price);
    this.#highest = price;
    this.#lowest = price;
  }

  /** Writes the last candle's range and close into the columns. */
  #settle(): void {
    const last = this.#time.length - 1;
    if (last < 0) return;
    this.#high.set(last, this.#highest);
    this.#low.set(last, this.#lowest);
    this.#close.set(last, this.#newest);
  }
}

/** Trades, or rows of depth with trades among them. */
interface TradeRows {
  readonly time: Float64Array;
  readonly price: Float64Array;
  readonly event?: Float64Array;
}

/** Where the candles of a chart begin, and how long they are. */
interface Grid {
  readonly fromMs: number;
  readonly stepMs: number;
}

/** Keeps the prices of each market for its chart: the candles of the data or coarser ones. */
export class Charts {
  readonly #charts = new Map<string, GrowingChart>();
  readonly #grid: Grid;

  /** `stepMs`: the length of the finest candles that make sense. `markets`: how many there are. */
  constructor(options: Grid & { readonly toMs: number; readonly markets: number }) {
    const { fromMs, toMs, stepMs, markets } = options;
    const limit = Math.min(CANDLES_MAX, Math.floor(CANDLES_OF_ALL_MAX / markets));
    const factor = Math.max(1, Math.ceil((toMs - fromMs) / stepMs / limit));
    this.#grid = { fromMs, stepMs: stepMs * factor };
  }

  /** Adds the candles of a market's chunk that lie before `end`. */
  addCandles(market: string, candles: CandleColumns, end = candles.time.length): void {
    const chart = this.#chartOf(market);
    const { time } = candles;
    const { fromMs } = this.#grid;
    for (let at = 0; at < end; at++) if (time[at]! >= fromMs) chart.take(candles, at);
  }

  /** Adds the trades of a market's chunk that lie before `end`. */
  addTrades(market: string, { time, price, event }: TradeRows, end = time.length): void {
    const chart = this.#chartOf(market);
    const { fromMs } = this.#grid;
    const prices = { time, open: price, high: price, low: price, close: price };
    for (let at = 0; at < end; at++) {
      if (event !== undefined && event[at] !== DEPTH_EVENTS.trade) continue;
      if (time[at]! >= fromMs) chart.take(prices, at);
    }
  }

  /** The charts so far, by market. */
  columns(): ReadonlyMap<string, PriceColumns> {
    return new Map(Array.from(this.#charts, ([market, chart]) => [market, chart.columns()]));
  }

  #chartOf(market: string): GrowingChart {
    return getOrInsert(this.#charts, market, () => new GrowingChart(this.#grid));
  }
}
