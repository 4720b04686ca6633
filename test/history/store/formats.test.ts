import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { DateFormat } from '../../../src/history/formats/dates.ts';
import { datasetOf, rowsOf, Store } from './fixture.ts';

const T = 1_700_000_040_000;
const NONE = Number.NaN;
const KLINES = (unit: number) =>
  `${T * unit},1,3,0.5,2,10,${(T + 59_999) * unit},20,4,5,10,0
${(T + 60_000) * unit},2,3,1,2.5,11,${(T + 119_999) * unit},20,4,5,10,0\n`;
const KLINE_ROWS = [
  [T, 1, 3, 0.5, 2, 10],
  [T + 60_000, 2, 3, 1, 2.5, 11],
];
const TRADE_ROWS = [
  [T, NONE, 100.5, 2, 1],
  [T + 250, NONE, 100.4, 3, -1],
];
const KLINE_HEADING =
  'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore\n';
const TARDIS = 'exchange,symbol,timestamp,local_timestamp';

const TERMINAL_HEADING =
  '<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>\r\n';

const YAHOO_TIMES = ['2023-11-14 22:14:00+00:00', '2023-11-14 22:15:00+00:00'];

/** The same candles as exchanges answer with them: texts, the newest first. */
const newestFirst = (rows: readonly (readonly unknown[])[]) => {
  return rows.map((row) => row.map(String)).reverse();
};
const KUCOIN_ROWS = KLINE_ROWS.map(([time, open, high, low, close, volume]) => {
  return [time! / 1000, open, close, high, low, volume, volume! * 1.5];
});
/** Of spot both last volumes are in the quote currency. */
const OKX_ROWS = KLINE_ROWS.map((row) => [...row, row[5]! * 1.5, row[5]! * 1.5, 1]);
/** Of swaps the first one is in contracts, of a hundredth each. */
const OKX_SWAP_ROWS = KLINE_ROWS.map((row) => {
  return [...row.slice(0, 5), row[5]! * 100, row[5]!, row[5]! * 1.5, 1];
});
const BYBIT_ROWS = KLINE_ROWS.map((row) => [...row, row[5]! * 1.5]);
const BYBIT_INVERSE_ROWS = KLINE_ROWS.map((row) => [...row.with(5, row[5]! * 1.5), row[5]!]);
const bybitAnswer = (result: object) =>
  JSON.stringify({ retCode: 0, retMsg: 'OK', result, retExtInfo: {}, time: T + 120_000 });

