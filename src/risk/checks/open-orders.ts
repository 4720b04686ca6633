import { SIDES } from '../../domain/index.ts';
import type { Check, Objection, Review, RiskView } from '../review.ts';
import { unlessExit } from './each.ts';

/**
 * Bounds the number of live orders: of a market's side, of a market, of the account. Orders that
 * are not ours count: the exchange counts them too, and they make every read of the orders longer.
 * Exits never rest: they leave, however many orders do.
 */
export const openOrders: Check = {
  code: 'openOrders',
  scope: 'account',
  ask: unlessExit(objectionTo),
};

function objectionTo({ added, resting, rules, view }: Review): Objection | undefined {
  if (added.count === 0) return undefined;
  const { limits, market } = rules;
  const foreign = view.orders.foreign.of(market.id);
  for (const side of SIDES) {
    if (added[side].count === 0) continue;
    let count = resting[side].count + added[side].count;
    for (const order of foreign) if (order.side === side) count++;
    const most = limits.openOrdersPerSideMax;
    if (count > most) return objection(`${most} a side`, `${count} to ${side} in ${market.id}`);
  }
  const own = resting.count + added.count;
  const ofMarket = own + foreign.length;
  const mostOfMarket = limits.openOrdersPerMarketMax;
  if (ofMarket > mostOfMarket) {
    return objection(`${mostOfMarket} a market`, `${ofMarket} in ${market.id}`);
  }
  const { orders, config } = view;
  const elsewhere = orders.liveCount - orders.live(market.id).length;
  const ofAccount = own + elsewhere + foreignCount(view);
  const most = config.openOrdersMax;
  return ofAccount <= most ? undefined : objection(`${most} of the account`, `${ofAccount}`);
}

function foreignCount({ markets, orders }: RiskView): number {
  let count = 0;
  for (const id of markets.keys()) count += orders.foreign.of(id).length;
  return count;
}

function objection(most: string, observed: string): Objection {
  return { limit: `at most ${most}`, observed };
}
