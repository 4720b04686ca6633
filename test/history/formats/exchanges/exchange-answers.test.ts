import { describe, expect, it } from 'vitest';
import { importFiles } from '../../../../src/history/index.ts';
import { rowsOf, Store, timesOf } from '../../store/fixture.ts';

const T = 1_700_000_040_000;

/** Rows of OKX, the newest first, of which some have ended. */
function okxRows(...ended: readonly boolean[]): string[][] {
  const rows = ended.map((hasEnded, minute) => {
    const row = [T + minute * 60_000, 1, 3, 0.5, 2, 10 + minute, 15, 15, hasEnded ? 1 : 0];
    return row.map(String);
  });
  return rows.reverse();
}

function answered(data: unknown, name = 'btc-usdt.json') {
  const store = new Store();
  const file = store.file(name, JSON.stringify(data));
  return { store, file, result: () => importFiles({ root: store.root, files: [file] }) };
}

describe('importFiles, of what exchanges answer,', () => {
  it('leaves out a candle of OKX that had not ended, and tells so', async () => {
    const [first] = await answered({ code: '0', data: okxRows(true, true, false) }).result();
    expect(first!.warnings).toEqual([
      'btc-usdt.json holds 1 of 3 candles that had not ended: left out',
    ]);
    expect(await timesOf(first!.dataset)).toEqual([T, T + 60_000]);
  });

  it('names the row of a broken one behind what is left out', async () => {
    const rows = okxRows(...Array.from({ length: 8 }, () => true), false);
    const { result } = answered({ code: '0', data: rows.with(7, rows[7]!.with(4, 'x')) });
    await expect(result()).rejects.toThrow(
      'row 8: the close (column 5) is "x", a number is wanted',
    );
  });

  it('imports nothing of an answer without a candle that has ended, nor of one without any', async () => {
    for (const [data, message] of [
      [okxRows(false), 'it holds only candles that had not ended, others are wanted'],
      [[], 'it holds no row, at least one is wanted'],
    ] as const) {
      const { store, result } = answered({ code: '0', data }, 'btc-usdt-1m.json');
      await expect(result()).rejects.toThrow(message);
      expect(store.ids()).toEqual([]);
    }
  });

  it.each([
    ['KuCoin', { code: '200000', data: [[T / 1000, 1, 2, 3, 0.5, 10, 15]] }],
    [
      'Bybit',
      { retCode: 0, result: { category: 'spot', list: [[T, 1, 3, 0.5, 2, 10, 15]] }, time: T },
    ],
  ])('says of %s that its newest candle may not have ended', async (exchange, data) => {
    const [first] = await answered(data, 'btc-usdt-1m.json').result();
    expect(first!.warnings).toEqual([
      `${exchange} does not say whether its newest candle had ended when it answered: if it ` +
        'had not, the candle is imported unfinished',
    ]);
  });

  it.each([
    ['marks of OKX, without volumes', { code: '0', data: [[T, 1, 3, 0.5, 2, 1]] }],
    [
      "an order of prices that is not KuCoin's",
      { code: '200000', data: [[T, 1, 3, 0.5, 2, 9, 9]] },
    ],
    ['another exchange', { code: '00000', data: [[T, 1, 3, 0.5, 2, 10, 15, 15, 1]] }],
    ['a third state', { code: '0', data: [[T, 1, 3, 0.5, 2, 10, 15, 15, 2]] }],
  ])('refuses rows whose columns nobody tells: %s', async (_what, data) => {
    await expect(answered(data).result()).rejects.toThrow('its format is not known');
  });
});

it('importFiles leaves out the last candle of Kraken, which has not ended', async () => {
  const list = [0, 1, 2].map((at) => [T / 1000 + at * 60, '1', '3', '0.5', '2', '1.5', `${at}`, 9]);
  const last = T / 1000 + 60;
  const [first] = await answered({ error: [], result: { XXBTZUSD: list, last } }).result();
  expect(first!.dataset.id).toBe('kraken.xbt_usd.1min');
  expect(first!.warnings).toEqual([
    'btc-usdt.json holds 1 of 3 candles that had not ended: left out',
  ]);
  expect(await rowsOf(first!.dataset)).toEqual([
    [T, 1, 3, 0.5, 2, 0],
    [T + 60_000, 1, 3, 0.5, 2, 1],
  ]);
});

const okxTrade = { side: 'sell', sz: '3', px: '2', tradeId: '7', ts: String(T) };
const bybitTrade = { execId: '7', price: '2', size: '3', side: 'Sell', time: String(T) };
const kucoinTrade = { sequence: '7', price: '2', size: '3', side: 'sell' };

it.each<[string, unknown, string | undefined]>([
  ['okx.btc_usdt', { code: '0', data: [{ instId: 'BTC-USDT', ...okxTrade }] }, undefined],
  [
    'okx-futures.btc_usdt',
    { code: '0', data: [{ instId: 'BTC-USDT-SWAP', ...okxTrade }] },
    'contracts',
  ],
  [
    'bybit.btc_usdt',
    { result: { category: 'spot', list: [{ ...bybitTrade, symbol: 'BTCUSDT' }] } },
    undefined,
  ],
  [
    'bybit-futures.btc_usdt',
    { result: { category: 'linear', list: [{ ...bybitTrade, symbol: 'BTCUSDT' }] } },
    undefined,
  ],
  [
    'bybit-futures-29mar24.btc_usdt',
    { result: { category: 'linear', list: [{ ...bybitTrade, symbol: 'BTCUSDT-29MAR24' }] } },
    undefined,
  ],
  [
    'bybit-futures.btc_usd',
    { result: { category: 'inverse', list: [{ ...bybitTrade, symbol: 'BTCUSD' }] } },
    'US dollars',
  ],
  ['kucoin.btc_usdt', { code: '200000', data: [{ ...kucoinTrade, time: T * 1e6 }] }, undefined],
  [
    'kucoin-futures.btc_usdt',
    { code: '200000', data: [{ ...kucoinTrade, ts: T * 1e6 }] },
    'contracts',
  ],
  [
    'kraken.eth_xbt',
    { error: [], result: { XETHXXBT: [['2', '3', T / 1000, 's', 'm', '', 7]], last: '1' } },
    undefined,
  ],
  [
    'kraken.sol_usd',
    { error: [], result: { SOLUSD: [['2', '3', T / 1000, 's', 'm', '']], last: '1' } },
    undefined,
  ],
])(
  'importFiles reads answers of trades of %s and knows what amounts count',
  async (id, data, unit) => {
    const [first] = await answered(data).result();
    expect(first!.dataset.id).toBe(`${id}.trades`);
    expect(first!.sources[0]!.amountUnit).toBe(unit);
    expect(await rowsOf(first!.dataset)).toEqual([[T, Number.NaN, 2, 3, -1]]);
  },
);

it('importFiles takes no other lists of seven for trades of Kraken', async () => {
  const list = [['2', '3', T / 1000, 'x', 'm', '', 7]];
  const { result } = answered({ error: [], result: { XXBTZUSD: list, last: '1' } });
  await expect(result()).rejects.toThrow('its format is not known');
});