/** A few rows of each format: file, content, dataset, format, rows. */
const FORMATS: readonly [string, string, string, string, number[][]][] = [
  ['BTCUSDT-1m.csv', KLINES(1), 'binance.btc_usdt.1min', 'Binance klines', KLINE_ROWS],
  ['BTCUSDT-us.csv', KLINES(1000), 'binance.btc_usdt.1min', 'Binance klines', KLINE_ROWS],
  [
    ...(['BTCUSDT-h.csv', KLINE_HEADING + KLINES(1), 'binance-futures.btc_usdt.1min'] as const),
    ...(['Binance klines', KLINE_ROWS] as const),
  ],
  [
    ...(['BTCUSDT-us-h.csv', KLINE_HEADING + KLINES(1000), 'binance.btc_usdt.1min'] as const),
    ...(['Binance klines', KLINE_ROWS] as const),
  ],
  [
    'BTCUSDT-1d-2023-11-15.csv',
    `${T},1,3,0.5,2,10,${T + 86_399_999},20,4,5,10,0\n`,
    ...(['binance.btc_usdt.1day', 'Binance klines', KLINE_ROWS.slice(0, 1)] as const),
  ],
  [
    'BTCUSDT-trades.csv',
    `7,100.5,2,201,${T},False,True\n8,100.4,3,301.2,${T + 250},True,True\n`,
    ...(['binance.btc_usdt.trades', 'Binance trades', TRADE_ROWS] as const),
  ],
  [
    'BTCUSDT-aggTrades.csv',
    `7,100.5,2,9,9,${T}000,false,true\n8,100.4,3,10,11,${T + 250}000,true,true\n`,
    ...(['binance.btc_usdt.trades', 'Binance aggTrades', TRADE_ROWS] as const),
  ],
  [
    'BTCUSDT-futures.csv',
    `id,price,qty,quote_qty,time,is_buyer_maker\n7,100.5,2,201,${T},false\n8,100.4,3,301,${T + 250},true\n`,
    ...(['binance-futures.btc_usdt.trades', 'Binance trades', TRADE_ROWS] as const),
  ],
  [
    'bitmex_trades.csv',
    `${TARDIS},id,side,price,amount\nbitmex,XBTUSD,${T}000,${T + 1}500,a,buy,100.5,2\nbitmex,XBTUSD,${T}000,${T + 1}500,b,sell,100.4,3\n`,
    ...(['bitmex.xbt_usd.trades', 'Tardis trades'] as const),
    [
      [T, T + 1.5, 100.5, 2, 1],
      [T, T + 1.5, 100.4, 3, -1],
    ],
  ],
  [
    'quotes.csv',
    `${TARDIS},ask_amount,ask_price,bid_price,bid_amount\nhuobi,BTC-USD,${T}000,${T}000,5,101,100,6\n`,
    ...(['huobi.btc_usd.quotes', 'Tardis quotes'] as const),
    [[T, T, 100, 6, 101, 5]],
  ],
  [
    'l2.csv',
    `${TARDIS},is_snapshot,side,price,amount\nderibit,BTC-PERPETUAL,${T}000,${T}000,true,bid,100,6\nderibit,BTC-PERPETUAL,${T}000,${T + 1}000,false,ask,101,0\n`,
    ...(['deribit-futures.btc_usd.depth', 'Tardis incremental_book_L2'] as const),
    [
      [T, T, T * 1000, 1, 1, 100, 6],
      [T, T + 1, (T + 1) * 1000, 2, -1, 101, 0],
    ],
  ],
  [
    'snapshots.csv',
    `${TARDIS},asks[0].price,asks[0].amount,bids[0].price,bids[0].amount\nokex,BTC-USDT,${T}000,${T}000,101,5,100,6\n`,
    ...(['okex.btc_usdt.depth', 'Tardis book_snapshot'] as const),
    [
      [T, T, T * 1000, 1, -1, 101, 5],
      [T, T, T * 1000, 1, 1, 100, 6],
    ],
  ],
  [
    'BTC_USDT-1m.json',
    JSON.stringify(KLINE_ROWS),
    ...(['local.btc_usdt.1min', 'freqtrade or ccxt OHLCV', KLINE_ROWS] as const),
  ],
  [
    'BTC_USDT-trades.json',
    JSON.stringify([
      [T, '7', null, 'buy', 100.5, 2, 201],
      [T + 250, '8', null, 'sell', 100.4, 3, 301.2],
    ]),
    ...(['local.btc_usdt.trades', 'freqtrade trades', TRADE_ROWS] as const),
  ],
  [
    'BTC_USDT-without-cost.json',
    JSON.stringify([
      [T, '7', null, null, 100.5, 2],
      [T + 250, '8', null, 'sell', 100.4, 3],
    ]),
    ...(['local.btc_usdt.trades', 'freqtrade trades', TRADE_ROWS] as const),
  ],
  [
    'ccxt.json',
    JSON.stringify([
      { id: '7', timestamp: T, symbol: 'BTC/USDT', side: 'buy', price: 100.5, amount: 2 },
      { id: '8', timestamp: T + 250, symbol: 'BTC/USDT', side: 'sell', price: 100.4, amount: 3 },
    ]),
    ...(['local.btc_usdt.trades', 'trades as JSON', TRADE_ROWS] as const),
  ],
  [
    'Coinbase-BTC-USD.json',
    JSON.stringify({
      candles: KLINE_ROWS.map(([time, open, high, low, close, volume]) => ({
        ...{ start: String(time! / 1000), open, high, low, close, volume },
      })),
    }),
    ...(['local.btc_usd.1min', 'candles as JSON', KLINE_ROWS] as const),
  ],
  [
    'KuCoin-BTC-USDT.json',
    JSON.stringify({ code: '200000', data: newestFirst(KUCOIN_ROWS) }),
    ...(['kucoin.btc_usdt.1min', 'candles as KuCoin answers', KLINE_ROWS] as const),
  ],
  [
    'OKX-BTC-USDT-1m.json',
    JSON.stringify({ code: '0', msg: '', data: newestFirst(OKX_ROWS) }, undefined, 2),
    ...(['okx.btc_usdt.1min', 'candles as OKX answers', KLINE_ROWS] as const),
  ],
  [
    'OKX-BTC-USDT-SWAP-1m.json',
    JSON.stringify({ code: '0', msg: '', data: newestFirst(OKX_SWAP_ROWS) }),
    ...(['okx-futures.btc_usdt.1min', 'candles as OKX answers', KLINE_ROWS] as const),
  ],
  [
    'bybit-spot.json',
    bybitAnswer({ category: 'spot', symbol: 'BTCUSDT', list: newestFirst(BYBIT_ROWS) }),
    ...(['bybit.btc_usdt.1min', 'candles as Bybit answers', KLINE_ROWS] as const),
  ],
  [
    'bybit-linear.json',
    bybitAnswer({ symbol: 'BTCUSDT', category: 'linear', list: newestFirst(BYBIT_ROWS) }),
    ...(['bybit-futures.btc_usdt.1min', 'candles as Bybit answers', KLINE_ROWS] as const),
  ],
  [
    'bybit-inverse.json',
    bybitAnswer({ category: 'inverse', list: newestFirst(BYBIT_INVERSE_ROWS), symbol: 'BTCUSD' }),
    ...(['bybit-futures.btc_usd.1min', 'candles as Bybit answers', KLINE_ROWS] as const),
  ],
  [
    'cdd.csv',
    `https://www.CryptoDataDownload.com\nunix,date,symbol,open,high,low,close,Volume BTC,Volume USD\n${T + 60_000},2023-11-14 22:15:00,BTC/USD,2,3,1,2.5,11,999\n${T},2023-11-14 22:14:00,BTC/USD,1,3,0.5,2,10,999\n`,
    ...(['cryptodatadownload.btc_usd.1min', 'CryptoDataDownload', KLINE_ROWS] as const),
  ],
  [
    'cdd-without-banner.csv',
    `Unix,Date,Symbol,Open,High,Low,Close,Volume BTC,Volume USDT,tradecount\n${T + 60_000},2023-11-14 22:15:00,BTCUSDT,2,3,1,2.5,11,999,4\n${T},2023-11-14 22:14:00,BTCUSDT,1,3,0.5,2,10,999,4\n`,
    ...(['cryptodatadownload.btc_usdt.1min', 'CryptoDataDownload', KLINE_ROWS] as const),
  ],
  [
    'XBTEUR.csv',
    `${T / 1000},100.5,2\n${T / 1000 + 0.25},100.4,3\n`,
    ...(['kraken.xbt_eur.trades', 'Kraken trades', TRADE_ROWS] as const),
  ],
  [
    'XBTEUR_1.csv',
    `${T / 1000},1,3,0.5,2,10,4\n${T / 1000 + 60},2,3,1,2.5,11,5\n`,
    ...(['kraken.xbt_eur.1min', 'Kraken OHLCVT', KLINE_ROWS] as const),
  ],
  [
    'bybit.csv',
    `timestamp,symbol,side,size,price,tickDirection,trdMatchID,grossValue\n${T / 1000},BTCUSDT,Buy,2,100.5,PlusTick,x,4.5e+10\n${T / 1000 + 0.25},BTCUSDT,Sell,3,100.4,MinusTick,y,4e+08\n`,
    ...(['bybit-futures.btc_usdt.trades', 'Bybit trades', TRADE_ROWS] as const),
  ],
  [
    'EURUSD_M1_202311142214_202311142215.csv',
    `${TERMINAL_HEADING}2023.11.14\t22:14:00\t1\t3\t0.5\t2\t10\t0\t7\r\n2023.11.14\t22:15:00\t2\t3\t1\t2.5\t11\t0\t7\r\n`,
    ...(['local.eur_usd.1min', 'MetaTrader', KLINE_ROWS] as const),
  ],
  [
    'XAUUSD_Daily.csv',
    '<DATE>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<TICKVOL>,<VOL>,<SPREAD>\n2023.11.14,1,3,0.5,2,99,0,1\n2023.11.15,2,3,1,2.5,98,11,1\n',
    ...(['local.xau_usd.1day', 'MetaTrader'] as const),
    KLINE_ROWS.map((row, at) => row.with(0, Date.UTC(2023, 10, 14 + at)).with(5, at * 11)),
  ],
  [
    'USDCHF1.csv',
    '2023.11.14,22:14,1,3,0.5,2,10\n2023.11.14,22:15,2,3,1,2.5,11\n',
    ...(['local.usd_chf.1min', 'MetaTrader', KLINE_ROWS] as const),
  ],
  [
    'EURCAD.csv',
    'Date,Time,Open,High,Low,Close,Volume\n2023/11/14,22:14,1,3,0.5,2,10\n2023/11/14,22:15,2,3,1,2.5,11\n',
    ...(['local.eur_cad.1min', 'candles as CSV', KLINE_ROWS] as const),
  ],
  [
    'yf.csv',
    `Price,Close,High,Low,Open,Volume\nTicker,BTC-USD,BTC-USD,BTC-USD,BTC-USD,BTC-USD\nDatetime,,,,,\n${YAHOO_TIMES[0]},2,3,0.5,1,10\n${YAHOO_TIMES[1]},2.5,3,1,2,11\n`,
    ...(['yahoo.btc_usd.1min', 'yfinance', KLINE_ROWS] as const),
  ],
  [
    'yf-by-ticker.csv',
    `\uFEFFTicker,ETH-EUR,ETH-EUR,ETH-EUR,ETH-EUR,ETH-EUR\nPrice,Open,High,Low,Close,Volume\nDatetime,,,,,\n${YAHOO_TIMES[0]},1,3,0.5,2,10\n${YAHOO_TIMES[1]},2,3,1,2.5,11\n`,
    ...(['yahoo.eth_eur.1min', 'yfinance', KLINE_ROWS] as const),
  ],
  [
    'BTC-USD.csv',
    'Date,Open,High,Low,Close,Adj Close,Volume\n2023-11-14,1,3,0.5,2,9,10\n2023-11-15,2,3,1,2.5,9,11\n',
    ...(['yahoo.btc_usd.1day', 'yfinance'] as const),
    KLINE_ROWS.map((row, at) => row.with(0, Date.UTC(2023, 10, 14 + at))),
  ],
  [
    'btcusdt-index.csv',
    `,open,high,low,close,volume\n2023-11-14 22:14:00,1,3,0.5,2,10\n2023-11-14 22:15:00,2,3,1,2.5,11\n`,
    ...(['local.btc_usdt.1min', 'candles as CSV', KLINE_ROWS] as const),
  ],
  [
    'btcusdt-stamps.csv',
    `Unnamed: 0,open,high,low,close,volume\n${T},1,3,0.5,2,10\n${T + 60_000},2,3,1,2.5,11\n`,
    ...(['local.btc_usdt.1min', 'candles as CSV', KLINE_ROWS] as const),
  ],
  [
    'btcusdt-numbered.csv',
    `,date,open,high,low,close,volume\n0,2023-11-14 22:14:00,1,3,0.5,2,10\n1,2023-11-14 22:15:00,2,3,1,2.5,11\n`,
    ...(['local.btc_usdt.1min', 'candles as CSV', KLINE_ROWS] as const),
  ],
  [
    'btcusdt-reset.csv',
    ',index,open,high,low,close,volume\n0,2023-11-14 22:14,1,3,0.5,2,10\n1,2023-11-14 22:15,2,3,1,2.5,11\n',
    ...(['local.btc_usdt.1min', 'candles as CSV', KLINE_ROWS] as const),
  ],
  [
    'btcusdt-index-trades.csv',
    `,price,amount,side\n${T},100.5,2,buy\n${T + 250},100.4,3,sell\n`,
    ...(['local.btc_usdt.trades', 'trades as CSV', TRADE_ROWS] as const),
  ],
  [
    'recorded_btcusdt',
    [
      `${T}000000 {"lastUpdateId":5,"bids":[["100","6"]],"asks":[["101","5"]]}`,
      `${T + 1}000000 {"stream":"btcusdt@bookTicker","data":{"u":6,"s":"BTCUSDT","b":"100","B":"6","a":"101","A":"5"}}`,
      `${T + 2}000000 {"data":{"e":"depthUpdate","E":${T},"s":"BTCUSDT","U":6,"u":6,"b":[],"a":[["101","0"]]}}`,
      `${T + 3}000000 {"data":{"e":"trade","E":${T},"T":${T},"s":"BTCUSDT","t":1,"p":"100","q":"2","m":true}}`,
    ].join('\n'),
    ...(['binance.btc_usdt.depth', 'raw recording'] as const),
    [
      [T, T, 1, 1, 1, 100, 6],
      [T, T, 1, 1, -1, 101, 5],
      [T, T + 2, 2, 2, -1, 101, 0],
      [T, T + 3, 3, 3, -1, 100, 2],
    ],
  ],
];

