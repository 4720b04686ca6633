import { describe, expect, it } from 'vitest';
import { datasetOf, rowsOf, START, Store } from '../store/fixture.ts';

const NOTE =
  'x.csv: its bids and asks have no amounts, 0 is taken: a backtest on them needs backtest.fill.size';
const ROWS = [0, 250].map((ms) => [START + ms, Number.NaN, 1.0841, 0, 1.0842, 0]);

describe('bareQuotes', () => {
  it.each(['time,bid,ask', 'Time,Bid,Ask', 'timestamp,bidPrice,askPrice', 'ts,best_bid,best_ask'])(
    'reads %s with amounts of 0, and says so',
    async (heading) => {
      const store = new Store();
      const rows = [0, 250].map((ms) => `${START + ms},1.0841,1.0842`);
      const file = store.file('x.csv', `${heading}\n${rows.join('\n')}\n`);
      expect(await store.told(file, { market: 'eur_usd' })).toEqual([NOTE]);
      expect(await rowsOf(store.dataset('local.eur_usd.quotes'))).toEqual(ROWS);
    },
  );

  it('leaves candles and trades what they are that have bids and asks too', async () => {
    const store = new Store();
    const candles = `time,open,high,low,close,bid,ask\n${START},1,3,0.5,2,1,2\n`;
    const trades = `time,price,size,side,bid,ask\n${START},1,3,buy,1,2\n`;
    const options = { market: 'eur_usd', resolution: '1min' };
    expect((await store.import(store.file('a.csv', candles), options)).kind).toBe('candles');
    const dataset = await store.import(store.file('b.csv', trades), { market: 'eur_usd' });
    expect(dataset.kind).toBe('trades');
  });

  it.each([
    'time,bid,bid_size,ask',
    'time,bid,ask,bid_vol',
    'time,bid,ask,AskQuantity',
    'time,bid,ask,vol_bid',
    'time,bid,ask,bid_sz_00',
  ])('wants a mapping of %s, some amounts of which are told', async (heading) => {
    await expect(
      datasetOf('x.csv', `${heading}\n${START},1,2,3\n`, { market: 'eur_usd' }),
    ).rejects.toThrow('format is not known');
  });

  it.each(['strike', 'Strike Price', 'expiration', 'option_type', 'expiry'])(
    'leaves a chain of options, with a column %s, alone',
    async (column) => {
      await expect(
        datasetOf('x.csv', `time,${column},bid,ask\n${START},40000,1,2\n`, { market: 'eur_usd' }),
      ).rejects.toThrow('format is not known');
    },
  );
});

it('trueFxQuotes are read with the pair that each row names', async () => {
  const store = new Store();
  const time = new Date(START).toISOString();
  const stamp = `${time.slice(0, 10).replaceAll('-', '')} ${time.slice(11, 19)}`;
  const rows = ['000', '250'].map((ms) => `EUR/USD,${stamp}.${ms},1.0841,1.0842\n`);
  expect(await store.told(store.file('x.csv', rows.join('')))).toEqual([NOTE]);
  expect(await rowsOf(store.dataset('truefx.eur_usd.quotes'))).toEqual(ROWS);
});
