import type { Scope } from '../../domain/index.ts';
import { counted, formatDuration } from '../../kernel/index.ts';
import type { OrderPace } from '../order-pace.ts';
import type { Check, Objection, RiskView } from '../review.ts';

/** Bounds the orders that leave within a window, of each strategy and in all. */
export function orderRate({ config }: Pick<RiskView, 'config'>, pace: OrderPace): Check {
  const { ordersPerWindowMax, strategyOrdersPerWindowMax, orderRateWindowMs } = config;
  const objection = (most: number, scope: Scope): Objection => ({
    limit: `${counted(most, 'order')} in ${formatDuration(orderRateWindowMs)}`,
    observed: `${most + 1}`,
    scope,
  });
  return {
    code: 'orderRate',
    scope: 'account',
    onOrder: ({ strategy, nowMs }) => {
      if (!pace.hasRoomFor(strategy, nowMs)) {
        return objection(strategyOrdersPerWindowMax, 'strategy');
      }
      return pace.hasRoom(nowMs) ? undefined : objection(ordersPerWindowMax, 'account');
    },
    onPassed: ({ strategy, nowMs }) => pace.add(strategy, nowMs),
  };
}
