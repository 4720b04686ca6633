import type { Fill } from '../../../domain/index.ts';
import { getOrInsert, MINUTE_MS, SECOND_MS } from '../../../kernel/index.ts';
import type { Markout, RecordedFill } from '../../../report/index.ts';
import type { RecordedPrices } from '../feeds/prices.ts';

/** How long after a fill the market is looked at, milliseconds. */
const AFTER_MS = [SECOND_MS, 10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS];

/** The sums over the fills of one market and liquidity, one entry for each of `AFTER_MS`. */
type Seen = readonly { -readonly [K in keyof Markout]: Markout[K] }[];

interface Waiting extends Pick<Fill, 'market' | 'side' | 'amount'> {
  readonly value: number;
  readonly timeMs: number;
  readonly seen: Seen;
}

export interface MarkoutsOptions {
  readonly prices: RecordedPrices;
  /** The length of the candles that a market is played from: a look any sooner tells nothing. */
  readonly stepsMs: ReadonlyMap<string, number>;
  /** The end of the run: nothing is looked at after it. */
  readonly toMs: number;
}

/** Compares each fill of a run with the market's price at several times after it. */
export class Markouts {
  readonly #options: MarkoutsOptions;
  /** For each of `AFTER_MS`, the fills in order of time; the first `done` were looked at. */
  readonly #lines = AFTER_MS.map((afterMs, at) => ({
    ...{ afterMs, at, waiting: [] as Waiting[], done: 0 },
  }));
  readonly #seen = new Map<string, Map<Markout['liquidity'], Seen>>();
  /** When the next look is due, milliseconds since the epoch. */
  dueMs = Number.POSITIVE_INFINITY;

  constructor(options: MarkoutsOptions) {
    this.#options = options;
  }

  /** Takes a fill that becomes known at `timeMs`. To be called in order of time. */
  add({ market, side, amount, value }: NewFill, { timeMs, liquidity }: FillNews): void {
    const stepMs = this.#options.stepsMs.get(market) ?? 0;
    const seen = this.#seenOf(market, liquidity ?? 'unknown');
    const waiting = { market, side, amount, value: value.toNumber(), timeMs, seen };
    for (const line of this.#lines) {
      if (line.afterMs < stepMs || timeMs + line.afterMs > this.#options.toMs) continue;
      line.waiting.push(waiting);
      this.dueMs = Math.min(this.dueMs, timeMs + line.afterMs);
    }
  }

  /** Time moves on to `timeMs`: looks that were due before it take the prices up to now. */
  passTo(timeMs: number): void {
    if (this.dueMs >= timeMs) return;
    this.dueMs = Number.POSITIVE_INFINITY;
    for (const line of this.#lines) {
      const { waiting, afterMs } = line;
      while (line.done < waiting.length && waiting[line.done]!.timeMs + afterMs < timeMs) {
        this.#look(waiting[line.done++]!, line.at);
      }
      if (line.done > 1_000) line.done -= waiting.splice(0, line.done).length;
      const next = waiting[line.done];
      if (next !== undefined) this.dueMs = Math.min(this.dueMs, next.timeMs + afterMs);
    }
  }

  /** The markouts so far, market by market. */
  read(): Markout[] {
    const all = Array.from(this.#seen.values(), (kinds) => [...kinds.values()].flat());
    return all.flat().flatMap((sums) => (sums.fills === 0 ? [] : [{ ...sums }]));
  }

  #look({ market, side, amount, value, seen }: Waiting, at: number): void {
    const price = this.#options.prices.cell(market).last;
    if (Number.isNaN(price)) return;
    const sums = seen[at]!;
    const gained = price * amount - value;
    sums.fills++;
    sums.value += value;
    sums.gained += side === 'buy' ? gained : -gained;
  }

  #seenOf(market: string, liquidity: Markout['liquidity']): Seen {
    const kinds = getOrInsert(this.#seen, market, () => new Map());
    const nothing = { market, liquidity, fills: 0, value: 0, gained: 0 };
    return getOrInsert(kinds, liquidity, () =>
      AFTER_MS.map((afterMs) => ({ ...nothing, afterMs })),
    );
  }
}

type NewFill = Pick<Fill, 'market' | 'side' | 'amount' | 'value'>;

interface FillNews extends Pick<RecordedFill, 'liquidity'> {
  readonly timeMs: number;
}
