import type { CandleColumns, Market } from '../../../../domain/index.ts';
import { grouped } from '../../../../kernel/index.ts';

export interface VolumeFindingsOptions {
  readonly market: Pick<Market, 'base' | 'amountScale'>;
  /** Part of a candle's volume that own orders may trade; null: no such limit. */
  readonly volumeCap: number | null;
}

/** Sums of doubles may fall short of a step of amounts by this fraction and still count as one. */
const DUST = 1e-9;

/** Finds the candles whose volume is too small to fill anything, as they are played. */
export class VolumeFindings {
  readonly #options: VolumeFindingsOptions;
  /** The least volume whose capped part is a step of amounts. */
  readonly #least: number;
  #candles = 0;
  #empty = 0;
  #small = 0;

  constructor(options: VolumeFindingsOptions) {
    const { market, volumeCap } = options;
    this.#options = options;
    this.#least = volumeCap === null ? 0 : ((1 - DUST) * 10 ** -market.amountScale) / volumeCap;
  }

  /** Takes the candles of a chunk that were played, those before `end`. */
  observe({ volume }: Pick<CandleColumns, 'volume'>, end: number): void {
    this.#candles += end;
    if (this.#least === 0) return;
    for (const one of volume.subarray(0, end)) {
      if (one >= this.#least) continue;
      if (one > 0) this.#small++;
      else this.#empty++;
    }
  }

  /** Whether most candles fill nothing. No market is so quiet: its volumes are not known. */
  get isMost(): boolean {
    return 2 * (this.#empty + this.#small) > this.#candles;
  }

  /** What was found so far: whole sentences. */
  list(): string[] {
    const { market, volumeCap } = this.#options;
    const of = (count: number): string => `${grouped(count)} of ${grouped(this.#candles)} candles`;
    const step = `${(10 ** -market.amountScale).toFixed(market.amountScale)} ${market.base}`;
    const remedy = this.isMost ? ' If the volumes are not known, set it to null.' : '';
    return [
      ...(this.#empty > 0
        ? [
            `The volume is 0 in ${of(this.#empty)}, and backtest.fill.volumeCap is ${volumeCap}: ` +
              `such candles fill nothing.${remedy}`,
          ]
        : []),
      ...(this.#small > 0
        ? [
            `The volume in ${of(this.#small)} is so small that ${volumeCap} of it ` +
              `(backtest.fill.volumeCap) is less than ${step}, one step of amounts: such candles ` +
              `fill nothing.${remedy}`,
          ]
        : []),
    ];
  }
}

/** Numbers of possible trades, of those among them without an amount, and of impossible trades. */
export interface PrintCounts {
  readonly trades: number;
  readonly empty: number;
  readonly impossible: number;
}

/** Counts the trades that fill nothing: those without an amount and those that are impossible. */
export class PrintFindings {
  #trades = 0;
  #empty = 0;
  #impossible = 0;

  /** Adds the counts of a chunk. */
  count({ trades, empty, impossible }: PrintCounts): void {
    this.#trades += trades;
    this.#empty += empty;
    this.#impossible += impossible;
  }

  /** What was found so far: whole sentences. */
  list(): string[] {
    const of = `${grouped(this.#empty)} of ${grouped(this.#trades)} trades`;
    const empty = `The amount is 0 in ${of}: such trades fill nothing.`;
    const leftOut = `Trades left out because the price is 0 or below, or the amount below 0: ${this.#impossible}.`;
    return [...(this.#empty > 0 ? [empty] : []), ...(this.#impossible > 0 ? [leftOut] : [])];
  }
}
