import { isExit } from '../exits.ts';
import { RejectWatch } from '../reject-watch.ts';
import type { Check, RiskView } from '../review.ts';

/**
 * No new order goes to a market where the exchange has refused, or not answered, too often. Exits
 * do: the refusals may concern other strategies or other kinds of orders. A failing exit is tried
 * once a second.
 *
 * Asked of orders that leave, not of wishes: resting orders may stay.
 */
export function rejects(view: RiskView): Check {
  const watch = new RejectWatch(view);
  return {
    code: 'rejects',
    scope: 'market',
    onOrder: (review) => {
      const { id } = review.rules.market;
      const ofAll = watch.pauseOf(id);
      if (ofAll === undefined) return undefined;
      return isExit(review) ? watch.exitPauseOf(id, review.strategy) : ofAll;
    },
  };
}
