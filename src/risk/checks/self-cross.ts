import type { LiveOrder, Market } from '../../domain/index.ts';
import { unitsText } from '../exact.ts';
import { isExit } from '../exits.ts';
import { Exposure, type SideExposure } from '../exposure.ts';
import type { Check, Objection, Review } from '../review.ts';

/**
 * No own buy may be at or above an own sell, of whatever strategies, unless that is allowed. Orders
 * of unknown fate do not count against an exit: they may not exist, and nobody can cancel them.
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

/** The orders that stay beside it and whose fate is known. */
function knownOf({ live, rules: { market } }: Review): Exposure {
  const isKnown = ({ status }: LiveOrder) => status !== 'unknown';
  return Exposure.ofLive(live.filter(isKnown), market);
}

function crossing(buys: SideExposure, sells: SideExposure, market: Market): Objection | undefined {
  // The bounds of a side without orders are infinite.
  if (buys.highestPriceUnits < sells.lowestPriceUnits) return undefined;
  const buy = unitsText(buys.highestPriceUnits, market.priceScale);
  const sell = unitsText(sells.lowestPriceUnits, market.priceScale);
  return { limit: 'own buys below own sells', observed: `buy at ${buy}, sell at ${sell}` };
}
