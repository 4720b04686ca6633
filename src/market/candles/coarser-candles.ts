import { Observable } from 'rxjs';
import { type Candle, INTERVAL_MS, type Interval, intervalStart } from '../../domain/index.ts';
import { decimalSum } from '../../kernel/index.ts';

/** A candle that still grows. */
type Growing = { -readonly [K in keyof Candle]: Candle[K] };

/**
 * Closed candles of a coarser interval, built of finer ones that come in order: an operator.
 *
 * Only whole intervals are told: the first one counts when its very first candle was heard. One
 * whose last candle is missing is told when the next candle comes, however late; one without any
 * candle is left out. `receivedTime` and `exchangeTime` are those of the candle that completed it.
 * Volumes are added as decimals: 0.1 and 0.2 are 0.3, as in a candle built of trades.
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
