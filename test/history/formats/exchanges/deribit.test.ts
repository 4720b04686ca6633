import { expect, it } from 'vitest';
import { rowsOf, Store } from '../../store/fixture.ts';

const T = Date.UTC(2024, 0, 31, 10);
const HEADING =
  'trade_seq,trade_id,timestamp,tick_direction,price,mark_price,instrument_name,index_price,direction,amount';

it.each([
  ['BTC-PERPETUAL', 'deribit-futures.btc_usd.trades', 'count US dollars'],
  ['BTC_USDC-PERPETUAL', 'deribit-futures.btc_usdc.trades', undefined],
  ['BTC-29MAR24', 'deribit-futures.btc_29mar24.trades', 'count US dollars'],
  ['BTC_USDC', 'deribit.btc_usdc.trades', undefined],
])('deribitTrades of %s are known by what they count', async (instrument, id, unit) => {
  const store = new Store();
  const rows = ['buy', 'sell'].map(
    (side, at) => `${at},${at},${T + at},2,100.5,100,${instrument},100,${side},10\n`,
  );
  const told = await store.told(store.file('trades.csv', `${HEADING}\n${rows.join('')}`));
  expect(told).toEqual(unit === undefined ? [] : [expect.stringContaining(`of ${id} ${unit}`)]);
  expect(await rowsOf(store.dataset(id))).toEqual([
    [T, Number.NaN, 100.5, 10, 1],
    [T + 1, Number.NaN, 100.5, 10, -1],
  ]);
});
