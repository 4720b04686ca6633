import type { CandleColumns } from '../../domain/index.ts';
import { DEPTH_EVENTS } from '../../history/index.ts';
import { Doubles } from '../../kernel/index.ts';
import type { PriceColumns } from '../../report/index.ts';

/** Most candles of a chart: more than a screen has columns, and than a browser likes. */
const CANDLES_MAX = 20_000;

/** A chart that grows. */
interface Chart {
  readonly time: Doubles;
  readonly open: Doubles;
  readonly high: Doubles;
  readonly low: Doubles;
  readonly close: Doubles;
}

/** Trades, or rows of depth with trades among them. */
interface TradeRows {
  readonly time: Float64Array;
  readonly price: Float64Array;
  readonly event?: Float64Array;
}

/** Keeps the prices of each market for the chart: the rows themselves, or coarser ones of them. */
export class Charts {
  readonly #charts = new Map<string, Chart>();
  readonly #stepMs: number;
  readonly #fromMs: number;

  /** `stepMs`: the finest candles that make sense. */
  constructor({ fromMs, toMs, stepMs }: { fromMs: number; toMs: number; stepMs: number }) {
    const factor = Math.max(1, Math.ceil((toMs - fromMs) / stepMs / CANDLES_MAX));
    this.#stepMs = stepMs * factor;
    this.#fromMs = fromMs;
  }

  /** Takes a chunk of candles of a market. */
  addCandles(market: string, { time, open, high, low, close }: CandleColumns): void {
    const chart = this.#chartOf(market);
    for (let at = 0; at < time.length; at++) {
      if (time[at]! < this.#fromMs) continue;
      this.#begin(chart, { timeMs: time[at]!, price: open[at]! });
      grow(chart, { high: high[at]!, low: low[at]!, close: close[at]! });
    }
  }

  /** Takes a chunk of trades of a market. */
  addTrades(market: string, { time, price, event }: TradeRows): void {
    const chart = this.#chartOf(market);
    for (let at = 0; at < time.length; at++) {
      if (time[at]! < this.#fromMs) continue;
      if (event !== undefined && event[at] !== DEPTH_EVENTS.trade) continue;
      const close = price[at]!;
      this.#begin(chart, { timeMs: time[at]!, price: close });
      grow(chart, { high: close, low: close, close });
    }
  }

  /** The charts so far, by market. */
  columns(): ReadonlyMap<string, PriceColumns> {
    return new Map(
      Array.from(this.#charts, ([market, { time, open, high, low, close }]) => [
        market,
        {
          ...{ time: time.view(), open: open.view(), high: high.view() },
          ...{ low: low.view(), close: close.view() },
        },
      ]),
    );
  }

  /** Begins a new candle of the chart where the last one is over. */
  #begin(
    { time, open, high, low, close }: Chart,
    { timeMs, price }: { readonly timeMs: number; readonly price: number },
  ): void {
    const steps = Math.floor((timeMs - this.#fromMs) / this.#stepMs);
    const start = this.#fromMs + steps * this.#stepMs;
    if (time.length > 0 && time.at(time.length - 1) >= start) return;
    time.push(start);
    for (const column of [open, high, low, close]) column.push(price);
  }

  #chartOf(market: string): Chart {
    let chart = this.#charts.get(market);
    if (chart === undefined) {
      const column = () => new Doubles();
      chart = {
        ...{ time: column(), open: column(), high: column() },
        ...{ low: column(), close: column() },
      };
      this.#charts.set(market, chart);
    }
    return chart;
  }
}

function grow(
  chart: Chart,
  { high, low, close }: { readonly high: number; readonly low: number; readonly close: number },
): void {
  const last = chart.time.length - 1;
  if (high > chart.high.at(last)) chart.high.set(last, high);
  if (low < chart.low.at(last)) chart.low.set(last, low);
  chart.close.set(last, close);
}
