import { describe, expect, it } from 'vitest';
import { rowsOf, START, Store } from '../store/fixture.ts';

const SECOND = START / 1_000;

/** A dozen minutes of which each begins where the one before ended, the newest first. */
const CANDLES = Array.from({ length: 12 }, (_, at) => {
  const [open, close] = [at, at + 1].map((step) => 42_000.5 + Math.round(90 * Math.sin(step)));
  const [high, low] = [Math.max(open!, close!) + 5, Math.min(open!, close!) - 5];
  return { at, open: open!, high, low, close: close!, volume: 2 + at, worth: (2 + at) * open! };
}).reverse();
type Candle = (typeof CANDLES)[number];

const ms = ({ at }: Candle) => START + at * 60_000;
const s = ({ at }: Candle) => SECOND + at * 60;
const inOrder = ({ open, high, low, close, volume }: Candle) => [open, high, low, close, volume];
const turned = ({ open, high, low, close, volume }: Candle) => [open, close, high, low, volume];

async function imported(data: unknown, name = 'BTCUSDT.json') {
  const store = new Store();
  const told = await store.told(store.file(name, JSON.stringify(data)));
  return { told, dataset: store.dataset(store.ids()[0]!) };
}

function rows(row: (candle: Candle) => readonly unknown[]): unknown[] {
  return CANDLES.map((candle) => row(candle).map(String));
}

describe('unnamedColumns', () => {
  it.each<[string, unknown]>([
    ['bitget', { code: '00000', data: rows((c) => [ms(c), ...inOrder(c), c.worth, c.worth]) }],
    ['bitget-futures', { code: '00000', data: rows((c) => [ms(c), ...inOrder(c), c.worth]) }],
    ['bitmart', { code: 1000, trace: 'x', data: rows((c) => [s(c), ...inOrder(c), c.worth]) }],
    ['kucoin-futures', { code: '200000', data: rows((c) => [ms(c), ...inOrder(c)]) }],
    [
      'whitebit',
      { success: true, message: null, result: rows((c) => [s(c), ...turned(c), c.worth]) },
    ],
    [
      'phemex-futures',
      { code: 0, data: { total: -1, rows: rows((c) => [s(c), 60, 1, ...inOrder(c), c.worth]) } },
    ],
    [
      'phemex-futures',
      { code: 0, data: { rows: rows((c) => [s(c), 60, 1, ...inOrder(c), c.worth, 'BTCUSDT']) } },
    ],
    ['mexc', rows((c) => [ms(c), ...inOrder(c), ms(c) + 60_000, c.worth])],
    [
      'poloniex',
      rows((c) => [
        ...[
          c.low,
          c.high,
          c.open,
          c.close,
          c.worth,
          c.volume,
          c.worth,
          c.volume,
          9,
          ms(c) + 59_000,
        ],
        ...[c.open, 'MINUTE_1', ms(c), ms(c) + 59_999],
      ]),
    ],
    ['bitfinex', rows((c) => [ms(c), ...turned(c)])],
    ['coinbase', rows((c) => [s(c), c.low, c.high, c.open, c.close, c.volume])],
  ])('are candles of %s in its order', async (source, data) => {
    const { told, dataset } = await imported(data);
    expect(dataset.id).toBe(`${source}.btc_usdt.1min`);
    expect(told.join()).toContain('does not say whether its newest candle had ended');
    expect(await rowsOf(dataset)).toEqual(CANDLES.toReversed().map((c) => [ms(c), ...inOrder(c)]));
  });

  it.each<[string, unknown]>([
    ['close, open, high, low', rows((c) => [ms(c), c.close, c.open, c.high, c.low, c.volume])],
    ['few', rows((c) => [ms(c), ...turned(c)]).slice(3)],
    ['marks of Bitget', { code: '00000', data: [[String(START), '5', '6', '4', '5', '0', '0']] }],
    ['prices that Phemex scales', { code: 0, data: { rows: [[SECOND, 60, 4, 4, 5, 3, 4, 9, 9]] } }],
    [
      'a volume that is no worth of another',
      rows((c) => [ms(c), ...inOrder(c), ms(c) + 60_000, c.volume]),
    ],
    [
      'scaled trades of Phemex',
      { result: { symbol: 'BTCUSD', trades: [[START * 1e6, 'Buy', 4, 9]] } },
    ],
  ])('are none where nothing shows their order: %s', async (_what, data) => {
    await expect(imported(data)).rejects.toThrow('its format is not known');
  });
});

it('unnamedColumns take candles of KuCoin without any volume: it answers with no marks', async () => {
  const data = rows((c) => [s(c), ...turned({ ...c, volume: 0 }), 0]);
  const { told, dataset } = await imported({ code: '200000', data });
  expect(dataset.id).toBe('kucoin.btc_usdt.1min');
  expect(told.join()).toContain('no volume, 0 is taken');
});

const FUTURES = { open_price: '5', high_price: '6', low_price: '4', close_price: '5.5' };

it('unnamedColumns know that volumes of futures of MEXC count contracts', async () => {
  const prices = { open: [5, 5], high: [6, 6], low: [4, 4], close: [5, 5] };
  const columns = { time: [SECOND, SECOND + 60], ...prices, vol: [10, 20], amount: [5, 10] };
  const { told, dataset } = await imported({ success: true, code: 0, data: columns });
  expect(dataset.id).toBe('mexc-futures.btc_usdt.1min');
  expect(told[0]).toContain('count contracts');
});

it('unnamedColumns know that volumes of futures of BitMart count contracts', async () => {
  const data = [0, 60].map((at) => ({ timestamp: SECOND + at, ...FUTURES, volume: '10' }));
  const { told, dataset } = await imported({ code: 1000, trace: 'x', data });
  expect(dataset.id).toBe('bitmart-futures.btc_usdt.1min');
  expect(told[0]).toContain('count contracts');
});

it.each<[string, unknown]>([
  ['bitmart', { code: 1000, data: [['BTC_USDT', START, 42_000.5, 0.25, 'sell']] }],
  [
    'phemex-futures',
    { result: { symbol: 'BTCUSDT', trades_p: [[START * 1e6, 'Sell', '42000.5', '0.25']] } },
  ],
  ['bitfinex', [[7, START, -0.25, 42_000.5]]],
  ['alpaca', { trades: { 'BTC/USDT': [{ t: START, p: 42_000.5, s: 0.25, tks: 'S', i: 7 }] } }],
])('unnamedColumns are trades of %s', async (source, data) => {
  const { dataset } = await imported(data);
  expect(dataset.id).toBe(`${source}.btc_usdt.trades`);
  expect(await rowsOf(dataset)).toEqual([[START, Number.NaN, 42_000.5, 0.25, -1]]);
});

it('unnamedColumns are quotes of coins of Alpaca', async () => {
  const quote = { t: new Date(START), ap: 101, as: 2, bp: 100, bs: 3 };
  const { dataset } = await imported({ quotes: { 'BTC/USD': [quote] } });
  expect(dataset.id).toBe('alpaca.btc_usd.quotes');
  expect((await rowsOf(dataset))[0]!.slice(2)).toEqual([100, 3, 101, 2]);
});
