import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { currencyLimitsOf, marketLimitsOf, riskConfigSchema } from '../../src/risk/config.ts';

describe('riskConfigSchema', () => {
  it('makes a small and safe set of an empty one', () => {
    expect(riskConfigSchema.parse({})).toMatchObject({
      orderValueMax: 100,
      positionValueMax: 1_000,
      dailyLossMax: 50,
      lossAction: 'REDUCING',
      markets: {},
    });
  });

  it.each([
    { orderValue: 1 },
    { orderValueMax: 0 },
    { openOrdersMax: 1.5 },
    { markets: { btc_usdt: { orderValue: 1 } } },
    { markets: { btc_usdt: { orderValueMax: -1 } } },
    { currencies: { usdt: { dailyLossMax: 0 } } },
    { lossAction: 'ACTIVE' },
    { collarFraction: 2 },
    { markets: { btc_usdt: { collarFraction: 2 } } },
    { priceMin: 2, priceMax: 1 },
    { priceMin: 2, markets: { btc_usdt: { priceMax: 1 } } },
    { markets: { btc_usdt: { priceMin: 2, priceMax: 1 } } },
    { blackouts: [{ from: '13:30' }] },
  ])('refuses %j', (config) => {
    expect(riskConfigSchema.safeParse(config).success).toBe(false);
  });

  it.each([
    [{ priceMin: 2, priceMax: 1 }, 'priceMax'],
    [{ priceMax: 1, markets: { btc_usdt: { priceMin: 2 } } }, 'markets.btc_usdt.priceMin'],
    [{ priceMin: 2, markets: { btc_usdt: { priceMax: 1 } } }, 'markets.btc_usdt.priceMax'],
  ])('names of bounds that cross the key that is there: %j', (config, key) => {
    const paths = riskConfigSchema
      .safeParse(config)
      .error?.issues.map(({ path }) => path.join('.'));
    expect(paths).toEqual([key]);
  });

  it('describes every key, in its JSON schema too', () => {
    const { properties } = z.toJSONSchema(riskConfigSchema, { io: 'input' });
    const undescribed = Object.entries(properties ?? {})
      .filter(([, schema]) => typeof schema === 'boolean' || !schema.description)
      .map(([key]) => key);
    expect(undescribed).toEqual([]);
  });

  it('lets a market and a currency override single limits and keep the rest', () => {
    const config = riskConfigSchema.parse({
      orderValueMax: 5,
      longMax: 1,
      markets: { btc_usdt: { orderValueMax: 7, shortMax: 2 } },
      currencies: { btc: { drawdownMax: 3 } },
    });
    expect(marketLimitsOf(config, 'btc_usdt')).toMatchObject({
      ...{ orderValueMax: 7, longMax: 1, shortMax: 2, openValueMax: 1_000 },
    });
    expect(marketLimitsOf(config, 'eth_usdt').orderValueMax).toBe(5);
    expect(currencyLimitsOf(config, 'btc')).toMatchObject({ dailyLossMax: 50, drawdownMax: 3 });
  });
});