describe('importFiles', () => {
  it.each(FORMATS)('recognises %s', async (name, content, id, format, rows) => {
    const dataset = await datasetOf(name, content);
    expect(dataset).toMatchObject({ id, sources: [{ name, format }] });
    expect(await rowsOf(dataset)).toEqual(rows);
  });

  it('reads gzip, blank lines at the end, CRLF and a byte order mark alike', async () => {
    const [, content] = FORMATS[2]!;
    const forms = [gzipSync(content), content.replaceAll('\n', '\r\n'), `\uFEFF${content}`];
    for (const form of forms) {
      expect(await rowsOf(await datasetOf('BTCUSDT.csv', form))).toEqual(KLINE_ROWS);
    }
  });

  it('reads a file as a mapping says, by heading or number', async () => {
    const columns = { time: 2, price: 'C', amount: 'd' };
    const mapping = { kind: 'trades' as const, market: 'btc_usdt', source: 'me', columns };
    const dataset = await datasetOf('x.csv', 'a;b;c;d\n1;2023-11-14 22:14;100.5;2\n', { mapping });
    expect(dataset.id).toBe('me.btc_usdt.trades');
    expect(await rowsOf(dataset)).toEqual([[T, NONE, 100.5, 2, 1]]);
  });

  it.each<[DateFormat, readonly [date: string, time: string]]>([
    ['dd-mm-yyyy', ['14.11.2023', '22:14']],
    ['dd-mm-yyyy', ['14/11/2023', '10:14:00 PM']],
    ['mm-dd-yyyy', ['11-14-2023', '10:14 PM']],
    ['mm-dd-yyyy', ['11/14/2023', '22:14:00.000']],
    ['yyyy-mm-dd', ['2023-11-14', '10:14:00 PM']],
    ['yyyymmdd', ['20231114', '221400']],
    ['yyyymmdd', ['20231114', '2214']],
  ])('reads a date as %s and the time beside it: %j', async (dateFormat, cells) => {
    const store = new Store();
    const [joined, apart] = [`${cells.join(' ')};1;2\n`, `${cells.join(';')};1;2\n`];
    const mapping = { kind: 'trades' as const, source: 'me', market: 'btc_usdt', dateFormat };
    const alone = { ...mapping, columns: { time: 1, price: 2, amount: 3 } };
    const one = await store.import(store.file('one.csv', joined), { mapping: alone });
    expect(await rowsOf(one)).toEqual([[T, NONE, 1, 2, 1]]);
    const columns = { time: [1, 2] as [number, number], price: 3, amount: 4 };
    const options = { mapping: { ...mapping, source: 'us', columns } };
    const two = await store.import(store.file('two.csv', apart), options);
    expect(await rowsOf(two)).toEqual([[T, NONE, 1, 2, 1]]);
  });

  it.each<[string, string, Record<string, string | number>, RegExp]>([
    ['a heading', 'a,b,c\n', { time: 'z' }, /names column "z", the file has a, b, c/],
    ['a number', 'a,b,c\n', { time: 4 }, /names column "4", the file has a, b, c/],
    ['a heading of none', '', { time: 'a' }, /names column "a", the file has 3 without names/],
  ])('refuses a mapping with %s that is not there', async (_what, heading, columns, message) => {
    const mapping = { kind: 'trades' as const, columns: { price: 2, amount: 3, ...columns } };
    await expect(datasetOf('btc_usdt.csv', `${heading}${T},1,2\n`, { mapping })).rejects.toThrow(
      message,
    );
  });
});

