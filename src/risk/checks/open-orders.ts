import { type Refusal, SIDES } from '../../domain/index.ts';
import type { Check } from '../review.ts';
import { askBoth } from './each.ts';

/** How many orders may live: of a market's side, of a market, of the account. */
export const openOrders: Check = {
  code: 'openOrders',
  scope: 'account',
  describe: 'Refuses more live orders than configured of a side, of a market or in all.',
  ...askBoth(({ added, resting, rules, view }) => {
    const { limits, market } = rules;
    for (const side of SIDES) {
      if (added[side].count === 0) continue;
      const count = resting[side].count + added[side].count;
      const most = limits.openOrdersPerSideMax;
      if (count > most) return refusal(`${most} a side`, `${count} to ${side} in ${market.id}`);
    }
    if (added.count === 0) return undefined;
    const ofMarket = resting.count + added.count;
    const mostOfMarket = limits.openOrdersPerMarketMax;
    if (ofMarket > mostOfMarket) {
      return refusal(`${mostOfMarket} a market`, `${ofMarket} in ${market.id}`);
    }
    const elsewhere = view.orders.liveCount - view.orders.live(market.id).length;
    const most = view.config.openOrdersMax;
    if (elsewhere + ofMarket <= most) return undefined;
    return refusal(`${most} of the account`, `${elsewhere + ofMarket}`);
  }),
};

function refusal(most: string, observed: string): Refusal {
  return { code: 'openOrders', limit: `at most ${most}`, observed, scope: 'account' };
}
