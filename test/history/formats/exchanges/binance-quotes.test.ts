import { expect, it } from 'vitest';
import { datasetOf, rowsOf, START } from '../../store/fixture.ts';

const HEADING =
  'update_id,best_bid_price,best_bid_qty,best_ask_price,best_ask_qty,transaction_time,event_time';

it.each([
  ['BTCUSDT-bookTicker-2024-01.csv', 'binance-futures.btc_usdt.quotes', undefined],
  ['BTCUSDT_240329-bookTicker-2024-01.csv', 'binance-futures-240329.btc_usdt.quotes', undefined],
  ['BTCUSD_PERP-bookTicker-2024-01.csv', 'binance-futures.btc_usd.quotes', 'inverse contracts'],
])('binanceQuotes of %s are %s', async (name, id, unit) => {
  const dataset = await datasetOf(name, `${HEADING}\n7,100,6,101,5,${START},${START + 4}\n`);
  expect([dataset.id, dataset.sources[0]!.amountUnit]).toEqual([id, unit]);
  expect(await rowsOf(dataset)).toEqual([[START, Number.NaN, 100, 6, 101, 5]]);
});
