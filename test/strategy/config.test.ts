import { describe, expect, it } from 'vitest';
import { instanceName, strategiesConfig, strategyConfig, z } from '../../src/strategy/index.ts';

describe('strategyConfig', () => {
  it('fills in the parameters and leaves the rest to the deployment', () => {
    expect(strategyConfig.parse({ use: 'grid' })).toEqual({ use: 'grid', params: {} });
  });

  it('refuses unknown keys', () => {
    expect(strategyConfig.safeParse({ use: 'grid', market: 'btc_usdt' }).success).toBe(false);
  });

  it('refuses the name that orders of others have', () => {
    const named = (name: string) => strategyConfig.safeParse({ use: 'grid', name }).success;
    expect([named('adopted'), named('adopted2')]).toEqual([false, true]);
  });

  it('becomes a JSON Schema with a description on every key', () => {
    const { properties = {} } = z.toJSONSchema(strategyConfig);
    for (const property of Object.values(properties))
      expect(property).toHaveProperty('description');
  });
});

describe('instanceName', () => {
  it('is the name, or else what is used', () => {
    expect(instanceName({ use: 'grid' })).toBe('grid');
    expect(instanceName({ use: 'grid', name: 'night' })).toBe('night');
  });
});

describe('strategiesConfig', () => {
  it('refuses two instances of one name and points at the second', () => {
    const result = strategiesConfig.safeParse([{ use: 'grid' }, { use: 'other', name: 'grid' }]);
    expect(result.error?.issues[0]).toMatchObject({ path: [1, 'name'] });
  });

  it('takes two instances of one strategy under their own names', () => {
    const entries = [{ use: 'grid' }, { use: 'grid', name: 'second' }];
    expect(strategiesConfig.parse(entries).map(instanceName)).toEqual(['grid', 'second']);
  });
});
