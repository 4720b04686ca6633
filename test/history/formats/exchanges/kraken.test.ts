import { expect, it } from 'vitest';
import { csv, datasetOf, START, Store } from '../../store/fixture.ts';

const SECOND = START / 1000;
const TRADES = `${SECOND},100.5,2\n${SECOND + 1},100.4,3\n`;
const CANDLES = `${SECOND},5,6,4,5,10,3\n${SECOND + 60},5,6,4,5,10,3\n`;

it.each([
  ['XBTUSD.csv', TRADES, 'kraken.xbt_usd.trades', 'Kraken trades'],
  ['XBTUSD_1.csv', CANDLES, 'kraken.xbt_usd.1min', 'Kraken OHLCVT'],
  ['1INCHUSD.csv', TRADES, 'kraken.1inch_usd.trades', 'Kraken trades'],
  ['kraken-trades-BCHEUR.csv', TRADES, 'kraken.bch_eur.trades', 'Kraken trades'],
  ['Kraken_XBTUSD_1.csv', CANDLES, 'kraken.xbt_usd.1min', 'Kraken OHLCVT'],
  ['kraken-futures-btc_usd.csv', TRADES, 'local.btc_usd.trades', 'time, price and amount'],
  // bitcoincharts.
  ['bitstamp_btc_usd.csv', TRADES, 'local.btc_usd.trades', 'time, price and amount'],
  ['btc_usd-1m.csv', CANDLES, 'local.btc_usd.1min', 'OHLCVT rows'],
])(
  'krakenTrades and krakenCandles are those of files that Kraken named: %s',
  async (name, text, id, format) => {
    const dataset = await datasetOf(name, text);
    expect([dataset.id, dataset.sources[0]!.format]).toEqual([id, format]);
  },
);

it('krakenTrades refuse amounts ahead of prices, as far as rows show that', async () => {
  const store = new Store();
  const rows = Array.from({ length: 25 }, (_, at) => [
    SECOND + at,
    [0.5, 3, 0.01][at % 3],
    100 + at,
  ]);
  const turned = store.file('a-btc_usd.csv', csv(rows));
  await expect(store.import(turned)).rejects.toThrow(
    'Cannot import a-btc_usd.csv: its second column jumps as amounts do, its third moves as prices ' +
      'do: time, price and amount are wanted, or a mapping of its columns by their numbers',
  );
  const inOrder = rows.map(([time, amount, price]) => [time, price, amount]);
  expect((await store.import(store.file('b-btc_usd.csv', csv(inOrder)))).rows).toBe(25);
  const few = await store.import(store.file('c-eth_usd.csv', csv(rows.slice(0, 19))));
  expect(few.rows).toBe(19);
});
