import { describe, expect, it } from 'vitest';
import type { Mapping } from '../../../src/history/formats/mapping.ts';
import { datasetOf, rowsOf, START, Store, timesOf, toldOf } from '../store/fixture.ts';

const DAY_MS = 86_400_000;
const DAY = START - (START % DAY_MS);

describe('namedCandles', () => {
  it.each(['timeOpen', 'open_time', 'time_period_start', 'start'])(
    'begin at "%s" rather than at a stamp beside it',
    async (heading) => {
      const store = new Store();
      const rows = [0, 1].map((day) => {
        const open = DAY + day * DAY_MS;
        return `${open + DAY_MS - 1},${new Date(open).toISOString()},5,6,4,5.5,10\n`;
      });
      const text = `timestamp,${heading},open,high,low,close,volume\n${rows.join('')}`;
      expect(await store.told(store.file('btc_usd.csv', text))).toEqual([]);
      const dataset = store.dataset('local.btc_usd.1day');
      expect(await timesOf(dataset)).toEqual([DAY, DAY + DAY_MS]);
    },
  );

  it('begin with their period rather than with its first trade, as of CoinAPI', async () => {
    const rows = [0, 1].map((day) => {
      const start = DAY + day * DAY_MS;
      return `${start + 1500 * day},${start},5,6,4,5.5,10\n`;
    });
    const text = `time_open,time_period_start,open,high,low,close,volume\n${rows.join('')}`;
    const dataset = await datasetOf('btc_usd.csv', text);
    expect(await timesOf(dataset)).toEqual([DAY, DAY + DAY_MS]);
  });

  it('are read with spaces around their cells', async () => {
    const store = new Store();
    const rows = [0, 1].map((day) => `5, ${DAY + day * DAY_MS} , 6 , 4, 5.5, 10 \n`);
    const file = store.file(
      'btc_usd.csv',
      `open, time, high , low, close, volume\n${rows.join('')}`,
    );
    expect(await rowsOf(await store.import(file))).toEqual([
      [DAY, 5, 6, 4, 5.5, 10],
      [DAY + DAY_MS, 5, 6, 4, 5.5, 10],
    ]);
  });

  it('tell that volumes of FTX are in the quote currency', async () => {
    const rows = [0, 1].map((day) => ({
      ...{ startTime: new Date(DAY + day * DAY_MS).toISOString(), time: DAY + day * DAY_MS },
      ...{ open: 5, high: 6, low: 4, close: 5.5, volume: 1_000 },
    }));
    expect(await toldOf('btc_usd.json', JSON.stringify({ success: true, result: rows }))).toEqual([
      'btc_usd.json has candles as FTX gave them: their volume is in the quote currency, and ' +
        'backtest.fill.volumeCap means nothing with it',
    ]);
  });

  it.each(['marketCap', 'Market Cap'])(
    'tell that beside "%s" volumes are in the quote currency',
    async (heading) => {
      const rows = [0, 1].map((day) => `${DAY + day * DAY_MS},5,6,4,5.5,10,1000\n`);
      const text = `time,open,high,low,close,volume,${heading}\n${rows.join('')}`;
      expect(await toldOf('btc_usd.csv', text)).toEqual([
        'btc_usd.csv tells market capitalisations: its volume is likely in the quote currency, as ' +
          'that of CoinMarketCap is, and backtest.fill.volumeCap means nothing with it',
      ]);
    },
  );
});

describe('namedCandles, of rows without prices,', () => {
  const HEADING = 'Date,Open,High,Low,Close,Volume\n';
  const day = (of: number, ...cells: readonly unknown[]) =>
    `${new Date(DAY + of * DAY_MS).toISOString().slice(0, 10)},${cells.join(',')}\n`;

  it.each(['null', 'NaN', ''])('leave them out and tell how many: %j', async (none) => {
    const store = new Store();
    const rows = [
      day(0, 5, 6, 4, 5.5, 10),
      day(1, none, none, none, none, none),
      day(2, 5, 6, 4, 5, 1),
      day(3, 5, 6, 4, 5, 1),
    ];
    expect(await store.told(store.file('btc_usd.csv', HEADING + rows.join('')))).toEqual([
      'btc_usd.csv holds 1 of 4 candles without prices: left out',
    ]);
    const dataset = store.dataset('local.btc_usd.1day');
    expect(await timesOf(dataset)).toEqual([0, 2, 3].map((at) => DAY + at * DAY_MS));
  });

  it('leave them out by a mapping too', async () => {
    const rows = [
      day(0, 5, 6, 4, 5.5, 10),
      day(1, '', '', '', '', 0),
      day(2, 5, 6, 4, 5, 1),
      day(3, 5, 6, 4, 5, 1),
    ];
    const mapping: Mapping = {
      ...{ kind: 'candles', market: 'btc_usd' },
      columns: { time: 'Date', open: 2, high: 3, low: 'Low', close: 5, volume: 6 },
    };
    expect(await toldOf('btc_usd.csv', HEADING + rows.join(''), { mapping })).toEqual([
      'btc_usd.csv holds 1 of 4 candles without prices: left out',
    ]);
  });

  it('are refused where one price is missing, with its line', async () => {
    const rows = [day(0, 5, 6, 4, 5.5, 10), day(1, 'null', 6, 4, 5, 1)];
    await expect(datasetOf('btc_usd.csv', HEADING + rows.join(''))).rejects.toThrow(
      'line 3: the open (column Open) is "null"',
    );
  });
});

