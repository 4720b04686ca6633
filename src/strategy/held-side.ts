import { ignoreElements, map, merge, type Observable, tap } from 'rxjs';
import { isTradable, type Market } from '../domain/index.ts';
import type { StrategyContext } from './context.ts';
import { FeeCoins } from './fee-coins.ts';
import { entryPrice } from './is-held.ts';

/**
 * The side that is held in a market, now and after each position: 1 is long, -1 short. It is 0 with
 * dust, and with what the fee of buying back left of a short position.
 */
export function heldSide(
  context: Pick<StrategyContext, 'position' | 'fills'>,
  market: Market,
): Observable<number> {
  const fees = new FeeCoins(market);
  // A position is told after each fill.
  const fills = context.fills(market).pipe(
    tap((fill) => fees.note(fill)),
    ignoreElements(),
  );
  const sides = context.position(market).pipe(
    map((position) => {
      const held = { size: fees.sizeOf(position), price: entryPrice(position) };
      return isTradable(market, held) ? position.amount.sign : 0;
    }),
  );
  return merge(fills, sides);
}
