import { describe, expect, it } from 'vitest';
import { isCoinMargined } from '../../../src/history/formats/binance-name.ts';
import { importFiles } from '../../../src/history/index.ts';
import { rowsOf, Store } from '../store/fixture.ts';

const T = 1_700_000_040_000;

describe('isCoinMargined', () => {
  it.each([
    ['BTCUSD_PERP-1m-2024-01.csv', true],
    ['BTCUSD_240329-trades-2024-01.csv', true],
    ['BTCUSDT-1m-2024-01.csv', false],
    ['BTCUSDT_240329-1m-2024-01.csv', false],
    ['ADAUSD_2401.csv', false],
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
    const store = new Store();
    const heading =
      'agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker\n';
    const file = store.file('BTCUSD_PERP-aggTrades.csv', `${heading}1,100,7,1,2,${T},true\n`);
    expect(await store.told(file)).toEqual([
      expect.stringContaining(
        'the amounts of binance-futures.btc_usd.trades count inverse contracts, not the base',
      ),
    ]);
  });
});
