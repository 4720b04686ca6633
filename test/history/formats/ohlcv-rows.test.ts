import { describe, expect, it } from 'vitest';
import { rowsOf, START, Store } from '../store/fixture.ts';

describe('ohlcvRows', () => {
  it.each([
    ['2024-01-31 23:50:00', '2024-01-31 23:51:00'],
    ['2024-01-31T23:50:00Z', '2024-01-31T23:51:00Z'],
    ['2024.01.31 23:50', '2024.01.31 23:51'],
  ])('begin with a date too: %s', async (...times) => {
    const store = new Store();
    const rows = times.map((time) => `${time},5,6,4,5.5,10\n`).join('');
    expect(await rowsOf(await store.import(store.file('btc_usd.txt', rows)))).toEqual([
      [START, 5, 6, 4, 5.5, 10],
      [START + 60_000, 5, 6, 4, 5.5, 10],
    ]);
  });

  it('are refused with their line where the date may be read in two ways', async () => {
    const store = new Store();
    const rows = ['01/02/2024', '01/03/2024'].map((day) => `${day},5,6,4,5.5,10\n`).join('');
    await expect(store.import(store.file('btc_usd.txt', rows))).rejects.toThrow(
      'line 1: the time (column 1) is "01/02/2024"',
    );
  });

  it('are none where only the first ones, which are quiet, are in this order', async () => {
    const store = new Store();
    // As Coinbase answers: low, high, open, close.
    const prices = [...Array.from({ length: 5 }, () => '5,5,5,5'), '4,6,5,5.5', '4,6,5.5,5'];
    const rows = prices.map((cells, at) => `${START + at * 60_000},${cells},10\n`).join('');
    await expect(store.import(store.file('btc_usd.txt', rows))).rejects.toThrow(
      'its format is not known',
    );
  });

  it('are so though one of many is impossible', async () => {
    const store = new Store();
    const prices = ['5,6,4,5', '5,6,4,5', '5,6,4,5', '5,6,4,5', '5,6,4,5', '5,4,6,5'];
    const rows = prices.map((cells, at) => `${START + at * 60_000},${cells},10\n`).join('');
    expect(await store.told(store.file('btc_usd.txt', rows))).toEqual([
      expect.stringContaining('1 candle of local.btc_usd.1min cannot be'),
    ]);
  });

  it('are none where the highest price does not stand third', async () => {
    const store = new Store();
    const rows = '2024-01-31 23:50,5,5.5,6,4,10\n2024-01-31 23:51,5,5.5,6,4,10\n';
    await expect(store.import(store.file('btc_usd.txt', rows))).rejects.toThrow(
      'its format is not known',
    );
  });
});
