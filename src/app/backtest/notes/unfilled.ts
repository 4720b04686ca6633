import type { BacktestConfig } from '../config.ts';

export interface UnfilledOrders {
  readonly fills: number;
  /** Orders that ended wholly or partly unfilled. */
  readonly missed: number;
  readonly fill: BacktestConfig['fill'];
}

/**
 * A sentence for a run whose orders all ended unfilled, if the slippage of fills may be the reason.
 */
export function unfilledNotes({ fills, missed, fill }: UnfilledOrders): string[] {
  if (fills > 0 || missed === 0 || fill.model !== 'candles') return [];
  const { steps, basisPoints } = fill.slippage;
  if (steps === 0 && basisPoints === 0) return [];
  const what = missed === 1 ? 'The only order' : `All ${missed} orders`;
  return [
    `${what} ended unfilled: an order that takes pays fill.slippage beyond the price it meets, ` +
      "and fills only if its own limit price (a target's slippage) allows for that.",
  ];
}
