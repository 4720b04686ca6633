import type { Fill } from '../../domain/index.ts';
import { MINUTE_MS, SECOND_MS } from '../../kernel/index.ts';
import type { Markout, RecordedFill } from '../../report/index.ts';
import type { RecordedPrices } from './prices.ts';

/** How long after a fill the market is looked at, milliseconds. */
const AFTER_MS = [SECOND_MS, 10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS];

type Liquidity = Markout['liquidity'];

interface Waiting {
  readonly fill: Pick<Fill, 'market' | 'side' | 'amount' | 'value'>;
  readonly liquidity: Liquidity;
  readonly timeMs: number;
}

type Sums = { -readonly [K in keyof Markout]: Markout[K] };

export interface MarkoutsOptions {
  readonly prices: RecordedPrices;
  /** The length of the candles that a market is played from: looks sooner tell nothing. */
  readonly stepsMs: ReadonlyMap<string, number>;
  /** Nothing is looked at behind it. */
  readonly toMs: number;
}

/** Holds each fill of a run against the market's price some times later. */
export class Markouts {
  readonly #options: MarkoutsOptions;
  /** Fills that wait for each look, the oldest first, and how many of those were looked at. */
  readonly #lines = AFTER_MS.map((afterMs) => ({ afterMs, waiting: [] as Waiting[], done: 0 }));
  readonly #sums = new Map<string, Sums>();
  /** When the next look is due, milliseconds since the epoch. */
  dueMs = Number.POSITIVE_INFINITY;

  constructor(options: MarkoutsOptions) {
    this.#options = options;
  }

  /** A fill is learnt of at that time. To be called in the order of time. */
  add(fill: Waiting['fill'], { timeMs, liquidity }: FillNews): void {
    const stepMs = this.#options.stepsMs.get(fill.market) ?? 0;
    const waiting: Waiting = { fill, liquidity: liquidity ?? 'unknown', timeMs };
    for (const line of this.#lines) {
      if (line.afterMs < stepMs || timeMs + line.afterMs > this.#options.toMs) continue;
      line.waiting.push(waiting);
      this.dueMs = Math.min(this.dueMs, timeMs + line.afterMs);
    }
  }

  /** Time moves on to there: looks at what is due before it, at the prices that held until now. */
  passTo(timeMs: number): void {
    if (this.dueMs >= timeMs) return;
    this.dueMs = Number.POSITIVE_INFINITY;
    for (const line of this.#lines) {
      const { waiting, afterMs } = line;
      while (line.done < waiting.length && waiting[line.done]!.timeMs + afterMs < timeMs) {
        this.#look(waiting[line.done++]!, afterMs);
      }
      if (line.done > 1_000) line.done -= waiting.splice(0, line.done).length;
      const next = waiting[line.done];
      if (next !== undefined) this.dueMs = Math.min(this.dueMs, next.timeMs + afterMs);
    }
  }

  /** The sums, market by market. */
  read(): Markout[] {
    return Array.from(this.#sums.values(), (sums) => ({ ...sums }));
  }

  #look({ fill, liquidity }: Waiting, afterMs: number): void {
    const { market, side, amount } = fill;
    const price = this.#options.prices.cell(market).last;
    if (Number.isNaN(price)) return;
    const value = fill.value.toNumber();
    const gained = price * amount - value;
    const sums = this.#sumsOf({ market, liquidity, afterMs });
    sums.fills++;
    sums.value += value;
    sums.gained += side === 'buy' ? gained : -gained;
  }

  #sumsOf(of: Pick<Markout, 'market' | 'liquidity' | 'afterMs'>): Sums {
    const key = `${of.market} ${of.liquidity} ${of.afterMs}`;
    let sums = this.#sums.get(key);
    if (sums === undefined) {
      sums = { ...of, fills: 0, value: 0, gained: 0 };
      this.#sums.set(key, sums);
    }
    return sums;
  }
}

interface FillNews extends Pick<RecordedFill, 'liquidity'> {
  readonly timeMs: number;
}
