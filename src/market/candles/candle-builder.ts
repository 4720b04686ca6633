import {
  type Candle,
  INTERVAL_MS,
  type Interval,
  intervalStart,
  type Trade,
} from '../../domain/index.ts';

/** The numbers of a candle; without trades `volume` is 0 and all prices are the close before it. */
export type Bar = Pick<Candle, 'openTime' | 'open' | 'high' | 'low' | 'close' | 'volume'>;

/** What a candle takes from a trade. */
export type Print = Pick<Trade, 'exchangeTime' | 'price' | 'amount'>;

/** A candle of an interval without trades. */
export function flatBar(openTime: number, close: number): Bar {
  return { openTime, open: close, high: close, low: close, close, volume: 0 };
}

/** A bar whose interval is over, as a record stamped with its end. */
export function closedCandle(
  { openTime, open, high, low, close, volume }: Bar,
  { market, interval, receivedTime }: Pick<Candle, 'market' | 'interval' | 'receivedTime'>,
): Candle {
  const exchangeTime = openTime + INTERVAL_MS[interval];
  return {
    ...{ market, interval, openTime, open, high, low, close, volume },
    ...{ closed: true, exchangeTime, receivedTime },
  };
}

/**
 * The newest `most` bars, oldest first, with flat ones for intervals that are left out. Filled from
 * the newest back, for a bar with a wrong stamp may lie ages before the next.
 */
export function fillHoles(
  bars: readonly Bar[],
  { lengthMs, most }: { readonly lengthMs: number; readonly most: number },
): Bar[] {
  const filled: Bar[] = [];
  for (let index = bars.length - 1; index >= 0 && filled.length < most; index--) {
    const bar = bars[index]!;
    const next = bars[index + 1]?.openTime ?? bar.openTime + lengthMs;
    const missing = Math.max(0, Math.ceil((next - bar.openTime) / lengthMs) - 1);
    for (let at = missing; at > 0 && filled.length < most; at--) {
      filled.push(flatBar(bar.openTime + at * lengthMs, bar.close));
    }
    if (filled.length < most) filled.push(bar);
  }
  return filled.reverse();
}

/**
 * No flat candles follow a first trade that is more than so many candles old: a week of minutes.
 */
const FIRST_MAX = 10_080;

/**
 * Folds trades into candles of one interval, flat ones where nothing traded.
 *
 * A candle closes with the first trade after it or when told that its time is over. A late trade
 * for the last closed candle revises it: the candle is returned once more. The newest trade by
 * arrival sets the close, of a revised candle too, for the late trade is newer than all that it
 * held. A trade for an earlier candle is left out. Of a first trade that lies ages before all
 * others, or before now, only the price counts.
 */
export class CandleBuilder {
  readonly #lengthMs: number;
  readonly #power: number;
  #origin: number;
  #running: Bar | undefined;
  #closed: Bar | undefined;
  /** Whether the running candle began with the very first trade. */
  #isFirst = true;

  /** `amountScale`: decimal places that volumes are rounded to. */
  constructor(options: { interval: Interval; amountScale: number }) {
    this.#lengthMs = INTERVAL_MS[options.interval];
    this.#origin = intervalStart(0, options.interval);
    this.#power = 10 ** options.amountScale;
  }

  /** The candle of the interval that still runs, undefined before the first. */
  get running(): Bar | undefined {
    return this.#running;
  }

  /** Begins after a candle of the venue; the intervals are counted from it. */
  begin(last: Bar): void {
    this.#isFirst = false;
    this.#origin = last.openTime;
    this.#running = flatBar(last.openTime + this.#lengthMs, last.close);
  }

  /** Takes a trade; returns the candles that it closed or revised, oldest first. */
  add(print: Print): readonly Bar[] {
    const openTime = this.#startOf(print.exchangeTime);
    const running = this.#running;
    if (running === undefined) {
      this.#running = this.#grown(flatBar(openTime, print.price), print);
      return [];
    }
    if (openTime < running.openTime) return this.#revise(openTime, print);
    const closed = this.closeUntil(openTime);
    this.#running = this.#grown(this.#running ?? flatBar(openTime, print.price), print);
    return closed;
  }

  /** Closes every candle whose interval ends at `time` or before it; oldest first. */
  closeUntil(time: number): readonly Bar[] {
    const closed: Bar[] = [];
    if (this.#isFirst) this.#comeNear(time);
    while (this.#running !== undefined && this.#running.openTime + this.#lengthMs <= time) {
      this.#isFirst = false;
      this.#closed = this.#running;
      closed.push(this.#closed);
      this.#running = flatBar(this.#closed.openTime + this.#lengthMs, this.#closed.close);
    }
    return closed;
  }

  /** Moves the running candle to `time` if the first trade is ages old: only its price is kept. */
  #comeNear(time: number): void {
    const running = this.#running;
    if (running === undefined || running.openTime + FIRST_MAX * this.#lengthMs >= time) return;
    this.#running = flatBar(this.#startOf(time), running.close);
  }

  /** The beginning of the interval that contains a time. */
  #startOf(time: number): number {
    const past = Math.floor((time - this.#origin) / this.#lengthMs);
    return past * this.#lengthMs + this.#origin;
  }

  #revise(openTime: number, print: Print): readonly Bar[] {
    if (this.#closed?.openTime !== openTime) return [];
    this.#closed = this.#grown(this.#closed, print);
    const running = this.#running!;
    if (running.volume === 0) this.#running = flatBar(running.openTime, this.#closed.close);
    return [this.#closed];
  }

  /** The candle with one more trade; the first trade replaces the carried prices. */
  #grown(bar: Bar, { price, amount }: Print): Bar {
    const { openTime, volume } = bar;
    const sum = Math.round((volume + amount) * this.#power) / this.#power;
    if (volume === 0) {
      return { openTime, open: price, high: price, low: price, close: price, volume: sum };
    }
    const high = Math.max(bar.high, price);
    const low = Math.min(bar.low, price);
    return { openTime, open: bar.open, high, low, close: price, volume: sum };
  }
}
