import { type Candle, haveSameNumbers } from '../../../../domain/index.ts';

/**
 * Turns pushed candles into a clean sequence: each grows, is closed once, and is followed by the
 * next.
 *
 * The exchange pushes a candle while it runs and nothing when it ends. So when the next one
 * appears, the one before is emitted as closed, with its last numbers. Repetitions and closed
 * candles of the past are left out. An earlier candle that still runs is let through: the later one
 * had a wrong stamp.
 */
export class CandleFollower {
  #last: Candle | undefined;

  /** What a frame's candles, oldest first, add to the sequence. */
  follow(candles: readonly Candle[]): readonly Candle[] {
    return candles.flatMap((candle) => this.#next(candle));
  }

  #next(candle: Candle): readonly Candle[] {
    const last = this.#last;
    const isEarlier = last !== undefined && candle.openTime < last.openTime;
    if (isEarlier && candle.closed) return [];
    if (last !== undefined && isRepeated(last, candle)) return [];
    this.#last = candle;
    const isNext = last !== undefined && candle.openTime > last.openTime;
    if (!isNext || last.closed) return [candle];
    return [{ ...last, closed: true, receivedTime: candle.receivedTime }, candle];
  }
}

/** Whether a candle adds nothing to the last one. */
function isRepeated(last: Candle, candle: Candle): boolean {
  const isOfTime = last.openTime === candle.openTime;
  return isOfTime && (last.closed || !candle.closed) && haveSameNumbers(last, candle);
}
