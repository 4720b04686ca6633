import { counted } from '../../kernel/index.ts';
import { DayTurn } from '../day.ts';
import { openingOf } from '../opening.ts';
import type { Check, RiskView } from '../review.ts';

/**
 * Counts the orders that passed since midnight UTC; beyond the limit only orders that shrink a
 * position leave.
 */
export function dailyOrders({ config: { ordersPerDayMax: most }, day }: RiskView): Check {
  const check = { code: 'dailyOrders', scope: 'account' } as const;
  if (most === undefined) return check;
  const midnight = new DayTurn(day);
  let passed = 0;
  return {
    ...check,
    onOrder: (review) => {
      if (midnight.hasCome()) passed = 0;
      if (passed < most || openingOf(review) === undefined) return undefined;
      return { limit: `${counted(most, 'order')} a day`, observed: `${passed} have left` };
    },
    onPassed: () => passed++,
  };
}
