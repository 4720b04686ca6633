import { describe, expect, it } from 'vitest';
import type { Mapping } from '../../../src/history/formats/mapping.ts';
import { candles, csv, datasetOf, START, Store } from '../store/fixture.ts';

const prices = { time: 'time', open: 'open', high: 'high', low: 'low', close: 'close' };

it('recognise says which heading is missing of candles with a volume in the quote currency', async () => {
  const store = new Store();
  const file = store.file(
    'BTCUSDT.csv',
    `time,open,high,low,close,quote_volume\n${csv(candles(0, 3))}`,
  );
  await expect(store.import(file)).rejects.toThrow(
    'Cannot import BTCUSDT.csv: it has candles, none of its columns is headed "volume" and ' +
      '"quote_volume" may not be in the base currency, a heading "volume" is wanted or a mapping ' +
      'of its columns (--mapping), which may leave the volume out',
  );
  const mapping: Mapping = { kind: 'candles', columns: prices };
  expect((await store.import(file, { mapping })).rows).toBe(3);
});

describe('recognise, of trades,', () => {
  const trades = (symbol: string): string =>
    `symbol,time,price,amount,side\n${symbol},${START},100,1,buy\n`;

  it.each([
    ['BTC-USDT', 'local.btc_usdt.trades'],
    ['BTCUSD-PERP', 'futures.btc_usd.trades'],
    ['BTC_USDT_240329', 'futures-240329.btc_usdt.trades'],
  ])('keeps a contract apart from spot: %s', async (symbol, id) => {
    expect((await datasetOf('a.csv', trades(symbol))).id).toBe(id);
  });

  it.each(['createdAt', 'exec_date', 'executed_at', 'origin_time'])(
    'finds their times in %s',
    async (heading) => {
      const text = trades('BTC-USDT').replace('time', heading);
      expect((await datasetOf('a.csv', text)).firstTime).toBe(START);
    },
  );

  it('refuses prices beside what all coins are worth', async () => {
    const text = `date,price,market_cap,volume\n2024-01-31 10:00:00,42000,8e11,2e10\n`;
    await expect(datasetOf('btc-usd.csv', text)).rejects.toThrow('not known');
  });
});

it('recognise takes rows of several assets for no one market', async () => {
  const rows = candles(0, 6).map((row, at) => [at < 3 ? 'BTC' : 'ETH', ...row]);
  await expect(
    datasetOf('usd.csv', `coin,time,open,high,low,close,volume\n${csv(rows)}`, {
      market: 'btc_usd',
    }),
  ).rejects.toThrow(
    'Cannot import usd.csv: it holds BTC, ETH (from line 5), one asset a file is wanted',
  );
});
