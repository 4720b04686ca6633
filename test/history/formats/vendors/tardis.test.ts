import { expect, it } from 'vitest';
import { datasetOf, rowsOf, START, Store } from '../../store/fixture.ts';

it('tardisTrades are no liquidations, which have the same columns', async () => {
  const heading = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount';
  const text = `${heading}\nbinance-futures,BTCUSDT,${START}000,${START}000,,buy,100,2\n`;
  const store = new Store();
  const [trades, liquidations] = ['trades', 'liquidations'].map((type) =>
    store.file(`binance-futures_${type}_2024-01-31_BTCUSDT.csv`, text),
  );
  expect((await store.import(trades!)).id).toBe('binance-futures.btc_usdt.trades');
  await expect(store.import(liquidations!)).rejects.toThrow(
    'it is named after liquidations, which have the columns of trades, trades are wanted',
  );
});

it('tardisBookChanges never take a whole book and changes of one stamp for one update', async () => {
  const heading = 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount';
  const rows = [
    [5, 'true,bid,100,1'],
    [5, 'true,ask,101,1'],
    [7, 'false,bid,100,2'],
    [7, 'true,bid,99,3'],
    [7, 'true,ask,102,3'],
    [7, 'false,ask,102,4'],
    [8, 'false,ask,102,5'],
  ].map(([stamp, level]) => `binance,BTCUSDT,${START}000,${START}00${stamp},${level}`);
  const dataset = await datasetOf('book.csv', `${heading}\n${rows.join('\n')}\n`);
  const updates = (await rowsOf(dataset)).map(([, , update]) => update! - START * 1_000);
  expect(updates).toEqual([5, 5, 7, 8, 8, 9, 10]);
});

it('tardisBookSnapshots are updates of their own, also of one stamp and beside another file', async () => {
  const heading = 'exchange,symbol,timestamp,local_timestamp,asks[0].price,asks[0].amount';
  const store = new Store();
  const file = (name: string, ...stamps: readonly number[]): string => {
    const rows = stamps.map((at) => `binance,BTCUSDT,${START}00${at},${START}00${at},101,5\n`);
    return store.file(name, `${heading}\n${rows.join('')}`);
  };
  const dataset = await store.import([file('a.csv', 1), file('b.csv', 2), file('c.csv', 4, 4, 5)]);
  const updates = (await rowsOf(dataset)).map(([, , update]) => update! - START * 1_000);
  expect(updates).toEqual([1, 2, 4, 5, 6]);
});

it('tardisTrades whose side is unknown get one that is inferred, other words are refused', async () => {
  const heading = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount';
  const trades = (word: string): string => {
    const sides = ['buy', word, 'unknown'];
    const rows = sides.map(
      (side, at) => `bitstamp,BTCUSD,${START}00${at},${START}00${at},,${side}`,
    );
    return `${heading}\n${rows.map((row, at) => `${row},${100 - at},2\n`).join('')}`;
  };
  const store = new Store();
  expect(await store.told(store.file('a.csv', trades('unknown')))).toEqual([
    'a.csv holds 2 of 3 trades without a known side ("unknown"), it is inferred: a rise is a ' +
      'buy, a fall a sell',
  ]);
  const rows = await rowsOf(store.dataset('bitstamp.btc_usd.trades'));
  expect(rows.map((row) => row.at(-1))).toEqual([1, -1, -1]);
  await expect(store.import(store.file('b.csv', trades('none')))).rejects.toThrow(
    'line 3: the side (column side) is "none", buy or sell is wanted',
  );
});

it('tardisQuotes take a side without price and amount for empty, one cell of it alone for a fault', async () => {
  const heading =
    'exchange,symbol,timestamp,local_timestamp,ask_amount,ask_price,bid_price,bid_amount';
  const quotes = (...sides: readonly string[]): string => {
    const rows = sides.map(
      (side, at) => `deribit,BTC-PERPETUAL,${START}00${at},${START}00${at},${side}`,
    );
    return `${heading}\n${rows.join('\n')}\n`;
  };
  const store = new Store();
  const text = quotes('1,101,99,2', ',,99,2', '1,101,,', ',,,');
  const rows = await rowsOf(await store.import(store.file('quotes.csv', text)));
  expect(rows.map((row) => row.slice(2))).toEqual([
    [99, 2, 101, 1],
    [99, 2, 0, 0],
    [0, 0, 101, 1],
    [0, 0, 0, 0],
  ]);
  const half = store.file('half.csv', quotes('1,101,99,2', '1,,99,2'));
  await expect(store.import(half)).rejects.toThrow('line 3: the ask');
});
