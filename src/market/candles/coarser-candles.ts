import { Observable } from 'rxjs';
import { type Candle, INTERVAL_MS, type Interval, intervalStart } from '../../domain/index.ts';
import { decimalSum } from '../../kernel/index.ts';

/** A candle that still grows. */
type Growing = { -readonly [K in keyof Candle]: Candle[K] };

/**
 * Closed candles of a coarser interval, built from finer ones that come in order: an operator.
 *
 * Only whole intervals are emitted: the first one only if its very first finer candle was heard.
 * One whose last finer candle is missing is emitted when the next comes, however late; one without
 * any is left out. `receivedTime` and `exchangeTime` are those of the finer candle that completed
 * it. Volumes are added as decimals: 0.1 and 0.2 are 0.3, as in a candle built from trades.
 */
export function coarserCandles(
  interval: Interval,
): (finer: Observable<Candle>) => Observable<Candle> {
  const lengthMs = INTERVAL_MS[interval];
  return (finer) =>
    new Observable((subscriber) => {
      let growing: Growing | undefined;
      let isWhole = false;
      const tell = ({ exchangeTime, receivedTime }: Candle): void => {
        const candle = growing;
        growing = undefined;
        if (candle === undefined || !isWhole) return;
        subscriber.next({ ...candle, exchangeTime, receivedTime });
      };
      return finer.subscribe((candle) => {
        const openTime = intervalStart(candle.openTime, interval);
        if (growing !== undefined && growing.openTime !== openTime) {
          tell(candle);
          isWhole = true;
        }
        if (growing === undefined) {
          isWhole ||= candle.openTime === openTime;
          growing = { ...candle, interval, openTime };
        } else grow(growing, candle);
        if (candle.openTime + INTERVAL_MS[candle.interval] >= openTime + lengthMs) {
          tell(candle);
          isWhole = true;
        }
      });
    });
}

function grow(growing: Growing, { high, low, close, volume }: Candle): void {
  if (high > growing.high) growing.high = high;
  if (low < growing.low) growing.low = low;
  growing.close = close;
  growing.volume = decimalSum(growing.volume, volume);
}
