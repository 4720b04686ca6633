import { describe, expect, it } from 'vitest';
import type { Mapping } from '../../../../src/history/formats/mapping.ts';
import { datasetOf, rowsOf, Store } from '../../store/fixture.ts';

const T = Date.UTC(2024, 0, 31, 10);
const MARKET = { market: 'es_usd' };
const MINUTES = '20240131 100000;100;103;99;102;7\n20240131 100100;102;104;101;103;8\n';

describe('ninjaTraderCandles', () => {
  it('says why it takes none, and what a mapping makes of them', async () => {
    const store = new Store();
    const file = store.file('ES 03-24.Last.txt', MINUTES);
    await expect(store.import(file, MARKET)).rejects.toThrow(
      'Cannot import ES 03-24.Last.txt: its rows are as NinjaTrader exports them, with ends of ' +
        'candles in UTC, and as others write them, with beginnings in another zone, a mapping',
    );
    const columns = { time: 1, open: 2, high: 3, low: 4, close: 5, volume: 6 };
    const mapping: Mapping = { kind: 'candles', dateFormat: 'yyyymmdd', columns };
    expect(await rowsOf(await store.import(file, { ...MARKET, mapping }))).toEqual([
      [T, 100, 103, 99, 102, 7],
      [T + 60_000, 102, 104, 101, 103, 8],
    ]);
  });
});

describe('ninjaTraderTicks', () => {
  it('reads prices with bids and asks, of which sides follow', async () => {
    const store = new Store();
    const rows = ['100.25;100;100.25;3', '100;100;100.25;1', '100.1;100;100.25;2'];
    const text = rows.map((row, at) => `20240131 100000 ${at}234560;${row}\n`).join('');
    const told = await store.told(store.file('ES 03-24.txt', text), MARKET);
    expect(told).toEqual([
      'ES 03-24.txt: times are taken for UTC, as NinjaTrader 8 exports them; a price at the ' +
        'ask is a buy, at the bid a sell, between them a rise is a buy, a fall a sell',
    ]);
    expect(await rowsOf(store.dataset('local.es_usd.trades'))).toEqual([
      [T + 23.456, Number.NaN, 100.25, 3, 1],
      [T + 123.456, Number.NaN, 100, 1, -1],
      [T + 223.456, Number.NaN, 100.1, 2, 1],
    ]);
  });

  it('reads prices alone', async () => {
    const text = '20240131 100000 0000000;100;3\n20240131 100001 0000000;99;1\n';
    const dataset = await datasetOf('ES 03-24.txt', text, MARKET);
    expect((await rowsOf(dataset)).map((row) => row.slice(2))).toEqual([
      [100, 3, 1],
      [99, 1, -1],
    ]);
  });
});
