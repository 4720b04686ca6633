import { expect, it } from 'vitest';
import { datasetOf, rowsOf, START } from '../../store/fixture.ts';

it.each([
  ['BTC/USDT', 'local.btc_usdt.trades', undefined],
  ['BTC/USDT:USDT', 'futures.btc_usdt.trades', 'contracts'],
  ['BTC/USD:BTC', 'futures.btc_usd.trades', 'inverse contracts'],
  ['BTC/USDT:USDT-240329', 'futures-240329.btc_usdt.trades', 'contracts'],
  ['btc/usdt:usdt', 'futures.btc_usdt.trades', 'contracts'],
  ['btc/usd:btc', 'futures.btc_usd.trades', 'inverse contracts'],
  ['ETH/BTC:BTC', 'futures.eth_btc.trades', 'contracts'],
])('importFiles knows %s of ccxt, and what its amounts count', async (symbol, id, unit) => {
  const trades = [0, 1].map((at) => ({
    ...{ id: `${at}`, timestamp: START + at, datetime: new Date(START + at).toISOString(), symbol },
    ...{ side: 'buy', price: 100, amount: 5, cost: 500 },
  }));
  const dataset = await datasetOf('trades.json', JSON.stringify(trades));
  expect(dataset.id).toBe(id);
  expect(dataset.sources[0]!.amountUnit).toBe(unit);
  expect((await rowsOf(dataset)).map((row) => row[3])).toEqual([5, 5]);
});
