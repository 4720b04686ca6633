import { describe, expect, it } from 'vitest';
import { riskConfigSchema } from '../../src/risk/index.ts';
import { RuleBook } from '../../src/risk/market-rules.ts';
import { makeMarket } from '../domain/fixture.ts';
import { WIDE } from './fixture.ts';

/** The rules of a market, whose data may change. */
function makeRules(limits: Parameters<typeof riskConfigSchema.parse>[0] = {}) {
  const markets = new Map([['btc_usdt', makeMarket()]]);
  const book = new RuleBook(markets, riskConfigSchema.parse({ ...WIDE, ...(limits as object) }));
  return { markets, of: () => book.of('btc_usdt')! };
}

describe('RuleBook.of', () => {
  it('goes by the newest data of the market, and is the same until they change', () => {
    const { markets, of } = makeRules({ longMax: 2 });
    expect([of().minAmount.units, of().valueScale, of().longMaxUnits]).toEqual([1n, 6, 20_000]);
    expect(of()).toBe(of());
    markets.set('btc_usdt', makeMarket({ minAmount: 0.1, amountScale: 3 }));
    expect([of().minAmount.units, of().valueScale, of().longMaxUnits]).toEqual([100n, 5, 2_000]);
  });

  it('rounds so that nothing passes a limit that lies between two steps', () => {
    const { markets, of } = makeRules({
      ...{ orderAmountMax: 0.00019, longMax: 0.00029, shortMax: 0.00039 },
      ...{ orderValueMax: 1.0000019, openValueMax: 2.0000019, positionValueMax: 3.0000019 },
    });
    markets.set('btc_usdt', makeMarket({ minAmount: 0.00011, minSize: 0.0000011 }));
    const rules = of();
    const limits = [rules.orderAmountMax, rules.orderValueMax, rules.openValueMax];
    expect(limits.map((limit) => limit?.units)).toEqual([1n, 1_000_001n, 2_000_001n]);
    expect(rules.positionValueMax.units).toBe(3_000_001n);
    expect([rules.longMaxUnits, rules.shortMaxUnits]).toEqual([2, 3]);
    expect([rules.minAmount.units, rules.minValue.units]).toEqual([2n, 2n]);
  });
});
