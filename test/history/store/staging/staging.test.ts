import { describe, expect, it } from 'vitest';
import type { Mapping } from '../../../../src/history/formats/mapping.ts';
import { candles, csv, datasetOf, json, rowsOf, START, Store, toldOf } from '../fixture.ts';

const HEADING = 'time,open,high,low,close,volume\n';
const TOLD = '0 is taken, no order fills there unless backtest.fill.volumeCap is null';

/** Candles of which the second has another volume. */
function rows(volume: unknown): unknown[][] {
  return candles(0, 3).map((row, at) => (at === 1 ? [...row.slice(0, 5), volume] : row));
}

describe('importFiles, of candles of which some have no volume,', () => {
  it.each([
    ['', 'as nothing'],
    ['  ', 'as blanks'],
    ['null', 'in words'],
    ['NaN', 'as no number'],
  ])('takes 0 and tells how many: %j, %s', async (volume) => {
    const store = new Store();
    const file = store.file('BTCUSDT.csv', HEADING + csv(rows(volume)));
    expect(await store.told(file)).toEqual([
      `BTCUSDT.csv holds 1 of 3 candles without a volume: ${TOLD}`,
    ]);
    const dataset = store.dataset('local.btc_usdt.1min');
    expect((await rowsOf(dataset)).map((row) => row[5])).toEqual([10, 0, 10]);
  });

  it.each<[string, string, Mapping | undefined]>([
    ['lists of JSON, as of ccxt', json(rows(null)), undefined],
    ['rows without a heading', csv(rows('')), undefined],
    [
      'yfinance',
      `Date,Open,High,Low,Close,Adj Close,Volume\n${csv(rows('')).replaceAll(/,(10)?$/gm, ',1,$1')}`,
      undefined,
    ],
    [
      'objects of JSON',
      json(
        rows(null).map(([time, open, high, low, close, volume]) => {
          return { time, open, high, low, close, volume };
        }),
      ),
      undefined,
    ],
    [
      'a mapping with commas',
      csv(rows('')).replaceAll(',', ';').replaceAll('.', ','),
      {
        ...{ kind: 'candles', decimal: 'comma' },
        columns: { time: 1, open: 2, high: 3, low: 4, close: 5, volume: 6 },
      },
    ],
  ])('takes 0 in %s', async (_what, text, mapping) => {
    expect(await toldOf('BTC-USDT.csv', text, { mapping, market: 'btc_usdt' })).toContain(
      `BTC-USDT.csv holds 1 of 3 candles without a volume: ${TOLD}`,
    );
  });

  it('tells once that all have none', async () => {
    const none = (cell: unknown) => candles(0, 3).map((row) => [...row.slice(0, 5), cell]);
    for (const text of [HEADING + csv(none('')), json(none(null))]) {
      expect(await toldOf('BTCUSDT.csv', text)).toEqual([
        expect.stringContaining('BTCUSDT.csv has no volume, 0 is taken'),
      ]);
    }
  });

  it('refuses words, and prices that are empty', async () => {
    const store = new Store();
    await expect(
      store.import(store.file('BTCUSDT.csv', HEADING + csv(rows('much')))),
    ).rejects.toThrow('line 3: the volume (column volume) is "much", a number is wanted');
    const close = candles(0, 3).map((row, at) => (at === 1 ? [...row.slice(0, 4), '', 5] : row));
    await expect(store.import(store.file('BTCUSDT.csv', HEADING + csv(close)))).rejects.toThrow(
      'line 3: the close (column close) is "", a number is wanted',
    );
  });
});

describe('importFiles, of trades whose side is not told,', () => {
  const PRICES = [100, 101, 101, 99, 100];
  /** The first two are of one instant. */
  const rows = PRICES.map((price, at) => [START + Math.max(1, at) * 1_000, price, 1]);

  it.each([
    ['oldest first', rows],
    ['newest first', rows.toReversed()],
    ['in disorder', [rows[3]!, rows[0]!, rows[1]!, rows[4]!, rows[2]!]],
  ])('takes up for a buy and down for a sell in the order of time: %s', async (_how, given) => {
    const trades = await rowsOf(await datasetOf('BTCUSDT.csv', `time,price,amount\n${csv(given)}`));
    expect(trades.map((trade) => trade.at(-1))).toEqual([1, 1, 1, -1, 1]);
  });
});

it('stageTable takes an empty id for none, as exports have it of trades without ids', async () => {
  const store = new Store();
  const text = `time,id,price,amount,side\n${START},,100,1,buy\n${START + 1},,101,1,buy\n`;
  expect(await store.told(store.file('btc_usdt.csv', text))).toEqual([]);
  expect((await store.check('local.btc_usdt.trades')).findings).toEqual([]);
});
