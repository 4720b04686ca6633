import { describe, expect, it } from 'vitest';
import { resample } from '../../../../src/history/index.ts';
import {
  candle,
  candles,
  csv,
  datasetOf,
  MINUTE_MS,
  rowsOf,
  START,
  Store,
  toldOf,
} from '../fixture.ts';

const HEADING = 'time,open,high,low,close\n';
const NO_VOLUME =
  'no volume, 0 is taken: in a backtest no order fills at such a candle unless ' +
  'backtest.fill.volumeCap is null';

/** Minutes of days, as a file each. */
function days(store: Store, ...numbers: readonly number[]): string[] {
  return numbers.map((day) =>
    store.file(`BTCUSDT-${day}.csv`, csv(candles(day * 1_440, (day + 1) * 1_440))),
  );
}

describe('importFiles, of candles that cannot be,', () => {
  it.each<[string, Record<number, number>, string]>([
    ['a high below the low', { 2: 98 }, 'open 101, high 98, low 100'],
    ['an open above the high', { 1: 110 }, 'open 110, high 102, low 100'],
    ['a close below the low', { 4: 90 }, 'open 101, high 102, low 100, close 90'],
    ['a price of zero', { 3: 0 }, 'open 101, high 102, low 0'],
    ['a volume below zero', { 5: -1 }, 'volume -1'],
  ])('tells how many have %s, and where the first is', async (_what, cells, seen) => {
    const wrong = (minute: number) => candle(minute).map((cell, at) => cells[at] ?? cell);
    const rows = [candle(0), wrong(1), candle(2), wrong(3), candle(4)];
    const [said, ...others] = await toldOf(
      'BTCUSDT.csv',
      HEADING.replace('close', 'close,volume') + csv(rows),
    );
    expect(others).toEqual([]);
    expect(said).toMatch(
      /^2 candles of local\.btc_usdt\.1min cannot be, the first in BTCUSDT\.csv at 2024-01-31T23:51/,
    );
    expect(said).toContain(seen);
  });

  it('says nothing of those that can', async () => {
    const rows = [...candles(0, 4), candle(4).with(5, 0)];
    expect(await toldOf('BTCUSDT.csv', csv(rows))).toEqual([]);
  });
});

describe('importFiles, of odd candles of a time that the dataset keeps as it is,', () => {
  const heading = HEADING.replace('close', 'close,volume');
  const added = async (rows: readonly (readonly number[])[]) => {
    const store = new Store();
    await store.import(store.file('BTCUSDT.csv', csv(candles(0, 5))));
    const more = store.file('more.csv', heading + csv(rows));
    return store.told(more, { market: 'btc_usdt', overlap: 'append' });
  };

  it('says nothing of those that cannot be', async () => {
    expect(await added([candle(3), candle(4).with(2, 1), ...candles(5, 8)])).toEqual([]);
  });

  it('counts none of those that begin beside the grid', async () => {
    const rows = candles(2, 8).map((row) => row.with(0, row[0] + MINUTE_MS / 2));
    expect(await added(rows)).toEqual([
      expect.stringMatching(/^4 candles of .* do not begin on the 1min grid of UTC/),
    ]);
  });
});

describe('importFiles, of trades that cannot be,', () => {
  it('tells how many, and where the first is', async () => {
    const rows = [
      [START, 100, 1, 'buy'],
      [START + 1_000, 0, 2, 'buy'],
      [START + 2_000, 100, -3, 'sell'],
      [START + 3_000, 100, 0, 'sell'],
    ];
    expect(await toldOf('BTCUSDT.csv', `time,price,amount,side\n${csv(rows)}`)).toEqual([
      '2 trades of local.btc_usdt.trades cannot be, the first in BTCUSDT.csv at ' +
        `${new Date(START + 1_000).toISOString()}: price 0, amount 2; \`tradewind data check\` shows them`,
    ]);
  });
});

describe('resample, of trades that cannot be,', () => {
  it('builds no candle from them', async () => {
    const store = new Store();
    const rows = [
      [START, 100, 1, 'buy'],
      [START + 1, 0, 2, 'buy'],
      [START + 2, 102, -3, 'buy'],
      [START + 3, 101, 1, 'buy'],
    ];
    const file = store.file('BTCUSDT.csv', `time,price,amount,side\n${csv(rows)}`);
    const minute = { root: store.root, resolution: '1min' };
    const [bar] = await rowsOf(await resample(await store.import(file), minute));
    expect(bar!.slice(1)).toEqual([100, 101, 100, 101, 2]);
  });
});

