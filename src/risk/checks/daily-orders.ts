import type { RiskConfig } from '../config.ts';
import { DayTurn } from '../day.ts';
import { openingOfOrder } from '../opening.ts';
import type { Check } from '../review.ts';

/** Counts the orders that passed since midnight UTC; beyond the most only what reduces leaves. */
export function dailyOrders({ ordersPerDayMax: most }: RiskConfig): Check {
  const about = {
    code: 'dailyOrders',
    scope: 'account',
    describe: 'Refuses, once a day has had its orders, all that does not shrink the position.',
  } as const;
  if (most === undefined) return about;
  const day = new DayTurn();
  let passed = 0;
  const turnPage = (nowMs: number): void => {
    if (day.isNew(nowMs)) passed = 0;
  };
  return {
    ...about,
    onOrder: (review) => {
      turnPage(review.nowMs);
      if (passed < most || openingOfOrder(review) === undefined) return undefined;
      const limit = `${most} orders a day`;
      return { code: 'dailyOrders', limit, observed: `${passed} have left`, scope: 'account' };
    },
    onPassed: ({ nowMs }) => {
      turnPage(nowMs);
      passed++;
    },
  };
}
