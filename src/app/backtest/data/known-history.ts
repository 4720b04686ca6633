import { defer, filter, Observable } from 'rxjs';
import type { Candle, EventOf, QuoteColumns } from '../../../domain/index.ts';
import type { StrategyInstance } from '../../../engine/index.ts';
import { DEPTH_EVENTS } from '../../../history/index.ts';
import { assert } from '../../../kernel/index.ts';
import type { PastQuery, PastRecords, Print } from '../../../market/index.ts';
import { onceEach } from '../feeds/once-each.ts';
import { possibleRows } from '../feeds/possible-rows.ts';
import { CandleFindings } from './findings/candle-findings.ts';
import type { Period } from './period.ts';
import { playedFromMs, type Source } from './source.ts';

/** Tells a subscriber the part of the past that it asked for. False when `onChunk` ended it. */
type Telling = (onChunk: () => boolean) => Promise<boolean>;

/** Recorded rows that can be told. */
interface Rows<R> {
  readonly firstMs: number;
  /** The end of what may be told, not included. */
  readonly toMs: number;
  chunks(from: number, to: number): AsyncIterable<R>;
}

/**
 * The data recorded before a run, as a venue would give them at a start. They are told once, after
 * the strategies have said what they want and before the first row is played. No order meets them,
 * and wishes made on them are dropped. Requests that come later are told nothing.
 */
export class KnownHistory implements PastRecords {
  readonly #sources: ReadonlyMap<string, Source>;
  readonly #period: Period;
  readonly #tellings: Telling[] = [];
  #isTelling = false;
  #isOver = false;

  constructor(sources: readonly Source[], period: Period) {
    this.#sources = new Map(sources.map((source) => [source.market.id, source]));
    this.#period = period;
  }

  candles({ market, fromMs }: PastQuery): Observable<Candle> {
    const source = this.#sources.get(market);
    assert(source?.kind === 'candles', `no candles of ${market} are recorded`);
    const { firstMs, interval, stepMs } = source;
    const chunks = (from: number, to: number) =>
      onceEach(source.chunks(from, to), new CandleFindings(stepMs));
    const receivedTime = this.#period.warmFromMs;
    return this.#asked(
      { firstMs, toMs: playedFromMs(source, this.#period), chunks },
      {
        fromMs,
        recordOf: ({ time, open, high, low, close, volume }, at): EventOf<'candle'> => ({
          ...{ kind: 'candle', market, interval, openTime: time[at]! },
          ...{ open: open[at]!, high: high[at]!, low: low[at]!, close: close[at]! },
          ...{ volume: volume[at]!, closed: true, exchangeTime: time[at]! + stepMs, receivedTime },
        }),
      },
    );
  }

  prints({ market, fromMs }: PastQuery): Observable<Print> {
    const source = this.#sources.get(market);
    const toMs = this.#period.warmFromMs;
    const printOf = ({ time, price, amount }: PrintRows, at: number): Print => {
      return { exchangeTime: time[at]!, price: price[at]!, amount: amount[at]! };
    };
    if (source?.kind === 'trades') {
      const { firstMs } = source;
      const chunks = (from: number, to: number) => possibleRows(source.chunks(from, to));
      return this.#asked({ firstMs, toMs, chunks }, { fromMs, recordOf: printOf });
    }
    if (source?.kind === 'quotes') {
      return this.#asked({ ...source, toMs }, { fromMs, recordOf: middleAt });
    }
    assert(source?.kind === 'depth', `no trades of ${market} are recorded`);
    const { firstMs } = source;
    const chunks = (from: number, to: number) => possibleRows(source.chunks(from, to));
    return this.#asked(
      { firstMs, toMs, chunks },
      {
        fromMs,
        recordOf: (rows, at) =>
          rows.event[at] === DEPTH_EVENTS.trade ? printOf(rows, at) : undefined,
      },
    );
  }

  /** The strategy, without the wishes that it makes while the past is told. */
  passedOver(instance: StrategyInstance): StrategyInstance {
    const { definition } = instance;
    const run: typeof definition.run = (context) =>
      defer(() => definition.run(context)).pipe(filter(() => !this.#isTelling));
    return { ...instance, definition: { ...definition, run } };
  }

  /**
   * Tells all that was asked for, in the order of the requests. `onChunk` is called between chunks;
   * if it returns false, so does this.
   */
  async tell(onChunk: () => boolean): Promise<boolean> {
    this.#isTelling = true;
    // A subscriber may ask for more while it is told: the loop visits that too.
    for (const telling of this.#tellings) if (!(await telling(onChunk))) return false;
    this.#isTelling = false;
    this.#isOver = true;
    return true;
  }

  #asked<R extends { readonly time: Float64Array }, T>(
    source: Rows<R>,
    wanted: {
      readonly fromMs: number;
      readonly recordOf: (rows: R, at: number) => T | undefined;
    },
  ): Observable<T> {
    const { toMs: to } = source;
    const { knownFromMs = source.firstMs } = this.#period;
    const from = Math.max(wanted.fromMs, source.firstMs, knownFromMs);
    return new Observable((subscriber) => {
      if (this.#isOver || from >= to) {
        subscriber.complete();
        return;
      }
      this.#tellings.push(async (onChunk) => {
        for await (const rows of source.chunks(from, to)) {
          for (let at = 0; at < rows.time.length && !subscriber.closed; at++) {
            const record = wanted.recordOf(rows, at);
            if (record !== undefined) subscriber.next(record);
          }
          if (!onChunk()) return false;
        }
        subscriber.complete();
        return true;
      });
    });
  }
}

/** The mid price of a quote as a print, for building candles. */
function middleAt({ time, bid, ask }: QuoteColumns, at: number): Print | undefined {
  if (bid[at] === 0 || ask[at] === 0) return undefined;
  return { exchangeTime: time[at]!, price: (bid[at]! + ask[at]!) / 2, amount: 1 };
}

/** The columns that a print is made of. */
interface PrintRows {
  readonly time: Float64Array;
  readonly price: Float64Array;
  readonly amount: Float64Array;
}