describe('importFiles, by a mapping with its kind of decimals,', () => {
  it.each([
    ['a;b;c\n', '2023-11-14 22:14;1.234.567,5;0,25\n'],
    ['', '2023-11-14 22:14;1.234.567,5;0,25\n'],
    ['a,b,c\n', '2023-11-14 22:14,"1.234.567,5","0,25"\n'],
    ['', '2023-11-14 22:14\t1234567,5\t25,0e-2\n'],
  ])('reads decimals behind a comma, below %j of %j', async (heading, row) => {
    const columns = { time: 1, price: 2, amount: 3 };
    const mapping = { kind: 'trades', market: 'btc_usdt', decimal: 'comma', columns } as const;
    const dataset = await datasetOf('x.csv', `${heading}${row}`, { mapping });
    expect(await rowsOf(dataset)).toEqual([[T, NONE, 1_234_567.5, 0.25, 1]]);
  });

  it.each([
    ['comma', '1.5', /"1\.5", a number is wanted/],
    ['comma', '1.23.456,7', /a number is wanted/],
    ['comma', '1.102', /"1\.102", a number is wanted/],
    ['comma', '0.512,5', /a number is wanted/],
    [
      'point',
      '1,5',
      /"1,5", a number \(a mapping with decimal: comma reads this as 1\.5\) is wanted/,
    ],
  ] as const)('takes no number of another kind, decimal %s: %s', async (decimal, cell, message) => {
    const columns = { time: 'a', price: 'b', amount: 'c' };
    const mapping = { kind: 'trades', market: 'btc_usdt', decimal, columns } as const;
    await expect(datasetOf('x.csv', `a;b;c\n${T};${cell};1\n`, { mapping })).rejects.toThrow(
      message,
    );
  });
});

