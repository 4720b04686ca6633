import { describe, expect, it } from 'vitest';
import { exchangeSchema, withMarkets } from '../../src/app/config/exchange.ts';
import { openEmbeddedExchange } from '../../src/app/embedded-exchange.ts';
import { seededRandom, silentLogger, VirtualClock } from '../../src/kernel/index.ts';

/** The decimal places that the exchange counts its coin in, by where its price begins. */
async function coinPlaces(startPrice: number): Promise<number> {
  const markets = [
    { id: 'foo_usdt', priceScale: 12, amountScale: 0, minAmount: 0, synthetic: { startPrice } },
  ];
  const clock = new VirtualClock(Date.UTC(2024, 0, 1));
  const exchange = await openEmbeddedExchange(withMarkets(exchangeSchema.parse({ markets })), {
    ...{ clock, logger: silentLogger, random: seededRandom('test') },
    resolveFile: (file) => file,
  });
  const { scale } = exchange.host.totalOf('foo');
  await exchange.close();
  return scale;
}

describe('openEmbeddedExchange', () => {
  it('counts a coin of fine prices by what it is worth', async () => {
    expect(await coinPlaces(100)).toBe(8);
    expect(await coinPlaces(0.000_012)).toBe(4);
  });
});
