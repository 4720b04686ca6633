import { RejectWatch } from '../reject-watch.ts';
import type { Check, RiskView } from '../review.ts';

/**
 * No new order goes where the exchange has said no, or nothing, too often.
 *
 * Asked when an order leaves, not of wishes: what rests may stay.
 */
export function rejects(view: RiskView): Check {
  const watch = new RejectWatch(view);
  return {
    code: 'rejects',
    scope: 'market',
    describe: 'Refuses for a while, after too many of a market failed at the exchange.',
    onOrder: ({ rules: { market } }) => {
      const pause = watch.pauseOf(market.id);
      return pause && { code: 'rejects', ...pause, scope: 'market' };
    },
  };
}