it('importFiles says of MetaTrader whose times and what volumes it has', async () => {
  const rows = (volume: number) => `2023.11.14\t22:14\t1\t3\t1\t2\t10\t${volume}\t7\r\n`;
  const clock = /times are those of the broker's server and are taken as UTC/;
  const ticks = /volumes count changes of the price, .* backtest\.fill\.volumeCap means nothing/;
  for (const [volume, isTicks] of [
    [0, true],
    [5, false],
  ] as const) {
    const store = new Store();
    const file = store.file('EURUSD.csv', TERMINAL_HEADING + rows(volume));
    const [said, ...others] = await store.told([file], { resolution: '1min' });
    expect(others).toEqual([]);
    expect(said).toMatch(clock);
    expect(ticks.test(said!)).toBe(isTicks);
  }
});

it('importFiles says of days with summer time what keeps them from being of one length', async () => {
  const days = ['08 00:00:00-05:00', '09 00:00:00-05:00', '10 00:00:00-05:00', '11 00:00:00-04:00'];
  const rows = days.map((day) => `2024-03-${day},1,3,1,2,5\n`).join('');
  await expect(datasetOf('ethusd.csv', `Date,Open,High,Low,Close,Volume\n${rows}`)).rejects.toThrow(
    'its days keep summer time: most rows are 1 d apart, those from line 5 (2024-03-11T04:00:00.000Z) on ' +
      '23 h; dates without a time zone are wanted',
  );
});

