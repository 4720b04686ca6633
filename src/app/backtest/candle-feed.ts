import type { CandleColumns, TradingEvent } from '../../domain/index.ts';
import type { Engine } from '../../engine/index.ts';
import type { Bus, VirtualClock } from '../../kernel/index.ts';
import type { CandlesModel, HeldOrders } from '../../sim/index.ts';
import type { BestPrices } from './best-prices.ts';
import type { Charts } from './charts.ts';
import type { EquityMeter } from './equity-meter.ts';
import { exceptLast } from './except-last.ts';
import type { PriceCell } from './prices.ts';
import type { RowFeed } from './row-feed.ts';
import type { CandleSource } from './source.ts';

export interface CandleFeedOptions {
  readonly source: CandleSource;
  readonly rows: AsyncIterable<CandleColumns>;
  readonly clock: VirtualClock;
  readonly bus: Bus<TradingEvent>;
  readonly engine: Engine;
  readonly model: CandlesModel;
  readonly held: HeldOrders;
  readonly price: PriceCell;
  readonly charts: Charts;
  readonly best: BestPrices;
  /** How long a candle is under way to the strategies, milliseconds. */
  readonly feedMs: number;
  /** Whether the last candle is left for `openLast`. */
  readonly holdsLast: boolean;
}

const NO_ROWS: CandleColumns = {
  ...{ time: new Float64Array(), open: new Float64Array(), high: new Float64Array() },
  ...{ low: new Float64Array(), close: new Float64Array(), volume: new Float64Array() },
};

/**
 * Plays candles: each happens at the exchange when it closes, then strategies hear of it. Nothing
 * asynchronous, and no object but the event, within a chunk.
 */
export class CandleFeed implements RowFeed {
  readonly market: string;
  readonly #options: CandleFeedOptions;
  readonly #chunks: AsyncIterator<CandleColumns>;
  readonly #stepMs: number;
  #columns = NO_ROWS;
  #at = 0;
  #length = 0;
  #played = 0;
  #last: CandleColumns | undefined;

  constructor(options: CandleFeedOptions) {
    this.#options = options;
    this.market = options.source.market.id;
    const { rows, holdsLast } = options;
    const played = holdsLast ? exceptLast(rows, (row) => this.#keepLast(row)) : rows;
    this.#chunks = played[Symbol.asyncIterator]();
    this.#stepMs = options.source.stepMs;
  }

  get nextMs(): number {
    if (this.#at === this.#length) return Number.POSITIVE_INFINITY;
    const openTime = this.#columns.time[this.#at]!;
    return this.#options.held.isEmpty ? openTime + this.#stepMs : openTime;
  }

  get rows(): number {
    return this.#played + this.#at;
  }

  get firstPrice(): number | undefined {
    return this.#columns.open[this.#at];
  }

  async refill(): Promise<boolean> {
    const next = await this.#chunks.next();
    this.#played += this.#length;
    this.#columns = next.done === true ? NO_ROWS : next.value;
    this.#length = this.#columns.time.length;
    this.#at = 0;
    this.#options.charts.addCandles(this.market, this.#columns);
    return next.done !== true;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  step(): void {
    this.#play(this.#at++);
  }

  /** A candle is complete by itself. */
  settle(): void {}

  playAll(meter: EquityMeter): void {
    const { held } = this.#options;
    const { time } = this.#columns;
    while (this.#at < this.#length) {
      const openTime = time[this.#at]!;
      const happensMs = held.isEmpty ? openTime + this.#stepMs : openTime;
      if (happensMs > meter.dueMs || !held.isEmpty) meter.passTo(happensMs);
      this.#play(this.#at++);
    }
  }

  /** When the candle that was left opens; undefined where none was. */
  get lastOpenMs(): number | undefined {
    return this.#last?.time[0];
  }

  /** The candle that was left opens: what waited for that trades there. Nobody hears of it. */
  openLast(): void {
    const last = this.#last;
    if (last === undefined) return;
    const { clock, model, held, price } = this.#options;
    clock.advanceTo(last.time[0]!);
    model.open(last, 0);
    held.release();
    price.last = last.open[0]!;
  }

  #keepLast(row: CandleColumns): void {
    this.#last = row;
  }

  #play(at: number): void {
    const { source, clock, bus, engine, model, held, price, feedMs, best } = this.#options;
    const columns = this.#columns;
    const openTime = columns.time[at]!;
    const closeTime = openTime + this.#stepMs;
    if (!held.isEmpty) {
      clock.advanceTo(openTime);
      model.open(columns, at);
      held.release();
    }
    clock.advanceTo(closeTime);
    model.play(columns, at);
    const close = columns.close[at]!;
    price.last = close;
    if (feedMs > 0) clock.advanceTo(closeTime + feedMs);
    bus.publish({
      kind: 'candle',
      market: this.market,
      interval: source.interval,
      openTime,
      open: columns.open[at]!,
      high: columns.high[at]!,
      low: columns.low[at]!,
      close,
      volume: columns.volume[at]!,
      closed: true,
      exchangeTime: closeTime,
      receivedTime: closeTime + feedMs,
    });
    best.closed(close, { timeMs: closeTime, amount: columns.volume[at]! });
    engine.askAgain();
  }
}
