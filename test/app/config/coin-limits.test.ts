import { describe, expect, it } from 'vitest';
import { coinLimits } from '../../../src/app/config/coin-limits.ts';
import { loadDeployment } from '../../../src/app/load-deployment.ts';
import type { Market } from '../../../src/domain/index.ts';
import { makeMarket } from '../../domain/fixture.ts';
import { deploymentFile } from '../fixture.ts';

const ALL: readonly Market[] = [
  makeMarket(),
  makeMarket({ id: 'eth_btc', base: 'eth', quote: 'btc' }),
];

/** What is said of a deployment that trades these, with those limits. */
function saidOf(markets: readonly string[], risk: object): string[] {
  const venue = { kind: 'simulated', markets: ALL.map(({ id }) => ({ id })) };
  const deployment = loadDeployment(deploymentFile({ venue, markets, risk }));
  return coinLimits(deployment, ALL).map(({ text }) => text);
}

describe('coinLimits', () => {
  it('names the limits of a market quoted in a coin that nobody has set, with their defaults', () => {
    expect(saidOf(['btc_usdt', 'eth_btc'], { orderValueMax: 0.01, positionValueMax: 0.1 })).toEqual(
      [
        'limits of eth_btc count in btc, and nobody has set these: risk.openValueMax 1000, ' +
          'risk.dailyLossMax 50, risk.drawdownMax 100; set them to what you can lose in btc',
      ],
    );
  });

  it('is silent where they are set for the market, or for the currency', () => {
    const own = { orderValueMax: 0.01, openValueMax: 0.1, positionValueMax: 0.1 };
    const losses = { dailyLossMax: 0.01, drawdownMax: 0.02 };
    const risk = { markets: { eth_btc: own }, currencies: { btc: losses } };
    expect(saidOf(['btc_usdt', 'eth_btc'], risk)).toEqual([]);
  });

  it('is silent of markets quoted in money, and of those that are not traded', () => {
    expect(saidOf(['btc_usdt'], {})).toEqual([]);
  });
});
