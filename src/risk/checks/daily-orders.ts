import { counted } from '../../kernel/index.ts';
import { DayTurn } from '../day.ts';
import { openingOf } from '../opening.ts';
import type { Check, RiskView } from '../review.ts';

/** Counts the orders that passed since midnight UTC; beyond the most only what reduces leaves. */
export function dailyOrders({ config: { ordersPerDayMax: most }, day }: RiskView): Check {
  if (most === undefined) return { code: 'dailyOrders' };
  const midnight = new DayTurn(day);
  let passed = 0;
  return {
    code: 'dailyOrders',
    onOrder: (review) => {
      if (midnight.hasCome()) passed = 0;
      if (passed < most || openingOf(review) === undefined) return undefined;
      const limit = `${counted(most, 'order')} a day`;
      return { code: 'dailyOrders', limit, observed: `${passed} have left`, scope: 'account' };
    },
    onPassed: () => passed++,
  };
}