describe('namedTrades', () => {
  it.each(['instrument_name', 'instId', 'product_id', 'currency_pair', 'contract'])(
    'of several markets, told by "%s", are refused',
    async (heading) => {
      const rows = ['BTC-USDT', 'ETH-USDT'].map((name) => `${START},100,2,buy,${name}\n`);
      const text = `time,price,amount,side,${heading}\n${rows.join('')}`;
      await expect(datasetOf('trades.csv', text)).rejects.toThrow(
        'it holds BTC-USDT, ETH-USDT (from line 3), one market a file is wanted',
      );
    },
  );
});

describe('exportedDepth', () => {
  it.each(['', ',received'])(
    'is known by its columns, with a time of receipt or without%s',
    async (received) => {
      const store = new Store();
      const rows = [
        [START, 0, 1, 1, 99, 4],
        [START, 0, 1, -1, 101, 5],
        [START + 7, 1, 3, -1, 99, 2],
      ];
      const lines = rows.map((row) => (received === '' ? row : [...row, row[0]! + 3]).join());
      const text = [`time,update,event,side,price,amount${received}`, ...lines, ''].join('\n');
      expect(await store.told(store.file('btc_usd.csv', text))).toEqual([]);
      const lag = received === '' ? Number.NaN : 3;
      expect(await rowsOf(store.dataset('local.btc_usd.depth'))).toEqual(
        rows.map(([time, ...row]) => [time, time! + lag, ...row]),
      );
    },
  );
});

describe('namedTrades, of a column "contract",', () => {
  const text = (...contracts: readonly unknown[]): string => {
    const rows = contracts.map((contract, at) => `${START + at},100,2,buy,${contract}\n`);
    return `time,price,amount,side,contract\n${rows.join('')}`;
  };

  it.each([
    [1, 3],
    ['this_week', 'this_week'],
  ])(
    'take the market from the name of the file where it holds no market: %j',
    async (...contracts) => {
      const dataset = await datasetOf('btc_usd.csv', text(...contracts));
      expect(dataset.id).toBe('local.btc_usd.trades');
    },
  );

  it('refuse several, and take them for one with a mapping', async () => {
    const store = new Store();
    const file = store.file('btc_usd.csv', text('this_week', 'next_week'));
    await expect(store.import(file)).rejects.toThrow(
      'it holds this_week, next_week (from line 3), one contract a file is wanted, or a mapping',
    );
    const columns = { time: 'time', price: 'price', amount: 'amount' };
    const mapping: Mapping = { kind: 'trades', columns };
    expect((await store.import(file, { mapping })).rows).toBe(2);
  });
});

it.each(['exchange', 'Exchange Name', 'venue'])(
  'recognise refuses rows of several exchanges, by "%s"',
  async (heading) => {
    const store = new Store();
    const text = (other: string) =>
      `time,price,amount,side,${heading}\n${START},1,2,buy,bnce\n${START + 1},1,2,buy,${other}\n`;
    await expect(store.import(store.file('btc_usd.csv', text('krkn')))).rejects.toThrow(
      'it holds bnce, krkn (from line 3), one exchange a file is wanted, or a mapping',
    );
    expect((await store.import(store.file('btc_usd.csv', text('bnce')))).rows).toBe(2);
  },
);