describe('importFiles, of a file that is named after a length,', () => {
  it.each([
    ['BTCUSDT-5m.csv', ['BTCUSDT-5m.csv is named after 5min, its rows are 1 min apart']],
    ['BTCUSDT-1m.csv', []],
    ['BTCUSDT.csv', []],
  ])('tells that the candles of %s have another', async (name, said) => {
    expect(await toldOf(name, csv(candles(0, 5)))).toEqual(said);
  });
});

it.each([1, 1000])(
  'importFiles tells of stamps that are ends of candles, %s ms before',
  async (ms) => {
    const ends = candles(0, 3).map(([time, ...others]) => [time + MINUTE_MS - ms, ...others]);
    expect(await toldOf('BTCUSDT.csv', csv(ends))).toEqual([
      expect.stringMatching(
        / do not begin on the 1min grid .*: their times seem to be their ends, but are taken for their beginnings$/,
      ),
    ]);
  },
);

it('importFiles tells how many candles begin beside the grid of their length', async () => {
  const late = candles(0, 3).map(([time, ...others]) => [time + 30_000, ...others]);
  expect(await toldOf('BTCUSDT.csv', csv(late))).toEqual([
    '3 candles of local.btc_usdt.1min do not begin on the 1min grid of UTC, the first in ' +
      'BTCUSDT.csv at 2024-01-31T23:50:30.000Z',
  ]);
});

describe('importFiles, of rows that may be of another market,', () => {
  const market = 'btc_usdt';

  it('tells which market a file names', async () => {
    const store = new Store();
    const file = store.file('ETH_USDT-1m.csv', csv(candles(0, 3)));
    expect(await store.told(file, { market })).toEqual([
      'ETH_USDT-1m.csv names eth_usdt, its rows are imported as btc_usdt',
    ]);
    expect(await store.told(file, { market: 'eth_usdt' })).toEqual([]);
  });

  it.each([
    [
      400,
      ['local.btc_usdt.1min has a price of 105 where rows with 400 join it: are they of btc_usdt?'],
    ],
    [
      20,
      ['local.btc_usdt.1min has a price of 105 where rows with 20 join it: are they of btc_usdt?'],
    ],
    [300, []],
  ])('tells that prices of %d join others', async (price, said) => {
    const store = new Store();
    await store.told(store.file('a.csv', csv(candles(0, 6))), { market });
    const far = candles(6, 9).map(([time]) => [time, price, price, price, price, 1]);
    const file = store.file('b.csv', csv(far));
    expect(await store.told(file, { market, overlap: 'append' })).toEqual(said);
  });

  const stretch = (store: Store, { from, price }: { from: number; price: number }) => {
    const rows = candles(from, from + 6).map(([time]) => [time, price, price, price, price, 1]);
    return store.file(`at-${from}-${price}.csv`, csv(rows));
  };

  it('tells of what stays between the files that replace other parts', async () => {
    const store = new Store();
    const at = (from: number, price: number) => stretch(store, { from, price });
    await store.told([at(0, 100), at(6, 100), at(12, 100)], { market });
    const ends = [at(0, 1_000), at(12, 1_000)];
    expect(await store.told(ends, { market, overlap: 'replace' })).toEqual([
      'local.btc_usdt.1min has a price of 100 where rows with 1000 join it: are they of btc_usdt?',
    ]);
  });

  it('says nothing of prices that they take the place of', async () => {
    const store = new Store();
    await store.told(stretch(store, { from: 0, price: 1 }), { market });
    await store.told(stretch(store, { from: 6, price: 100 }), { market, overlap: 'append' });
    const right = stretch(store, { from: 0, price: 101 });
    expect(await store.told(right, { market, overlap: 'replace' })).toEqual([]);
    const wrong = stretch(store, { from: 0, price: 2 });
    expect(await store.told(wrong, { market, overlap: 'replace' })).toEqual([
      'local.btc_usdt.1min has a price of 100 where rows with 2 join it: are they of btc_usdt?',
    ]);
  });

  it.each([
    [29, 1],
    [31, 0],
  ])('compares prices %d days apart: %d', async (days, told) => {
    const store = new Store();
    await store.told(stretch(store, { from: 0, price: 1 }), { market });
    const later = stretch(store, { from: days * 1_440, price: 100 });
    const said = await store.told(later, { market, overlap: 'append' });
    expect(said.filter((text) => text.includes('join it'))).toHaveLength(told);
  });
});

