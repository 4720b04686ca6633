import { describe, expect, it } from 'vitest';
import { datasetOf, rowsOf, Store } from '../../store/fixture.ts';

const T = Date.UTC(2023, 10, 14, 22, 14);
const HEADING = '<DATE>\t<TIME>\t<BID>\t<ASK>\t<LAST>\t<VOLUME>\t<FLAGS>\r\n';
const CLOCK = "MetaTrader's times are those of the broker's server and are taken as UTC";

describe('importFiles, of MetaTrader,', () => {
  it('reads candles of version 4 without a volume', async () => {
    const store = new Store();
    const rows = '2023.11.14,22:14,1,3,0.5,2\n2023.11.14,22:15,2,3,1,2.5\n';
    const file = store.file('EURUSD1.csv', rows);
    expect(await store.told(file)).toEqual([CLOCK, expect.stringContaining('has no volume')]);
    expect(await rowsOf(store.dataset('local.eur_usd.1min'))).toEqual([
      [T, 1, 3, 0.5, 2, 0],
      [T + 60_000, 2, 3, 1, 2.5, 0],
    ]);
  });

  it('wants the market where a symbol tells none', async () => {
    const store = new Store();
    const file = store.file('#US30_M1.csv', '2023.11.14,22:14,1,3,0.5,2,9\n');
    await expect(store.import(file, { resolution: '1min' })).rejects.toThrow(
      'Cannot import #US30_M1.csv: neither its rows nor its name tell the market, which is ' +
        'wanted: `--market btc_usdt`, or `market: btc_usdt` in a mapping,',
    );
    const dataset = await store.import(file, { resolution: '1min', market: 'us30_usd' });
    expect(dataset.market).toBe('us30_usd');
  });
});

describe('importFiles, of ticks of MetaTrader,', () => {
  it('reads ticks without trades as quotes, of which a row has what changed', async () => {
    const store = new Store();
    const rows = [
      '2023.11.14\t22:14:00.000\t1.1\t\t\t\t2',
      '2023.11.14\t22:14:00.100\t\t1.3\t\t\t4',
      '2023.11.14\t22:14:00.200\t1.2\t\t\t\t2',
      '2023.11.14\t22:14:00.200\t\t1.4\t\t\t4',
    ];
    const file = store.file('EURUSD.m_2023.csv', `${HEADING}${rows.join('\r\n')}\r\n`);
    expect(await store.told(file)).toEqual([
      `${CLOCK}; its bids and asks have no amounts, 0 is taken: a backtest on them needs backtest.fill.size`,
    ]);
    expect(await rowsOf(store.dataset('local.eur_usd.quotes'))).toEqual([
      [T + 100, Number.NaN, 1.1, 0, 1.3, 0],
      [T + 200, Number.NaN, 1.2, 0, 1.3, 0],
      [T + 200, Number.NaN, 1.2, 0, 1.4, 0],
    ]);
  });

  it('reads ticks with trades as trades, each once, with the side that their flags tell', async () => {
    const store = new Store();
    const rows = [
      '2023.11.14\t22:14:00.000\t99\t101\t100\t2\t56',
      '2023.11.14\t22:14:00.100\t98\t101\t100\t2\t2',
      '2023.11.14\t22:14:00.200\t\t\t100.5\t3\t88',
      '2023.11.14\t22:14:00.300\t\t\t101\t4\t24',
      '2023.11.14\t22:14:00.400\t\t\t0.5\t5\t56',
      '2023.11.14\t22:14:00.500\t\t\t0.25\t0\t8',
      '2023.11.14\t22:14:00.600\t\t\t0.25\t6\t16',
    ];
    const file = store.file('XAUUSD_i.csv', `${HEADING}${rows.join('\r\n')}\r\n`);
    expect(await store.told(file)).toEqual([
      `${CLOCK}; its bids and asks are left out, trades are what is kept of it`,
    ]);
    expect(await rowsOf(store.dataset('local.xau_usd.trades'))).toEqual([
      [T, Number.NaN, 100, 2, 1],
      [T + 200, Number.NaN, 100.5, 3, -1],
      [T + 300, Number.NaN, 101, 4, 1],
      [T + 400, Number.NaN, 0.5, 5, 1],
      [T + 600, Number.NaN, 0.25, 6, -1],
    ]);
  });

  it('reads ticks as trades where bids and asks alone come first', async () => {
    const quotes = Array.from({ length: 20 }, (_, at) => {
      return `2023.11.14\t22:14:00.${100 + at}\t${99 + (at % 2)}\t\t\t\t2`;
    });
    const rows = [...quotes, '2023.11.14\t22:14:01.000\t\t\t100.5\t3\t88'];
    const dataset = await datasetOf('XAUUSD_i.csv', `${HEADING}${rows.join('\r\n')}\r\n`);
    expect(await rowsOf(dataset)).toEqual([[T + 1_000, Number.NaN, 100.5, 3, -1]]);
  });
});

it('metaTraderCandles are those of its package for Python', async () => {
  const store = new Store();
  const rows = [0, 60].map((second) => `${1_706_695_200 + second},5,6,4,5.5,10,2,0\n`);
  const headings = 'time,open,high,low,close,tick_volume,spread,real_volume';
  const told = await store.told(store.file('eur_usd.csv', `${headings}\n${rows.join('')}`));
  expect(told[0]).toContain("MetaTrader's volumes count changes of the price");
  expect((await rowsOf(store.dataset('local.eur_usd.1min')))[0]!.at(-1)).toBe(10);
});
