import { intervalStart, type OrderState, type TradingEvent } from '../../../domain/index.ts';
import type { Bus } from '../../../kernel/index.ts';
import type { BacktestConfig } from '../config.ts';
import type { CandleSource, Source } from '../data/source.ts';

export interface UnmetOrdersOptions {
  readonly bus: Bus<TradingEvent>;
  readonly sources: readonly Source[];
  readonly fill: BacktestConfig['fill'];
  /** When the run ends: it cancels what rests then. */
  readonly toMs: number;
}

/**
 * Counts resting orders that were cancelled before a candle could fill them. An order that arrives
 * between two closes first meets the candle that opens next, when that closes. Where prices within
 * candles are heard, orders meet the rest of the open candle, and nothing is counted.
 */
export class UnmetOrders {
  readonly #sources: ReadonlyMap<string, CandleSource>;
  readonly #toMs: number;
  /** Resting orders that are over, and how many of them met no candle. */
  #rested = 0;
  #unmet = 0;

  constructor({ bus, sources, fill, toMs }: UnmetOrdersOptions) {
    this.#toMs = toMs;
    const ofCandles = sources.filter((source) => source.kind === 'candles');
    this.#sources = new Map(ofCandles.map((source) => [source.market.id, source]));
    if (fill.model === 'candles' && fill.at !== 'heardPath') {
      bus.on('order').subscribe(({ order }) => this.#count(order));
    }
  }

  /** A sentence, if most orders that rested met no candle. */
  notes(): string[] {
    if (this.#unmet * 2 <= this.#rested) return [];
    return [
      `${this.#unmet} of ${this.#rested} orders that rested met no candle: they were cancelled before a ` +
        'candle that opened with or after them had closed. An order that reaches the exchange ' +
        'between two closes, by a timer or backtest.latency, sees nothing of the candle under way: ' +
        'place orders when a candle or a book comes, without latency, or use finer data or fill.at: ' +
        'heardPath.',
    ];
  }

  #count({ market, type, status, filledAmount, createdTime, changedTime }: OrderState): void {
    const source = this.#sources.get(market);
    const isOver = status === 'filled' || (status === 'cancelled' && changedTime < this.#toMs);
    if (source === undefined || type === 'ioc' || !isOver) return;
    this.#rested++;
    const hasMet = filledAmount > 0 || changedTime >= firstCloseMs(createdTime, source);
    if (!hasMet) this.#unmet++;
  }
}

/** When the first candle closes in which an order made at a given time may fill. */
function firstCloseMs(time: number, { interval, stepMs }: CandleSource): number {
  const start = intervalStart(time, interval);
  return start + (time === start ? stepMs : 2 * stepMs);
}
