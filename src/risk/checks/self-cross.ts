import type { LiveOrder, Market } from '../../domain/index.ts';
import { unitsText } from '../exact.ts';
import { isExit } from '../exits.ts';
import { Exposure, type SideExposure } from '../exposure.ts';
import type { Check, Objection, Review } from '../review.ts';

/**
 * No own buy at or above an own sell, whichever strategies they are of, unless it is allowed. An exit
 * passes those whose fate is unknown: they may rest nowhere, and nobody can cancel them out of its way.
 */
export const selfCross: Check = {
  code: 'selfCross',
  scope: 'account',
  ask: (review) => {
    const objection = objectionTo(review, review.resting);
    return objection && isExit(review) ? objectionTo(review, knownOf(review)) : objection;
  },
};

function objectionTo(
  { added, rules: { market, limits } }: Review,
  resting: Exposure,
): Objection | undefined {
  if (limits.selfCrossAction === 'allow') return undefined;
  return (
    crossing(added.buy, resting.sell, market) ??
    crossing(resting.buy, added.sell, market) ??
    crossing(added.buy, added.sell, market)
  );
}

/** What stays beside it and is not in doubt. */
function knownOf({ live, rules: { market } }: Review): Exposure {
  const isKnown = ({ status }: LiveOrder) => status !== 'unknown';
  return Exposure.ofLive(live.filter(isKnown), market);
}

function crossing(buys: SideExposure, sells: SideExposure, market: Market): Objection | undefined {
  // A side without orders is beyond all prices.
  if (buys.highestPriceUnits < sells.lowestPriceUnits) return undefined;
  const buy = unitsText(buys.highestPriceUnits, market.priceScale);
  const sell = unitsText(sells.lowestPriceUnits, market.priceScale);
  return { limit: 'own buys below own sells', observed: `buy at ${buy}, sell at ${sell}` };
}
