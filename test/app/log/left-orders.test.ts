import { describe, expect, it } from 'vitest';
import { tellLeftOrders } from '../../../src/app/log/left-orders.ts';
import type { OrderState, TradingEvent } from '../../../src/domain/index.ts';
import { Bus, type Logger, silentLogger } from '../../../src/kernel/index.ts';
import { makeOpen } from '../../domain/fixture.ts';

const open = (clientOrderId: string, market = 'btc_usdt') => makeOpen({ clientOrderId, market });

/** The lines that are told of orders that were left, as events come. */
function following(...orders: ReturnType<typeof open>[]) {
  const bus = new Bus<TradingEvent>();
  const lines: string[] = [];
  const info = (_fields: object, text: string) => void lines.push(text);
  tellLeftOrders(bus, { logger: { ...silentLogger, info } as Logger, orders });
  const becomes = (order: ReturnType<typeof open>, ...statuses: OrderState['status'][]): void => {
    for (const status of statuses) {
      const next = { ...order, status } as OrderState;
      bus.publish({ kind: 'order', time: 0, market: order.market, order: next });
    }
  };
  return { lines, becomes };
}

describe('tellLeftOrders', () => {
  it('tells what became of all of a market once the last of them is over, and no more', () => {
    const orders = ['a', 'b', 'c', 'd', 'e'].map((id) => open(id));
    const { lines, becomes } = following(...orders);
    const [a, b, c, d, e] = orders;
    becomes(a!, 'unknown', 'open', 'cancelling', 'cancelled');
    becomes(b!, 'unknown', 'cancelling', 'cancelled');
    becomes(c!, 'unknown', 'cancelled');
    becomes(d!, 'cancelling', 'filled');
    becomes(open('of this run'), 'open', 'cancelling', 'cancelled');
    becomes(e!, 'unknown');
    expect(lines).toEqual([]);
    becomes(e!, 'rejected', 'rejected');
    expect(lines).toEqual([
      'what became of 5 orders of btc_usdt that an earlier run left: 2 cancelled by this run, ' +
        '1 cancelled, not by this run, 1 filled, 1 never there',
    ]);
  });

  it('tells of each market by itself, and of no order that had been adopted', () => {
    const [a, b] = [open('a'), open('b', 'eth_usdt')];
    const adopted = { ...open('c'), strategy: 'adopted' };
    const { lines, becomes } = following(a, b, adopted);
    becomes(b, 'cancelling', 'cancelled');
    becomes(a, 'cancelling', 'cancelled');
    expect(lines).toEqual([
      'what became of 1 order of eth_usdt that an earlier run left: 1 cancelled by this run',
      'what became of 1 order of btc_usdt that an earlier run left: 1 cancelled by this run',
    ]);
  });
});
