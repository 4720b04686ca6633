import { describe, expect, it } from 'vitest';
import { datasetOf, rowsOf, Store } from '../../store/fixture.ts';

const T = Date.UTC(2024, 6, 31, 15);
const CLOCK =
  "HistData's times are of Eastern standard time without daylight saving: 5 hours are added";
const PRICES = [1.084, 1.085, 1.083, 1.0845];

describe('histDataCandles', () => {
  it.each([
    ['DAT_ASCII_EURUSD_M1_202407.csv', '20240731 100', '00', ';'],
    ['DAT_NT_EURUSD_M1_202407.csv', '20240731 100', '00', ';'],
    ['DAT_MT_EURUSD_M1_2024.csv', '2024.07.31,10:0', '', ','],
    // As browsers name a second download, and with its letters small.
    ['DAT_MT_EURUSD_M1_2024 (1).csv', '2024.07.31,10:0', '', ','],
    ['dat_ascii_eurusd_m1_202407.csv', '20240731 100', '00', ';'],
  ])('reads the times of %s as UTC', async (name, begin, end, by) => {
    const store = new Store();
    const rows = [0, 1, 2].map((minute) => [`${begin}${minute}${end}`, ...PRICES, 0].join(by));
    const told = await store.told(store.file(name, `${rows.join('\r\n')}\r\n`));
    expect(told[0]).toBe(`${CLOCK}; its prices are bids`);
    const read = await rowsOf(store.dataset('histdata.eur_usd.1min'));
    expect(read).toEqual([0, 1, 2].map((minute) => [T + minute * 60_000, ...PRICES, 0]));
  });
});

describe('histDataQuotes', () => {
  it('reads ticks with their milliseconds', async () => {
    const store = new Store();
    const text = '20240731 100000123,1.084010,1.084050,0\n20240731 100000456,1.084020,1.084060,0\n';
    const told = await store.told(store.file('DAT_ASCII_EURUSD_T_202407.csv', text));
    expect(told).toEqual([
      `${CLOCK}; its bids and asks have no amounts, 0 is taken: a backtest on them needs backtest.fill.size`,
    ]);
    expect(await rowsOf(store.dataset('histdata.eur_usd.quotes'))).toEqual([
      [T + 123, Number.NaN, 1.08401, 0, 1.08405, 0],
      [T + 456, Number.NaN, 1.08402, 0, 1.08406, 0],
    ]);
  });

  it('names the line of a tick whose time is none', async () => {
    const lines = [123, 124, 125, 126, 127].map((ms) => `20240731 100000${ms},1.1,1.2,0\n`);
    await expect(
      datasetOf('DAT_ASCII_EURUSD_T_202407.csv', `${lines.join('')}2024,1.1,1.2,0\n`),
    ).rejects.toThrow('line 6: the time (column 1) is "2024"');
  });
});
