import type { Check, Objection, Review } from '../review.ts';
import { unlessExit } from './each.ts';

/**
 * Bounds the value of our live orders of a market. Orders of others are not ours to bound, and
 * their money is not free anyway. Exits never rest: they leave, whatever rests beside them.
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
