import type { Check, Objection, Review } from '../review.ts';
import { unlessExit } from './each.ts';

/**
 * What all unexecuted orders of a market are worth together: ours, which this is to bound. What
 * others have resting is their decision, and its money is not free. What takes at once and only
 * shrinks a position never rests: it leaves, whatever rests beside it.
 */
export const openValue: Check = {
  code: 'openValue',
  scope: 'market',
  ask: unlessExit(objectionTo),
};

function objectionTo({ added, resting, rules }: Review): Objection | undefined {
  if (added.count === 0) return undefined;
  const value = resting.value.plus(added.value);
  if (value.compare(rules.openValueMax) <= 0) return undefined;
  const { quote } = rules.market;
  return { limit: `at most ${rules.limits.openValueMax} ${quote}`, observed: `${value} ${quote}` };
}
