import type { Refusal } from '../../domain/index.ts';
import { isSetAnywhere } from '../config.ts';
import { Markouts } from '../markouts.ts';
import type { Check, Review, RiskView } from '../review.ts';
import { ofOpening } from './each.ts';

/** A market whose fills the price runs over cools down: only what shrinks its position leaves. */
export function markout(view: RiskView): Check {
  if (!isSetAnywhere(view.config, 'markoutLossMax')) return { code: 'markout' };
  const markouts = new Markouts(view);
  const refusalOf = ({ rules: { market } }: Review): Refusal | undefined => {
    const pause = markouts.pauseOf(market.id);
    if (pause === undefined) return undefined;
    return { code: 'markout', limit: pause.limit, observed: pause.observed, scope: 'market' };
  };
  return { code: 'markout', ask: ofOpening(refusalOf) };
}
