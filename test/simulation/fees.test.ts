import { describe, expect, it } from 'vitest';
import type { OrderState } from '../../src/domain/index.ts';
import type { Decimal } from '../../src/kernel/index.ts';
import { World } from './world.ts';
import { BTC_USDT } from './world-options.ts';

/** A bot that buys 0.01 at the best ask and wants out, where makers pay nothing. */
function roundTrip() {
  const market = { ...BTC_USDT, amountScale: 5 };
  const world = new World({
    ...{ strategy: 'round-trip', markets: [market], positionMax: 0.01 },
    ...{ fees: { maker: 0, taker: 0.001 }, balances: { usdt: '20000', btc: '0' } },
  });
  const requests: string[] = [];
  world.requestListeners.add((target) => requests.push(target.split('?', 1)[0]!));
  const orders = new Map<string, OrderState>();
  world.listeners.add((event) => {
    if (event.kind === 'order') orders.set(event.order.clientOrderId, event.order);
  });
  world.advance(2_000);
  world.stillMarkets();
  return { world, market, requests, orders };
}

function ownedBy(world: World, currency: string): Decimal {
  const { balances } = world.exchange.inspect('main');
  const { available, frozen } = balances.find((balance) => balance.currency === currency)!;
  return available.plus(frozen);
}

describe('a taker whose fill is pushed without its fee', () => {
  it('gets out of all that it got in', () => {
    const { world, market, orders } = roundTrip();
    const before = { btc: ownedBy(world, 'btc'), usdt: ownedBy(world, 'usdt') };
    world.boot();
    world.advance(15_000);
    const position = world.bot.sources.positions.position(market.id);
    expect([...orders.values()].map(({ side, filledAmount }) => [side, filledAmount])).toEqual([
      ['buy', 0.01],
      ['sell', 0.00999],
    ]);
    expect(`${position.amount}`).toBe('0');
    expect(`${ownedBy(world, 'btc')}`).toBe(`${before.btc}`);
    const earned = ownedBy(world, 'usdt').minus(before.usdt);
    const { realizedProfit, cost, fees } = position;
    expect(`${realizedProfit.minus(cost).minus(fees)}`).toBe(`${earned}`);
  });
});
