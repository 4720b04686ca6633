import type { Refusal } from '../../domain/index.ts';
import type { Check, Review } from '../review.ts';
import { unlessExit } from './each.ts';

/**
 * What all unexecuted orders of a market are worth together: ours, which this is to bound. What
 * others have resting is their decision, and its money is not free. What takes at once and only
 * shrinks a position never rests: it leaves, whatever rests beside it.
 */
export const openValue: Check = {
  code: 'openValue',
  ask: unlessExit(refusalOf),
};

function refusalOf({ added, resting, rules }: Review): Refusal | undefined {
  if (added.count === 0) return undefined;
  const value = resting.value.plus(added.value);
  if (value.compare(rules.openValueMax) <= 0) return undefined;
  const { quote } = rules.market;
  return {
    code: 'openValue',
    limit: `at most ${rules.limits.openValueMax} ${quote}`,
    observed: `${value} ${quote}`,
    scope: 'market',
  };
}
