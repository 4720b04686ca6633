import { describe, expect, it } from 'vitest';
import { rowsOf, START, Store } from '../store/fixture.ts';

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
      expect((await rowsOf(dataset)).map(([time]) => time)).toEqual([DAY, DAY + DAY_MS]);
    },
  );

  it.each(['marketCap', 'Market Cap'])(
    'tell that beside "%s" volumes are in the quote currency',
    async (heading) => {
      const store = new Store();
      const rows = [0, 1].map((day) => `${DAY + day * DAY_MS},5,6,4,5.5,10,1000\n`);
      const text = `time,open,high,low,close,volume,${heading}\n${rows.join('')}`;
      expect(await store.told(store.file('btc_usd.csv', text))).toEqual([
        'btc_usd.csv tells market capitalisations: its volume is likely in the quote currency, as ' +
          'that of CoinMarketCap is, and backtest.fill.volumeCap means nothing with it',
      ]);
    },
  );
});

describe('namedTrades', () => {
  it.each(['instrument_name', 'instId', 'product_id', 'currency_pair', 'contract'])(
    'of several markets, told by "%s", are refused',
    async (heading) => {
      const store = new Store();
      const rows = ['BTC-USDT', 'ETH-USDT'].map((name) => `${START},100,2,buy,${name}\n`);
      const text = `time,price,amount,side,${heading}\n${rows.join('')}`;
      await expect(store.import(store.file('trades.csv', text))).rejects.toThrow(
        'it holds BTC-USDT, ETH-USDT (from line 3), one market a file is wanted',
      );
    },
  );
});