describe('namedQuotes', () => {
  it.each([
    ['trades', 'price,size', '42000.5,0.01'],
    ['candles', 'open,high,low,close', '5,6,4,5.5'],
  ])('refuse quotes beside %s until a mapping says which', async (kind, headings, cells) => {
    const store = new Store();
    const text = `time,${headings},bid,bid_size,ask,ask_size\n${START},${cells},1,2,3,4\n`;
    const file = store.file('btc_usd.csv', text);
    await expect(store.import(file)).rejects.toThrow(
      `it has the columns of ${kind} and of quotes, a mapping of its columns is wanted (--mapping)`,
    );
    const columns = { time: 'time', bid: 'bid', bidAmount: 'bid_size', ask: 'ask' };
    const mapping: Mapping = { kind: 'quotes', columns: { ...columns, askAmount: 'ask_size' } };
    expect((await store.import(file, { mapping })).id).toBe('local.btc_usd.quotes');
  });
});

describe('namedTrades and namedQuotes', () => {
  it.each([
    ['trades', 'price,amount,side', '5,1,buy'],
    ['quotes', 'bid,bid_size,ask,ask_size', '5,1,6,1'],
  ])('take no beginning beside a time for it: %s', async (kind, headings, cells) => {
    const text = `time,start_time,${headings}\n${START},${DAY},${cells}\n`;
    const dataset = await datasetOf('btc_usd.csv', text);
    expect(dataset).toMatchObject({ kind, firstTime: START });
  });
});

it('namedTrades take the finer one of two times of Gemini', async () => {
  const row = `${START / 1000},${START + 250},7,100,2,gemini,sell`;
  const text = `timestamp,timestampms,tid,price,amount,exchange,type\n${row}\n`;
  const dataset = await datasetOf('btc_usd.csv', text);
  expect(await timesOf(dataset)).toEqual([START + 250]);
});

it.each([
  [
    '0.26',
    [
      "btc_usd.csv tells fees: if its trades are those of an account, its sides are not the takers'",
    ],
  ],
  ['', []],
])('namedTrades tell of fees, which trades of an account have: %j', async (fee, told) => {
  const text = `time,type,price,vol,fee\n${START},buy,100,2,${fee}\n`;
  expect(await toldOf('btc_usd.csv', text)).toEqual(told);
});

it('namedCandles leave out what had not ended, as columns of OKX tell it', async () => {
  const rows = [1, 1, 0].map((confirm, at) => `${START + at * 60_000},5,6,4,5,10,${confirm}\n`);
  expect(await toldOf('btc_usd.csv', `ts,o,h,l,c,vol,confirm\n${rows.join('')}`)).toEqual([
    'btc_usd.csv holds 1 of 3 candles without prices or that had not ended: left out',
  ]);
});

const DAYS = [0, 1].map((day) => DAY + day * DAY_MS);

describe('namedCandles and their times', () => {
  const written = (time: number, separator: string, order: readonly number[]): string => {
    const parts = new Date(time).toISOString().slice(0, 10).split('-');
    return order.map((at) => parts[at]).join(separator);
  };

  it.each([
    ['Gmt time', '.', ' 00:00:00.000'],
    ['Time', '.', ''],
    ['Time (UTC)', '.', ' 00:00'],
  ])('take %s with dots for a day ahead of its month', async (heading, separator, clock) => {
    const rows = DAYS.map(
      (time) => `${written(time, separator, [2, 1, 0])}${clock},5,6,4,5.5,10\n`,
    );
    const text = `${heading},Open,High,Low,Close,Volume\n${rows.join('')}`;
    const dataset = await datasetOf('btc_usd.csv', text);
    expect(await timesOf(dataset)).toEqual(DAYS);
  });

  it.each([
    ['000000', 'HHMMSS'],
    ['0000', 'HHMM'],
  ])('join dates and times of digits alone: %s', async (clock) => {
    const rows = DAYS.map((time) => `${written(time, '', [0, 1, 2])},${clock},5,6,4,5.5,10\n`);
    const text = `<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>\n${rows.join('')}`;
    const dataset = await datasetOf('btc_usd.csv', text);
    expect(await timesOf(dataset)).toEqual(DAYS);
  });

  it.each(['time,open,high,low,close,volume\n', ''])(
    'are of minutes if they have twelve digits of a date, whatever they would be since the epoch: %j',
    async (heading) => {
      const rows = DAYS.map((time) => `${written(time, '', [0, 1, 2])}0930,5,6,4,5.5,10\n`);
      const dataset = await datasetOf('btc_usd.csv', heading + rows.join(''));
      const half = 9.5 * 3_600_000;
      expect(await timesOf(dataset)).toEqual(DAYS.map((day) => day + half));
    },
  );

  it('are milliseconds since the epoch if but one of them looks like a date', async () => {
    // The first is 1980-01-01 02:00 as a date.
    const rows = [198_001_010_200, 198_001_010_200 + DAY_MS].map(
      (time) => `${time},5,6,4,5.5,10\n`,
    );
    const dataset = await datasetOf(
      'btc_usd.csv',
      `time,open,high,low,close,volume\n${rows.join('')}`,
    );
    const [[time] = []] = await rowsOf(dataset);
    expect(time).toBe(198_001_010_200);
  });

  it('refuse a time of other digits than those above it', async () => {
    const text =
      'DATE,TIME,OPEN,HIGH,LOW,CLOSE\n20240131,100000,5,6,4,5\n20240131,101500,5,6,4,5\n' +
      '20240131,103000,5,6,4,5\n20240131,104500,5,6,4,5\n20240131,110000,5,6,4,5\n' +
      '20240201,90000,5,6,4,5\n';
    await expect(datasetOf('btc_usd.csv', text)).rejects.toThrow(
      'line 7: the time (columns DATE and TIME) is "20240201" and "90000", a stamp',
    );
  });
});

