import { counted, formatDuration, formatMoment } from '../../kernel/index.ts';
import { isSetAnywhere } from '../config.ts';
import { isExit } from '../exits.ts';
import { openingOf } from '../opening.ts';
import type { Check, RiskView } from '../review.ts';
import { TradedOrders } from '../traded-orders.ts';

/**
 * Bounds the orders sent for each that trades, per market and over all strategies, as exchanges
 * count: every order that left counts, replacements too; cancels do not. Some orders of each market
 * are free, however few trade.
 */
export function orderToTrade(view: RiskView): Check {
  const check = { code: 'orderToTrade', scope: 'market' } as const;
  if (!isSetAnywhere(view.config, 'orderToTradeMax')) return check;
  const orders = new TradedOrders(view);
  return {
    ...check,
    onOrder: (review) => {
      const { rules, nowMs } = review;
      const counts = orders.of(rules.market.id);
      const { orderToTradeMax: most, orderToTradeFreeOrders: free } = rules.limits;
      if (most === undefined || counts === undefined) return undefined;
      const left = counts.left.count(nowMs);
      if (left < free) return undefined;
      const traded = counts.traded.count(nowMs);
      if (left + 1 <= most * traded) return undefined;
      if (openingOf(review) === undefined || isExit(review)) return undefined;
      const window = formatDuration(rules.limits.orderToTradeWindowMs);
      const lacking = Math.ceil((left + 1) / most) - traded;
      const atMs = counts.left.fallsToMs(free - 1, nowMs);
      // Without free orders, time alone lets none pass.
      const orAt = free > 0 ? `, or at ${formatMoment(atMs)} at the latest` : '';
      const passes = `once ${lacking} more ${lacking === 1 ? 'trades' : 'trade'}${orAt}`;
      return {
        limit: `${counted(most, 'order')} for each that trades in ${window}, beyond the first ${free}`,
        observed: `${counted(left + 1, 'order')}, of which ${traded} traded: the next passes ${passes}`,
      };
    },
    onPassed: ({ rules: { market }, nowMs }) => orders.of(market.id)?.left.add(nowMs),
  };
}
