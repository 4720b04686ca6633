import { isExit } from '../exits.ts';
import { RejectWatch } from '../reject-watch.ts';
import type { Check, RiskView } from '../review.ts';

/**
 * No new order goes where the exchange has said no, or nothing, too often, but for exits: what it has
 * said no to may be another's, or nothing like them. Those that fail go on once a second.
 *
 * Asked when an order leaves, not of wishes: what rests may stay.
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