describe('namedCandles and a local clock', () => {
  it('are those of Dukascopy by a local clock, as far from UTC as each says', async () => {
    const store = new Store();
    const clocks = ['01:00:00.000 GMT+0200', '02:00:00.000 GMT+0200', '02:00:00.000 GMT+0100'];
    const rows = clocks.map((clock) => `27.10.2024 ${clock},5,6,4,5.5,10\n`).join('');
    const text = `Local time,Open,High,Low,Close,Volume\n${rows}`;
    const told = await store.told(store.file('eur_usd.csv', text));
    expect(told).toEqual([expect.stringContaining('is of Dukascopy')]);
    const times = await timesOf(store.dataset('local.eur_usd.1hour'));
    const first = Date.parse('2024-10-26T23:00Z');
    expect(times).toEqual([0, 1, 2].map((hour) => first + hour * 3_600_000));
  });

  it.each(['27.10.2024 01:00:00.000', '27-10-2024', '27-10-2024 01:00'])(
    'are unread where they do not say how far that is: %s',
    async (time) => {
      const text = `Local time,Open,High,Low,Close,Volume\n${time},5,6,4,5.5,10\n`;
      const untold = toldOf('eur_usd.csv', text);
      await expect(untold).rejects.toThrow('its format is not known');
    },
  );
});

describe('namedCandles and other headings', () => {
  it.each(['epoch', 'start_at', 'window_start', 'exchangeTimestamp', 'mts'])(
    'stand in "%s"',
    async (heading) => {
      const rows = DAYS.map((time) => `${time}000000,5,6,4,5.5,10\n`);
      const text = `${heading},open,high,low,close,volume\n${rows.join('')}`;
      const dataset = await datasetOf('btc_usd.csv', text);
      expect(await timesOf(dataset)).toEqual(DAYS);
    },
  );

  it.each([
    'open_price,high_price,low_price,close_price,volume',
    'price_open,price_high,price_low,price_close,volume_traded',
  ])('stand beside prices that are called so: %s', async (headings) => {
    const rows = DAYS.map((time) => `${time},5,6,4,5.5,10\n`);
    const dataset = await datasetOf('btc_usd.csv', `time,${headings}\n${rows.join('')}`);
    expect((await rowsOf(dataset))[0]).toEqual([DAY, 5, 6, 4, 5.5, 10]);
  });

  it('stand in "t" rather than in "T", as prices in "l" rather than in "L"', async () => {
    const store = new Store();
    const rows = DAYS.map(
      (time) =>
        `{"T":${time + DAY_MS - 1},"t":${time},"L":99,"o":5,"h":6,"l":4,"c":5.5,"V":3,"v":10}`,
    );
    const file = store.file('btc_usd.json', `[${rows.join(',')}]`);
    await store.told(file);
    const named = { time: 't', open: 'o', high: 'h', low: 'l', close: 'c', volume: 'v' };
    const mapping: Mapping = { kind: 'candles', source: 'mapped', columns: named };
    await store.told(file, { mapping });
    for (const source of ['local', 'mapped']) {
      const dataset = store.dataset(`${source}.btc_usd.1day`);
      expect((await rowsOf(dataset))[0]).toEqual([DAY, 5, 6, 4, 5.5, 10]);
    }
  });
});

