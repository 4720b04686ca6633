import { expect, it } from 'vitest';
import { START, Store } from '../store/fixture.ts';

it('gateFuturesCandles count contracts', async () => {
  const candle = { v: 971, c: '102', h: '103', l: '99', o: '100', sum: '9.9' };
  const rows = [0, 60].map((second) => ({ t: START / 1000 + second, ...candle }));
  const store = new Store();
  const dataset = await store.import(store.file('BTC_USDT.json', JSON.stringify(rows)));
  expect(dataset.id).toBe('gate-futures.btc_usdt.1min');
  expect(dataset.sources[0]!.amountUnit).toBe('contracts');
});
