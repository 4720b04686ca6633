import { expect, it } from 'vitest';
import { candles, json, Store } from '../fixture.ts';

it('scalesOf takes the decimal places of all rows, not those of the first alone', async () => {
  const store = new Store();
  const rows = candles(0, 1_500);
  const [time, , , , , volume] = rows[1_400]!;
  const fine = rows.with(1_400, [time, 1.00001, 1.00001, 1.00001, 1.00001, volume]);
  const { priceScale } = await store.import(store.file('btc_usdt.json', json(fine)));
  expect(priceScale).toBe(5);
});
