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
    [{ markets: [{ id: 'btc_usdt', synthetic: { startPrice: 1, volatility: 1e308 } }] }],
    [{ markets: [{ id: 'btc_usdt', synthetic: { startPrice: 1, noiseOrdersPerMinute: 1e9 } }] }],
    [{ fees: { maker: 1 } }],
    [{ fees: { taker: 0.000_000_1 } }],
  ])('refuses %j', (settings) => {
    expect(simulationSchema.safeParse(settings).success).toBe(false);
  });

  test.each([
    [1.2e-10, { priceScale: 12 }, /^a higher one or a lower amountScale is wanted: /],
    [1e9, { priceScale: 12 }, /^a lower one or a lower priceScale is wanted: /],
    [0.004, {}, /^a higher one or a higher priceScale is wanted: /],
  ])('says which key a price of %d is too low or too high for: %j', (startPrice, scales, words) => {
    const markets = [{ id: 'btc_usdt', ...scales, synthetic: { startPrice } }];
    const path = ['markets', 0, 'synthetic', 'startPrice'];
    const message = expect.stringMatching(words);
    const { error } = simulationSchema.safeParse({ markets });
    expect(error?.issues).toEqual([expect.objectContaining({ path, message })]);
  });

  test('takes a price of many places where amounts have few', () => {
    const synthetic = { startPrice: 1e-9 };
    const markets = [{ id: 'btc_usdt', priceScale: 12, amountScale: 0, synthetic }];
    expect(simulationSchema.safeParse({ markets }).success).toBe(true);
  });

  const chains = [{ name: 'A' }, { name: 'A' }];
  test.each([
    [{ markets: [{ id: 'a_b' }, { id: 'c_b' }, { id: 'a_b' }] }, ['markets', 2, 'id']],
    [{ accounts: [{ name: 'a' }, { name: 'a' }] }, ['accounts', 1, 'name']],
    [{ currencies: { btc: { chains } } }, ['currencies', 'btc', 'chains', 1, 'name']],
  ])('refuses what a list has already: %j', (settings, path) => {
    expect(simulationSchema.safeParse(settings).error?.issues).toMatchObject([{ path }]);
  });
});