describe('importFiles, of files with a hole between them,', () => {
  it('tells from when to when it is', async () => {
    const store = new Store();
    expect(await store.told(days(store, 2, 0))).toEqual([
      'local.btc_usdt.1min has no rows from 2024-02-01T23:50:00.000Z to 2024-02-02T23:50:00.000Z, ' +
        'between BTCUSDT-0.csv and BTCUSDT-2.csv',
    ]);
  });

  it('tells that to what was there, until it is filled', async () => {
    const store = new Store();
    const [first, second, third] = days(store, 0, 1, 2);
    expect(await store.told(first!)).toEqual([]);
    expect(await store.told(third!)).toEqual([
      'local.btc_usdt.1min has no rows from 2024-02-01T23:50:00.000Z to 2024-02-02T23:50:00.000Z, ' +
        'between what was there and BTCUSDT-2.csv',
    ]);
    expect(await store.told(second!, { overlap: 'append' })).toEqual([]);
  });

  it('says nothing of one that is no longer than those within the files', async () => {
    const store = new Store();
    const files = [
      store.file('BTCUSDT-1.csv', csv([...candles(0, 10), ...candles(15, 20)])),
      store.file('BTCUSDT-2.csv', csv(candles(25, 40))),
    ];
    expect(await store.told(files)).toEqual([]);
  });

  it('tells five, and how many more there are', async () => {
    const store = new Store();
    const told = await store.told(days(store, 0, 2, 4, 6, 8, 10, 12, 14));
    expect(told).toHaveLength(6);
    expect(told[5]).toBe('local.btc_usdt.1min has no rows in 2 more places between files');
  });

  it('tells of trades the silence of an hour', async () => {
    const store = new Store();
    const trades = (minute: number) =>
      `time,price,amount,side\n${[0, 1, 2].map((at) => `${START + (minute + at) * MINUTE_MS},1,1,buy\n`).join('')}`;
    const files = [0, 59, 200].map((at) => store.file(`btcusdt-${at}.csv`, trades(at)));
    expect(await store.told(files)).toEqual([
      'local.btc_usdt.trades has no rows from 2024-02-01T00:51:00.000Z to 2024-02-01T03:10:00.000Z, ' +
        'between btcusdt-59.csv and btcusdt-200.csv',
    ]);
  });
});

describe('importFiles, of candles without volume,', () => {
  const rows = candles(0, 3);
  const prices = HEADING + csv(rows.map((row) => row.slice(0, 5)));
  const noVolume = rows.map((row) => row.with(5, 0));

  it('takes 0, says so and leaves room for amounts', async () => {
    const store = new Store();
    const files = [store.file('EURUSD.csv', prices), store.file('GBPUSD.csv', csv(noVolume))];
    expect(await store.told(files)).toEqual([
      `EURUSD.csv has ${NO_VOLUME}`,
      `GBPUSD.csv has ${NO_VOLUME}`,
    ]);
    const dataset = store.dataset('local.eur_usd.1min');
    expect(await rowsOf(dataset)).toEqual(noVolume);
    expect(dataset).toMatchObject({ priceScale: 1, amountScale: 8 });
  });

  it('leaves as much room where prices have many places', async () => {
    const store = new Store();
    const fine = rows.map((row) => [row[0]!, 1.0812345, 1.0812345, 1.0812345, 1.0812345, 0]);
    await store.told([store.file('EURUSD.csv', csv(fine))]);
    const dataset = store.dataset('local.eur_usd.1min');
    expect(dataset).toMatchObject({ priceScale: 7, amountScale: 8 });
  });

  it('says so once of many files of a market', async () => {
    const store = new Store();
    const files = [0, 3].map((from) =>
      store.file(`EURUSD-${from}.csv`, csv(candles(from, from + 3).map((row) => row.with(5, 0)))),
    );
    expect(await store.told(files)).toEqual([`EURUSD-0.csv and 1 more have ${NO_VOLUME}`]);
  });

  it('takes them by a mapping too', async () => {
    const columns = { time: 1, open: 2, high: 3, low: 4, close: 5 };
    const mapping = { kind: 'candles' as const, market: 'eur_usd', columns };
    expect(await toldOf('x.csv', prices, { mapping })).toEqual([`x.csv has ${NO_VOLUME}`]);
  });

  it('refuses those with volumes of which it is not clear what they count', async () => {
    const heading = HEADING.replace('close', 'close,Volume XYZ');
    await expect(datasetOf('EURUSD.csv', heading + csv(rows))).rejects.toThrow(
      'none of its columns is headed "volume" and "Volume XYZ" may not be in the base currency',
    );
  });
});
