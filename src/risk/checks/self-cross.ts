import type { Market, Refusal } from '../../domain/index.ts';
import { unitsText } from '../exact.ts';
import type { SideExposure } from '../exposure.ts';
import type { Check } from '../review.ts';
import { askBoth } from './each.ts';

/** No own buy at or above an own sell, whichever strategies they are of, unless it is allowed. */
export const selfCross: Check = {
  code: 'selfCross',
  scope: 'account',
  describe: 'Refuses a buy at or above an own sell and a sell at or below an own buy.',
  ...askBoth(({ added, resting, rules: { market, limits } }) => {
    if (limits.selfCrossAction === 'allow') return undefined;
    return (
      crossing(added.buy, resting.sell, market) ??
      crossing(resting.buy, added.sell, market) ??
      crossing(added.buy, added.sell, market)
    );
  }),
};

function crossing(buys: SideExposure, sells: SideExposure, market: Market): Refusal | undefined {
  if (buys.highestPriceUnits < sells.lowestPriceUnits) return undefined;
  if (buys.count === 0 || sells.count === 0) return undefined;
  const buy = unitsText(buys.highestPriceUnits, market.priceScale);
  const sell = unitsText(sells.lowestPriceUnits, market.priceScale);
  return {
    code: 'selfCross',
    limit: 'own buys below own sells',
    observed: `buy at ${buy}, sell at ${sell}`,
    scope: 'account',
  };
}