it('namedTrades takes no prices of whole days for trades', async () => {
  const text = 'date,price,volume\n2024-01-30,42000,20000\n2024-01-31,42500,25000\n';
  await expect(datasetOf('btc_usd.csv', text)).rejects.toThrow(
    /its format is not known(.|\n)*\nits times are days without a time of the day, which a mapping/,
  );
});

it.each(['level', 'is_bid', 'update_type', 'order_id'])(
  'namedTrades takes no levels, orders or own trades for those of a market: "%s"',
  async (heading) => {
    const text = `timestamp,side,price,size,${heading}\n${START},buy,100,2,1\n`;
    await expect(datasetOf('btc_usd.csv', text)).rejects.toThrow('its format is not known');
  },
);

it.each([
  ['CoinAPI', 'time_exchange;time_coinapi;guid;price;base_amount;taker_side', '4;x;100;2;SELL'],
  ['Bitget', 'timestamp;trade_id;price;volume(quote);size(base);side', '7;100;200;2;sell'],
])('namedTrades takes the columns of %s', async (_who, headings, cells) => {
  const text = `${headings}\n${START};${cells}\n`;
  const dataset = await datasetOf('btc_usd.csv', text);
  const [[time, , price, amount, side] = []] = await rowsOf(dataset);
  expect([time, price, amount, side]).toEqual([START, 100, 2, -1]);
});

it.each([
  'update_id,best_bid_price,best_bid_qty,best_ask_price,best_ask_qty,transaction_time,event_time',
  'id,bidPrice,bidVolume,askPrice,askVolume,timestamp,received',
  'id,bid_px,bid_sx,ask_px,ask_sx,time_exchange,time_coinapi',
])('namedQuotes takes %s', async (headings) => {
  const text = `${headings}\n7,100,6,101,5,${START},${START + 4}\n`;
  const dataset = await datasetOf('btc_usd.csv', text);
  const [[time, , ...prices] = []] = await rowsOf(dataset);
  expect([time, ...prices]).toEqual([START, 100, 6, 101, 5]);
});

it.each([
  [
    'CoinAPI',
    'time_period_start,px_open,px_high,px_low,px_close,sx_cnt,sx_sum',
    [5, 6, 4, 5.5, 7, 10],
  ],
  [
    'Upbit',
    'candle_date_time_utc,opening_price,high_price,low_price,trade_price,candle_acc_trade_price,candle_acc_trade_volume',
    [5, 6, 4, 5.5, 50, 10],
  ],
  [
    'Sierra Chart',
    'Date, Time, Open, High, Low, Last, Volume, NumberOfTrades',
    [5, 6, 4, 5.5, 10, 7],
  ],
])('namedCandles have the headings of %s', async (_name, headings, cells) => {
  const isParted = headings.startsWith('Date');
  const times = isParted
    ? ['2024/1/31, 23:50:00.0', '2024/1/31, 23:51:00.0']
    : [START, START + 60_000];
  const rows = times.map((time) => `${[time, ...cells].join(', ')}\n`);
  const dataset = await datasetOf('btc_usd.csv', `${headings}\n${rows.join('')}`);
  expect(await rowsOf(dataset)).toEqual(
    [START, START + 60_000].map((time) => [time, 5, 6, 4, 5.5, 10]),
  );
});

it('namedCandles take no last price of a ticker for a close', async () => {
  await expect(
    datasetOf('btc_usd.csv', `time,open,high,low,last,volume\n${START},5,6,4,5.5,10\n`),
  ).rejects.toThrow('its format is not known');
});

it.each([
  [
    'Upbit',
    { timestamp: START, trade_price: 5, trade_volume: 2, ask_bid: 'ASK', sequential_id: 7 },
  ],
  ['Hyperliquid', { coin: 'BTC', side: 'A', px: '5', sz: '2', time: START, hash: '0x0', tid: 7 }],
  [
    'WhiteBIT',
    {
      tradeID: 7,
      price: '5',
      quote_volume: '10',
      base_volume: '2',
      trade_timestamp: START,
      type: 'sell',
    },
  ],
  [
    'Polygon',
    { id: 7, participant_timestamp: 1, price: 5, sip_timestamp: START * 1e6, size: 2, side: 's' },
  ],
])('namedTrades have the fields of %s', async (_name, trade) => {
  const dataset = await datasetOf('btc_usd.json', JSON.stringify([trade]));
  expect(await rowsOf(dataset)).toEqual([[START, Number.NaN, 5, 2, -1]]);
});
