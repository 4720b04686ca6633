import { expect, it } from 'vitest';
import { MINUTE_MS, START, Store } from '../../store/fixture.ts';

/** Klines of futures; `volume` and how many trades it is of, a row each. */
function klines(rows: readonly (readonly [volume: number, count: number])[]): string {
  const heading =
    'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,' +
    'taker_buy_quote_volume,ignore\n';
  const texts = rows.map(([volume, count], at) => {
    const open = START + at * MINUTE_MS;
    return `${open},100,101,99,100.5,${volume},${open + 59_999},0,${count},0,0,0\n`;
  });
  return heading + texts.join('');
}

it('binanceKlines keeps mark and index prices apart from what is traded, which have its columns', async () => {
  const store = new Store();
  const file = store.file('BTCUSDT-1m-2024-01.csv', klines(Array(3).fill([0, 60])));
  expect(await store.told(file)).toEqual([
    'BTCUSDT-1m-2024-01.csv counts trades and has no volume, as files of mark prices, index prices ' +
      'and premium indices do: they are no prices at which anything is traded',
    expect.stringContaining('has no volume, 0 is taken'),
  ]);
  expect(store.ids()).toEqual(['binance-index.btc_usdt.1min']);
});

it('binanceKlines takes candles without a trade for those of a quiet market', async () => {
  const store = new Store();
  await store.import(store.file('BTCUSDT-1m-2024-01.csv', klines(Array(3).fill([0, 0]))));
  await store.import(
    store.file('ETHUSDT-1m-2024-01.csv', klines([...Array(3).fill([0, 0]), [2, 1]])),
  );
  expect(store.ids()).toEqual(['binance-futures.btc_usdt.1min', 'binance-futures.eth_usdt.1min']);
});
