import { isSetAnywhere } from '../config.ts';
import { Markouts } from '../markouts.ts';
import type { Check, RiskView } from '../review.ts';
import { ofOpening } from './each.ts';

/**
 * After fills that the price ran over a market cools down: only orders that shrink its position
 * leave.
 */
export function markout(view: RiskView): Check {
  const check = { code: 'markout', scope: 'market' } as const;
  if (!isSetAnywhere(view.config, 'markoutLossMax')) return check;
  const markouts = new Markouts(view);
  return { ...check, ask: ofOpening(({ rules }) => markouts.pauseOf(rules.market.id)) };
}
