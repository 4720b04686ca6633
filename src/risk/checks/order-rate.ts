import type { Refusal, Scope } from '../../domain/index.ts';
import { SlidingWindow } from '../../kernel/index.ts';
import type { RiskConfig } from '../config.ts';
import type { Check } from '../review.ts';

/** Counts the orders that passed, of each strategy and in all, in any window that ends now. */
export function orderRate(config: RiskConfig): Check {
  const { ordersPerWindowMax, strategyOrdersPerWindowMax, orderRateWindowMs } = config;
  const all = new SlidingWindow(ordersPerWindowMax, orderRateWindowMs);
  const strategies = new Map<string, SlidingWindow>();
  const windowOf = (strategy: string): SlidingWindow => {
    let window = strategies.get(strategy);
    if (window === undefined) {
      window = new SlidingWindow(strategyOrdersPerWindowMax, orderRateWindowMs);
      strategies.set(strategy, window);
    }
    return window;
  };
  const refusal = (most: number, scope: Scope): Refusal => ({
    code: 'orderRate',
    limit: `${most} orders in ${orderRateWindowMs} ms`,
    observed: `${most + 1}`,
    scope,
  });
  return {
    code: 'orderRate',
    scope: 'account',
    describe: 'Refuses more new orders in a window than configured, of a strategy or in all.',
    onOrder: ({ strategy, nowMs }) => {
      if (!windowOf(strategy).hasRoom(nowMs)) {
        return refusal(strategyOrdersPerWindowMax, 'strategy');
      }
      return all.hasRoom(nowMs) ? undefined : refusal(ordersPerWindowMax, 'account');
    },
    onPassed: ({ strategy, nowMs }) => {
      windowOf(strategy).add(nowMs);
      all.add(nowMs);
    },
  };
}
