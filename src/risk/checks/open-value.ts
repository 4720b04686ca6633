import type { Check } from '../review.ts';
import { askBoth } from './each.ts';

/**
 * What all unexecuted orders of a market are worth together: ours, which this is to bound. What
 * others have resting is their decision, and its money is not free.
 */
export const openValue: Check = {
  code: 'openValue',
  scope: 'market',
  describe: 'Refuses orders that raise the value of all unexecuted ones beyond the limit.',
  ...askBoth(({ added, resting, rules }) => {
    if (added.count === 0) return undefined;
    const value = resting.value.addSum(added.value);
    if (value.compare(rules.openValueMax) <= 0) return undefined;
    const { quote } = rules.market;
    return {
      code: 'openValue',
      limit: `at most ${rules.limits.openValueMax} ${quote}`,
      observed: `${value.toText(rules.valueScale)} ${quote}`,
      scope: 'market',
    };
  }),
};
