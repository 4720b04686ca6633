import { describe, expect, it } from 'vitest';
import { datasetOf, rowsOf, Store, toldOf } from '../../store/fixture.ts';

const T = Date.UTC(2024, 0, 31, 10);
const TRADES =
  'timestamp,symbol,side,size,price,tickDirection,trdMatchID,grossValue,homeNotional,foreignNotional';

describe('bitmexTrades', () => {
  it.each(['T', 'D', ' '])(
    'are told from those of Bybit by dates, parted by %j, their amounts in the base currency',
    async (parted) => {
      const store = new Store();
      const rows = [
        `2024-01-31${parted}10:00:00.250000000,LINKUSDT,Buy,1000,5.6,PlusTick,a,1,10,56`,
        `2024-01-31${parted}10:00:01.000000000,LINKUSDT,Sell,2000,5.5,MinusTick,b,1,20,110`,
      ];
      const told = await store.told(store.file('day.csv', `${TRADES}\n${rows.join('\n')}\n`));
      expect(told).toEqual([]);
      expect(await rowsOf(store.dataset('bitmex.link_usdt.trades'))).toEqual([
        [T + 250, Number.NaN, 5.6, 10, 1],
        [T + 1000, Number.NaN, 5.5, 20, -1],
      ]);
    },
  );
});

describe('bitmexTrades, without the amount in the base currency,', () => {
  it('count contracts, which is told', async () => {
    const heading = TRADES.replace(',homeNotional,foreignNotional', '');
    const row = '2024-01-31D10:00:00.250000000,LINKUSDT,Buy,1000,5.6,PlusTick,a,1';
    expect(await toldOf('day.csv', `${heading}\n${row}\n`)).toEqual([
      expect.stringContaining('the amounts of bitmex.link_usdt.trades count contracts'),
    ]);
  });
});

it('bitmexTrades take the size of Bybit, whose homeNotional of inverse contracts is dollars', async () => {
  const store = new Store();
  const row = `${T / 1_000}.5,BTCUSD,Sell,400,40000.5,MinusTick,a,999900,400,0.009999875`;
  expect(await store.told(store.file('BTCUSD2024-01-31.csv', `${TRADES}\n${row}\n`))).toEqual([
    expect.stringContaining('the amounts of bybit-futures.btc_usd.trades count US dollars'),
  ]);
  expect(await rowsOf(store.dataset('bybit-futures.btc_usd.trades'))).toEqual([
    [T + 500, Number.NaN, 40000.5, 400, -1],
  ]);
});

it('bitmexTrades keep futures of Bybit that end apart from perpetuals of their pair', async () => {
  const row = `${T / 1_000}.5,BTCUSDT-29MAR24,Sell,4,40000.5,MinusTick,a,999900,400,0.009999875`;
  expect((await datasetOf('BTCUSDT-29MAR242024-01-31.csv', `${TRADES}\n${row}\n`)).id).toBe(
    'bybit-futures-29mar24.btc_usdt.trades',
  );
});

describe('bitmexCandles', () => {
  const heading =
    'timestamp,symbol,open,high,low,close,trades,volume,vwap,lastSize,turnover,homeNotional,foreignNotional';
  const rows = [
    '2024-01-31T10:01:00.000Z,XBTUSD,40000,40010,39990,40005,3,8000,40001,100,20000000,0.2,8000',
    '2024-01-31T10:02:00.000Z,XBTUSD,40005,40010,39990,40000,3,4000,40001,100,10000000,0.1,4000',
  ];

  it.each([undefined, '1min'])(
    'begin a length before their stamps, and their volume is in the base currency: %s',
    async (resolution) => {
      const store = new Store();
      const file = store.file('XBTUSD.csv', `${heading}\n${rows.join('\n')}\n`);
      expect(await store.told(file, { resolution })).toEqual([]);
      expect(await rowsOf(store.dataset('bitmex.xbt_usd.1min'))).toEqual([
        [T, 40000, 40010, 39990, 40005, 0.2],
        [T + 60_000, 40005, 40010, 39990, 40000, 0.1],
      ]);
    },
  );

  it('leave out those without trades, which have no price', async () => {
    const quiet = '2024-01-31T10:03:00.000Z,XBTUSD,,,,,0,0,,,0,0,0';
    expect(await toldOf('XBTUSD.csv', `${heading}\n${rows.join('\n')}\n${quiet}\n`)).toEqual([
      'XBTUSD.csv holds 1 of 3 candles without prices: left out',
    ]);
  });
});

it.each([
  ['2024-01-31D10:00:00.123456000', 'XBTUSD', 'xbt_usd', 'US dollars'],
  ['2024-01-31T10:00:00.123456Z', 'SOLUSDT', 'sol_usdt', 'contracts'],
])('bitmexQuotes of %s count contracts of %s', async (time, symbol, market, unit) => {
  const heading = 'timestamp,symbol,bidSize,bidPrice,askPrice,askSize\n';
  const row = `${time},${symbol},500,42000,42000.5,200\n`;
  const dataset = await datasetOf('20240131.csv', heading + row);
  expect(dataset.id).toBe(`bitmex.${market}.quotes`);
  expect(dataset.sources[0]!.amountUnit).toBe(unit);
  expect(await rowsOf(dataset)).toEqual([
    [Date.UTC(2024, 0, 31, 10) + 123.456, Number.NaN, 42000, 500, 42000.5, 200],
  ]);
});
