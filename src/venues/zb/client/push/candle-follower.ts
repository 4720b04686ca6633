import { type Candle, haveSameNumbers } from '../../../../domain/index.ts';

/**
 * Turns pushed candles into their story: each grows, is closed once, and is followed by the next.
 *
 * The exchange pushes a candle while it runs and says nothing when it ends. So the one before is
 * told as closed, by its last numbers, when the next appears; and what repeats the past is left out.
 * One that runs is no past, whatever came before it: that had a wrong stamp.
 */
export class CandleFollower {
  #last: Candle | undefined;

  /** What a frame's candles, oldest first, add to the story. */
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

/** Whether a candle tells nothing that the last one does not. */
function isRepeated(last: Candle, candle: Candle): boolean {
  const isOfTime = last.openTime === candle.openTime;
  return isOfTime && (last.closed || !candle.closed) && haveSameNumbers(last, candle);
}