describe('importFiles, of what it cannot read,', () => {
  it.each<[string, string, RegExp]>([
    ['nothing', '', /btcusdt\.csv: it is empty/],
    ['blank lines', '\n\n', /it is empty/],
    ['a heading alone', 'time,price,amount\n', /it holds no row/],
    [
      'other columns',
      'a,b,c\n1,2,3\n',
      /not known.*\n.*columns a, b, c\n.*row +1, 2, 3\n.*--mapping/,
    ],
    ['prose', 'Dear reader\n', /begins with "Dear reader/],
    [
      'what Git has in place of a file',
      'version https://git-lfs.github.com/spec/v1\noid sha256:50a2ed\nsize 3834\n',
      /Git has put a pointer in its place, the file is wanted: `git lfs pull`$/,
    ],
    ['bytes', 'a\u0000b,c\n', /no text/],
    ['JSON of numbers', '[1, 2]', /not known/],
    ['an empty list', '[]', /btcusdt\.csv: it holds no row, at least one is wanted$/],
    ['a list of an empty one', '[[]]', /it holds no row/],
    ['an object around an empty list', '{"candles": [] }', /it holds no row/],
    ['half of a list', `[[${T},1,3,0.5,2,10],[${T},1,`, /csv: it breaks off, a whole file is/],
    ['half of an object', `{"candles":[[${T},1,3,0.5,`, /csv: it breaks off, a whole file is/],
    ['a list with a word', `[[${T},1,3,0.5,2,x]]`, /: row 1 is no JSON \(unexpected character at /],
    ['the head of a Parquet file', 'PAR1', /csv: it breaks off, a whole file is/],
    ['half of a Parquet file', 'PAR1'.padEnd(99), /csv: it breaks off, a whole file is/],
    ['a short row', `${T},1,3,0,2,10\n${T},1\n`, /line 2 has 2 columns, 6 are wanted/],
    [
      'two markets',
      `time,price,amount,symbol\n${T},1,2,BTCUSDT\n${T},1,2,ETHUSDT\n`,
      /BTCUSDT, ETHUSDT/,
    ],
    [
      'several tickers',
      'Price,Close,Close,Open\nTicker,BTC-USD,ETH-USD,BTC-USD\nDate,,,\n2024-01-01,1,2,3\n',
      /btcusdt\.csv: it holds BTC-USD, ETH-USD, one market a file is wanted$/,
    ],
    [
      'rows that are only numbered',
      ',open,high,low,close,volume\n0,1,3,0.5,2,10\n1,2,3,1,2.5,11\n',
      /not known.*\n +columns \(no heading\), open, /,
    ],
    [
      'a spreadsheet',
      KLINE_HEADING + KLINES(1).replace(String(T), '1.70000E+12'),
      /spreadsheet has cut/,
    ],
  ])('refuses %s and leaves nothing', async (_what, content, message) => {
    const store = new Store();
    const file = store.file('btcusdt.csv', content);
    await expect(store.import(file)).rejects.toThrow(message);
    expect(store.ids()).toEqual([]);
  });

  it('refuses a missing file, a folder and rows of no market', async () => {
    const store = new Store();
    await expect(store.import(store.root)).rejects.toThrow(/: it is a folder, a file is wanted$/);
    await expect(store.import('none.csv')).rejects.toThrow(/there is no none\.csv, one is wanted/);
    const nameless = store.file('x.csv', `time,price,amount\n${T},1,2\n`);
    await expect(store.import(nameless)).rejects.toThrow(
      /tell the market, which is wanted: `--market/,
    );
  });
});
