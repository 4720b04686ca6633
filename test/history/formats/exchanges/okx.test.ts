import { describe, expect, it } from 'vitest';
import { rowsOf, Store } from '../../store/fixture.ts';

const T = Date.UTC(2024, 0, 31, 10);
const HEADING = 'instrument_name,trade_id,side,price,size,created_time';

/** Two trades of an instrument. */
function trades(instrument: string, end = ''): string {
  const rows = [
    `${instrument},1,buy,100.5,3,${T}${end}`,
    `${instrument},2,sell,100.4,2,${T + 250}${end}`,
  ];
  return `${HEADING}${end === '' ? '' : ',source'}\n${rows.join('\n')}\n`;
}

describe('okxTrades', () => {
  it.each([
    ['BTC-USDT', '', 'okx.btc_usdt.trades', undefined],
    ['BTC-USDT-SWAP', '', 'okx-futures.btc_usdt.trades', 'count contracts'],
    ['BTC-USD-SWAP', '', 'okx-futures.btc_usd.trades', 'count inverse contracts'],
    ['BTC-USD-240329', ',0', 'okx-futures-240329.btc_usd.trades', 'count inverse contracts'],
    ['BTC-USD-240329-50000-C', '', 'okx-futures-240329-50000-c.btc_usd.trades', 'count contracts'],
    ['BTC-USD_UM-261225', ',0', 'okx-futures-261225.btc_usd.trades', 'count contracts'],
  ])('reads %s and knows what its amounts count', async (instrument, end, id, unit) => {
    const store = new Store();
    const told = await store.told(store.file('okx.csv', trades(instrument, end)));
    const expected = unit === undefined ? [] : [expect.stringContaining(`of ${id} ${unit}`)];
    expect(told).toEqual(expected);
    expect(await rowsOf(store.dataset(id))).toEqual([
      [T, Number.NaN, 100.5, 3, 1],
      [T + 250, Number.NaN, 100.4, 2, -1],
    ]);
  });
});

it('okxTrades of a swap and of a future on the same pair are two datasets', async () => {
  const store = new Store();
  const files = ['BTC-USDT-SWAP', 'BTC-USDT-240329'].map((instrument) =>
    store.file(`${instrument}.csv`, trades(instrument)),
  );
  await store.import(files);
  expect(store.ids()).toEqual([
    'okx-futures-240329.btc_usdt.trades',
    'okx-futures.btc_usdt.trades',
  ]);
});

describe('okxFuturesCandles', () => {
  it.each([
    ['BTC-USDT', 'local.btc_usdt.1min'],
    ['BTC-USDT-SWAP', 'okx-futures.btc_usdt.1min'],
    ['BTC-USDT-240329', 'okx-futures-240329.btc_usdt.1min'],
  ])('keep %s apart from other markets of its pair', async (instrument, id) => {
    const heading = 'instrument_name,open,high,low,close,vol,vol_ccy,vol_quote,open_time,confirm';
    const volumes = instrument === 'BTC-USDT' ? '5,505,505' : '500,5,505';
    const rows = [0, 60_000].map((ms) => `${instrument},100,103,99,102,${volumes},${T + ms},1`);
    const store = new Store();
    await store.import(store.file('candles.csv', `${heading}\n${rows.join('\n')}\n`));
    expect((await rowsOf(store.dataset(id))).map((row) => row[5])).toEqual([5, 5]);
  });
});

const OLDER =
  'trade_id/\u64ae\u5408id,side/\u4ea4\u6613,size/\u6570\u91cf,price/\u4ef7\u683c,created_time/\u65f6';

it.each([
  ['BTC-USDT', 'okx.btc_usdt.trades', OLDER],
  ['BTC-USDT-SWAP', 'okx-futures.btc_usdt.trades', 'trade_id,side,size,price,created_time'],
])(
  'okxTrades of older files are of the instrument in their name: %s',
  async (name, id, headings) => {
    const store = new Store();
    const text = `${headings}\n7,SELL,2,5,1706695200000\n`;
    const [first] = await store.told(store.file(`${name}-trades-2021-10-01.csv`, text));
    expect(store.ids()).toEqual([id]);
    expect(first?.includes('count contracts')).toBe(id.includes('futures') || undefined);
    await expect(store.import(store.file('btc-usdt.csv', text))).rejects.toThrow(
      'a name with its instrument is wanted',
    );
  },
);
