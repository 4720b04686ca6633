import { expect, it } from 'vitest';
import { datasetOf, rowsOf, START, Store } from '../../store/fixture.ts';

const iso = (ms: number): string => new Date(START + ms).toISOString();

it('dydxCandles begin where they started, with volumes in the base currency', async () => {
  const prices = { open: '100', high: '103', low: '99', close: '102' };
  const candles = [60_000, 0].map((ms) => ({
    ...{ startedAt: iso(ms), updatedAt: iso(ms + 60_000), ticker: 'SOL-USD', resolution: '1MIN' },
    ...{ ...prices, baseTokenVolume: '2.5', usdVolume: '250', trades: 7 },
  }));
  const dataset = await datasetOf('a.json', JSON.stringify({ candles }));
  expect(dataset.id).toBe('dydx.sol_usd.1min');
  expect(await rowsOf(dataset)).toEqual([
    [START, 100, 103, 99, 102, 2.5],
    [START + 60_000, 100, 103, 99, 102, 2.5],
  ]);
});

it('dydxTrades are of the time at which they were created', async () => {
  const trade = { id: '1', side: 'SELL', size: '0.5', price: '100', type: 'LIMIT' };
  const trades = [{ ...trade, createdAt: iso(5), createdAtHeight: '77' }];
  const store = new Store();
  const file = store.file('SOL-USD.json', JSON.stringify({ trades }));
  expect(await store.told(file)).toEqual([]);
  expect(await rowsOf(store.dataset('dydx.sol_usd.trades'))).toEqual([
    [START + 5, Number.NaN, 100, 0.5, -1],
  ]);
});
