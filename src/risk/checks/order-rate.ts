import type { Refusal, Scope } from '../../domain/index.ts';
import { counted, formatDuration } from '../../kernel/index.ts';
import type { OrderPace } from '../order-pace.ts';
import type { Check, RiskView } from '../review.ts';

/** No more orders leave within a window than are allowed, of each strategy and in all. */
export function orderRate({ config }: Pick<RiskView, 'config'>, pace: OrderPace): Check {
  const { ordersPerWindowMax, strategyOrdersPerWindowMax, orderRateWindowMs } = config;
  const refusal = (most: number, scope: Scope): Refusal => ({
    code: 'orderRate',
    limit: `${counted(most, 'order')} in ${formatDuration(orderRateWindowMs)}`,
    observed: `${most + 1}`,
    scope,
  });
  return {
    code: 'orderRate',
    onOrder: ({ strategy, nowMs }) => {
      if (!pace.hasRoomFor(strategy, nowMs)) {
        return refusal(strategyOrdersPerWindowMax, 'strategy');
      }
      return pace.hasRoom(nowMs) ? undefined : refusal(ordersPerWindowMax, 'account');
    },
    onPassed: ({ strategy, nowMs }) => pace.add(strategy, nowMs),
  };
}
