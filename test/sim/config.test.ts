import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../src/kernel/index.ts';
import { marketOf, SimulatedExchange, simulationSchema } from '../../src/sim/index.ts';
import { START_MS } from './fixture.ts';

describe('simulationSchema', () => {
  test('needs nothing: the defaults open an exchange with a seeded market and an account', () => {
    const config = simulationSchema.parse({});
    const markets = config.markets.map(marketOf);
    const exchange = new SimulatedExchange({
      ...config,
      markets,
      clock: new VirtualClock(START_MS),
    });
    expect(markets[0]).toMatchObject({ id: 'btc_usdt', base: 'btc', quote: 'usdt', priceScale: 2 });
    expect(config.markets[0]!.synthetic!.startPrice).toBe(30_000);
    expect(exchange.inspect('main').balances.map(String)).toHaveLength(2);
    expect(exchange.totalOf('usdt').toString()).toBe('10000');
    expect(config.fees).toEqual({ maker: 0.002, taker: 0.002 });
  });

  test.each([
    [{ markets: [{ id: 'BTCUSDT' }] }],
    [{ markets: [] }],
    [{ accounts: [{ name: 'a', balances: { usdt: 10 } }] }],
    [{ accounts: [{ name: 'a', balances: { usdt: 'ten' } }] }],
    [{ accounts: [{ name: 'a', balances: { usdt: '-1' } }] }],
    [{ feez: {} }],
    [{ readLagMs: -1 }],
    [{ markets: [{ id: 'btc_usdt', synthetic: { startPrice: 0 } }] }],
  ])('refuses %j', (settings) => {
    expect(simulationSchema.safeParse(settings).success).toBe(false);
  });
});
