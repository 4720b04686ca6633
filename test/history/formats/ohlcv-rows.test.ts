import { describe, expect, it } from 'vitest';
import { candles, datasetOf, rowsOf, START, Store, toldOf } from '../store/fixture.ts';

describe('ohlcvRows', () => {
  it.each([
    ['2024-01-31 23:50:00', '2024-01-31 23:51:00'],
    ['2024-01-31T23:50:00Z', '2024-01-31T23:51:00Z'],
    ['2024.01.31 23:50', '2024.01.31 23:51'],
  ])('begin with a date too: %s', async (...times) => {
    const rows = times.map((time) => `${time},5,6,4,5.5,10\n`).join('');
    expect(await rowsOf(await datasetOf('btc_usd.txt', rows))).toEqual([
      [START, 5, 6, 4, 5.5, 10],
      [START + 60_000, 5, 6, 4, 5.5, 10],
    ]);
  });

  it('are refused with their line where the date may be read in two ways', async () => {
    const rows = ['01/02/2024', '01/03/2024'].map((day) => `${day},5,6,4,5.5,10\n`).join('');
    await expect(datasetOf('btc_usd.txt', rows)).rejects.toThrow(
      'line 1: the time (column 1) is "01/02/2024"',
    );
  });

  it('are none where only the first ones, which are quiet, are in this order', async () => {
    // As Coinbase answers: low, high, open, close.
    const prices = [...Array.from({ length: 5 }, () => '5,5,5,5'), '4,6,5,5.5', '4,6,5.5,5'];
    const rows = prices.map((cells, at) => `${START + at * 60_000},${cells},10\n`).join('');
    await expect(datasetOf('btc_usd.txt', rows)).rejects.toThrow('its format is not known');
  });

  it('are so though one of many is impossible', async () => {
    const prices = ['5,6,4,5', '5,6,4,5', '5,6,4,5', '5,6,4,5', '5,6,4,5', '5,4,6,5'];
    const rows = prices.map((cells, at) => `${START + at * 60_000},${cells},10\n`).join('');
    expect(await toldOf('btc_usd.txt', rows)).toEqual([
      expect.stringContaining('1 candle of local.btc_usd.1min cannot be'),
    ]);
  });

  it('are so though the first one is impossible', async () => {
    const rows = candles(0, 10).map((row, at) => (at === 0 ? row.with(2, row[1] - 0.1) : row));
    expect(await toldOf('DOGE_USDT-1m.json', JSON.stringify(rows))).toEqual([
      expect.stringContaining('1 candle of local.doge_usdt.1min cannot be'),
    ]);
  });

  it('are none where the highest price does not stand third, which is told by a row', async () => {
    const rows = '2024-01-31 23:50,5,6,4,5,10\n2024-01-31 23:51,5,5.5,6,4,10\n';
    await expect(datasetOf('btc_usd.txt', rows)).rejects.toThrow(
      /its format is not known(.|\n)*\nas candles 1 of 2 rows read cannot be: of 2024-01-31 23:51, 5, 5\.5, 6, 4, 10 the high 5\.5 is below the low 6,\ncandles \(time, /,
    );
  });
});

describe('misfitsOf', () => {
  it.each([
    ['5,4.5,4,4', 'high 4.5 is below the open 5'],
    ['5,5,4,6', 'high 5 is below the close 6'],
    ['5,7,5.5,6', 'low 5.5 is above the open 5'],
    ['5,7,4.5,4', 'low 4.5 is above the close 4'],
  ])('tells what is wrong with a row where too few can be: %s', async (prices, wrong) => {
    await expect(datasetOf('btc_usd.txt', `2024-01-31 23:50,${prices},10\n`)).rejects.toThrow(
      `the ${wrong},`,
    );
  });

  it('tells no row where it is not the prices that are none', async () => {
    const prices = ['5,6,4,5', '5,6,4,5', '5,6,4,5', '5,4,6,5'];
    const rows = prices.map((cells, at) => `${START + at * 60_000},${cells},much\n`).join('');
    await expect(datasetOf('btc_usd.txt', rows)).rejects.not.toThrow('as candles');
  });

  it('tells no row of six columns without a time', async () => {
    await expect(datasetOf('btc_usd.txt', '1,5,4.5,4,4,10\n2,5,4.5,4,4,10\n')).rejects.not.toThrow(
      'as candles',
    );
  });
});

it.each(['2024-01-31', '01/31/2024', '20240131'])(
  'ohlcvRows have their date and time in two columns: %s',
  async (day) => {
    const store = new Store();
    const rows = ['10:00', '10:01'].map((time) => `${day},${time},5,6,4,5.5,10\n`);
    const file = store.file('btc_usd.txt', rows.join(''));
    expect(await store.told(file)).toEqual([
      'btc_usd.txt: its times have no zone and are taken for UTC',
    ]);
    const time = Date.parse('2024-01-31T10:00Z');
    expect((await rowsOf(store.dataset('local.btc_usd.1min')))[0]).toEqual([
      time,
      5,
      6,
      4,
      5.5,
      10,
    ]);
  },
);
