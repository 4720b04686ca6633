import { defer, filter, type Observable } from 'rxjs';
import type { Candle } from '../../domain/index.ts';

/**
 * Each candle as it was first published. The bus has revisions too, by a late trade or the venue:
 * an indicator would count a revised candle twice.
 */
export function eachOnce(candles: Observable<Candle>): Observable<Candle> {
  return defer(() => {
    let newestTime = Number.NEGATIVE_INFINITY;
    return candles.pipe(
      filter(({ openTime }) => {
        if (openTime <= newestTime) return false;
        newestTime = openTime;
        return true;
      }),
    );
  });
}
