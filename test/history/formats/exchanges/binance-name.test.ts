import { describe, expect, it } from 'vitest';
import { isCoinMargined } from '../../../../src/history/formats/exchanges/binance-name.ts';
import { importFiles } from '../../../../src/history/index.ts';
import { rowsOf, START, Store, toldOf } from '../../store/fixture.ts';

const T = 1_700_000_040_000;

describe('isCoinMargined', () => {
  it.each([
    ['BTCUSD_PERP-1m-2024-01.csv', true],
    ['BTCUSD_240329-trades-2024-01.csv', true],
    ['BTCUSDT-1m-2024-01.csv', false],
    ['BTCUSDT_240329-1m-2024-01.csv', false],
    ['ADAUSD_2401.csv', false],
    ['BTCUSD_202401-1m.csv', false],
    ['klines BTCUSD_202401 of BTCUSD_PERP.csv', true],
  ])('of %s is %j', (name, is) => {
    expect(isCoinMargined(name)).toBe(is);
  });
});

describe('importFiles, of COIN-M futures of Binance,', () => {
  it('takes what klines and trades have in the base currency', async () => {
    const store = new Store();
    const klines = [0, 1].map(
      (minute) => `${T + minute * 60_000},100,101,99,100,7,${T},0.0007,3,4,0.0004,0\n`,
    );
    const file = store.file('BTCUSD_PERP-1m-2024-01.csv', klines.join(''));
    const minutes = await store.import(file);
    expect(minutes.id).toBe('binance-futures.btc_usd.1min');
    expect((await rowsOf(minutes)).map((row) => row[5])).toEqual([0.0007, 0.0007]);
    const heading = 'id,price,qty,base_qty,time,is_buyer_maker\n';
    const trades = `${heading}1,100,7,0.0007,${T},true\n`;
    const name = 'BTCUSD_PERP-trades-2024-01.csv';
    const [result] = await importFiles({ root: store.root, files: [store.file(name, trades)] });
    expect(result!.warnings).toEqual([]);
    expect((await rowsOf(result!.dataset))[0]!.slice(2, 4)).toEqual([100, 0.0007]);
  });

  it('tells that those of aggTrades are contracts', async () => {
    const heading =
      'agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker\n';
    expect(await toldOf('BTCUSD_PERP-aggTrades.csv', `${heading}1,100,7,1,2,${T},true\n`)).toEqual([
      expect.stringContaining(
        'the amounts of binance-futures.btc_usd.trades count inverse contracts, not the base',
      ),
    ]);
  });
});

it('deliveredSource keeps futures that end apart from perpetuals of their pair', async () => {
  const kline = [1, 3, 0.5, 2, 9, START + 59_999, 18, 5, 4, 8, 0];
  const trade = ['100,2,200', START, 'true'].join();
  const store = new Store();
  await store.import([
    store.file('BTCUSDT_240329-1m-2024-01.csv', `${[START, ...kline].join()}\n`),
    store.file('BTCUSDT_240329-trades-2024-01.csv', `1,${trade}\n`),
    store.file('BTCUSD_240628-trades-2024-01.csv', `1,${trade}\n`),
    store.file('BTCUSDT-trades-2024-01.csv', `1,${trade}\n`),
    // Named after a month: as an expiry, 202401 would be in a month 24.
    store.file('ETHUSDT_202401-1m.csv', `${[START, ...kline].join()}\n`),
    // Only spot has microseconds.
    store.file('ETHUSDT_240131-1m.csv', `${[`${START + 60_000}000`, ...kline].join()}\n`),
    store.file(
      'BTCUSDT_240131.csv',
      `1,${trade}\n2,${trade}\n`.replaceAll(`${START}`, `${START + 9}`),
    ),
  ]);
  expect(store.ids()).toEqual([
    'binance-futures-240329.btc_usdt.1min',
    'binance-futures-240329.btc_usdt.trades',
    'binance-futures-240628.btc_usd.trades',
    'binance-futures.btc_usdt.trades',
    'binance.eth_usdt.1min',
  ]);
});
