import { expect, it } from 'vitest';
import { csv, Store, toldOf } from '../../store/fixture.ts';

it.each([
  ['adjClose', 'yahoo'],
  ['Dividends,Stock Splits,Capital Gains,Adj Close', 'yahoo'],
  ['adjClose,unadjustedVolume,change', 'local'],
  ['adj_close,adj_high,adj_low', 'local'],
  ['adjClose,adjHigh,adjLow,adjOpen,adjVolume', 'local'],
  ['Adj. Close,Adj. Open', 'local'],
])('yahooCandles are those with an adjusted close alone: %s is of %s', async (adjusted, source) => {
  const store = new Store();
  const more = adjusted.split(',').map(() => 5);
  const rows = [1, 2, 3].map((day) => [`2024-01-0${day}`, 5, 6, 4, 5.5, 10, ...more]);
  const text = `date,open,high,low,close,volume,${adjusted}\n${csv(rows)}`;
  await store.import(store.file('btc_usd.csv', text));
  expect(store.ids()).toEqual([`${source}.btc_usd.1day`]);
});

it.each([
  ['BTC-USD.csv', 'Date,Open,High,Low,Close,Adj Close,Volume\n', true],
  ['MSFT_usd.csv', 'Date,Open,High,Low,Close,Adj Close,Volume\n', false],
  [
    'a.csv',
    'Price,Close,High,Low,Open,Volume,V\nTicker,BTC-USD,BTC-USD,BTC-USD,BTC-USD,BTC-USD,BTC-USD\nDate,,,,,,\n',
    true,
  ],
  [
    'b_usd.csv',
    'Price,Close,High,Low,Open,Volume,V\nTicker,MSFT,MSFT,MSFT,MSFT,MSFT,MSFT\nDate,,,,,,\n',
    false,
  ],
])('yahooCandles tell what volumes of crypto count: %s', async (name, headings, isCrypto) => {
  const rows = [1, 2, 3].map((day) => [`2024-01-0${day}`, 5, 5, 5, 5, 5, 10]);
  const told = await toldOf(name, headings + csv(rows), { market: 'btc_usd' });
  expect(told.some((text) => text.includes("Yahoo's volumes of crypto are in the"))).toBe(isCrypto);
});
