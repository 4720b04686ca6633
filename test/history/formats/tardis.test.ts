import { expect, it } from 'vitest';
import { START, Store } from '../store/fixture.ts';

it('tardisTrades are no liquidations, which have the same columns', async () => {
  const heading = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount';
  const text = `${heading}\nbinance-futures,BTCUSDT,${START}000,${START}000,,buy,100,2\n`;
  const store = new Store();
  const [trades, liquidations] = ['trades', 'liquidations'].map((type) =>
    store.file(`binance-futures_${type}_2024-01-31_BTCUSDT.csv`, text),
  );
  expect((await store.import(trades!)).id).toBe('binance-futures.btc_usdt.trades');
  await expect(store.import(liquidations!)).rejects.toThrow(
    'it is named after liquidations, which have the columns of trades, trades are wanted',
  );
});
