import { describe, expect, it } from 'vitest';
import { amountUnitOf } from '../../../src/history/formats/amount-unit.ts';
import { importFiles, resample } from '../../../src/history/index.ts';
import { Store } from '../store/fixture.ts';

const T = 1_700_000_040_000;
const TARDIS = 'exchange,symbol,timestamp,local_timestamp';
const LOST = 'and are kept as they are: fills that depend on amounts mean nothing with them';

function trades(exchange: string, symbol: string, from = T): string {
  const rows = [from, from + 1].map(
    (time) => `${exchange},${symbol},${time}000,${time}000,${time},buy,100,7\n`,
  );
  return `${TARDIS},id,side,price,amount\n${rows.join('')}`;
}

describe('amountUnitOf', () => {
  it.each([
    ['bitmex', 'XBTUSD', 'US dollars'],
    ['bitmex', 'XBTH21', 'US dollars'],
    ['bitmex', 'ETHUSD', 'contracts'],
    ['bitmex', 'XBTUSDT', 'contracts'],
    ['deribit', 'BTC-PERPETUAL', 'US dollars'],
    ['deribit', 'ETH-25JUN21', 'US dollars'],
    ['deribit', 'BTC_USDC-PERPETUAL', undefined],
    ['deribit', 'BTC-27MAR20-8000-C', undefined],
    ['bybit', 'BTCUSD', 'US dollars'],
    ['bybit', 'BTCUSDH21', 'US dollars'],
    ['bybit', 'BTCUSDT', undefined],
    ['okex-swap', 'BTC-USD-SWAP', 'inverse contracts'],
    ['okex-swap', 'BTC-USDT-SWAP', 'contracts'],
    ['okex', 'BTC-USDT', undefined],
    ['huobi-dm-swap', 'BTC-USD', 'inverse contracts'],
    ['huobi-dm-linear-swap', 'BTC-USDT', 'contracts'],
    ['binance-delivery', 'BTCUSD_PERP', 'inverse contracts'],
    ['binance-futures', 'BTCUSDT', undefined],
    ['cryptofacilities', 'PI_XBTUSD', 'US dollars'],
    ['cryptofacilities', 'PF_XBTUSD', undefined],
    ['gate-io-futures', 'BTC_USDT', 'contracts'],
    ['kucoin-futures', 'XBTUSDM', 'US dollars'],
    ['kucoin-futures', 'XBTUSDTM', 'contracts'],
    ['phemex', 'BTCUSD', 'US dollars'],
    ['phemex', 'sBTCUSDT', undefined],
    ['phemex', 'BTCUSDT', undefined],
  ])('tells of %s %s: %s', (exchange, symbol, unit) => {
    expect(amountUnitOf(exchange, symbol)).toBe(unit);
  });
});

describe('importFiles, of amounts that are not in the base currency,', () => {
  it.each([
    ['bitmex', 'XBTUSD', 'US dollars', '; to convert them, write amount / price into'],
    [
      'okex-swap',
      'BTC-USDT-SWAP',
      'contracts',
      '; `data import --contract-size` converts them: how much of',
    ],
    [
      'huobi-dm-swap',
      'BTC-USD',
      'inverse contracts',
      '; to convert them, write amount * contract size in US dollars',
    ],
  ])('tells of %s %s what they count, and the remedy', async (exchange, symbol, unit, remedy) => {
    const store = new Store();
    const files = ['a', 'b'].map((name, day) =>
      store.file(`${name}.csv`, trades(exchange, symbol, T + day * 1_000)),
    );
    const [result] = await importFiles({ root: store.root, files });
    const { dataset, warnings } = result!;
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(
      `the amounts of ${dataset.id} count ${unit}, not the base currency, ${LOST}${remedy}`,
    );
    expect(dataset.sources.map(({ amountUnit }) => amountUnit)).toEqual([unit, unit]);
    expect((await store.check(dataset.id)).findings).toContainEqual({
      ...{ fault: 'other unit', count: 4 },
      places: ['a', 'b'].map((name, day) => {
        return { time: T + day * 1_000, detail: `${name}.csv counts ${unit}` };
      }),
    });
    const minutes = await resample(dataset, { root: store.root, resolution: '1min' });
    expect(minutes.sources[0]!.amountUnit).toBe(unit);
  });

  it('tells of quotes, of books and of the trades of Bybit too', async () => {
    const store = new Store();
    const stamps = `BTC-PERPETUAL,${T}000,${T}000`;
    const files = [
      store.file(
        'q.csv',
        `${TARDIS},ask_amount,ask_price,bid_price,bid_amount\nderibit,${stamps},5,101,100,6\n`,
      ),
      store.file(
        'd.csv',
        `${TARDIS},is_snapshot,side,price,amount\nderibit,${stamps},true,bid,100,6\n`,
      ),
      store.file('s.csv', `${TARDIS},asks[0].price,asks[0].amount\nderibit,${stamps},100,6\n`),
      store.file(
        'bybit.csv',
        `timestamp,symbol,side,size,price,tickDirection,trdMatchID\n${T / 1e3},BTCUSD,Buy,1,2,x,y\n`,
      ),
    ];
    for (const file of files) {
      expect(await store.told(file, { overlap: 'replace' })).toEqual([
        expect.stringContaining(' count US dollars, not the base currency'),
      ]);
    }
  });

  it('says nothing of those that are', async () => {
    const store = new Store();
    const dataset = await store.import(store.file('a.csv', trades('binance-futures', 'BTCUSDT')));
    expect(dataset.sources[0]).not.toHaveProperty('amountUnit');
    expect((await store.check(dataset.id)).findings).toEqual([]);
  });
});
