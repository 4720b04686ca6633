import { expect, it } from 'vitest';
import { csv, Store } from '../fixture.ts';

/** Candles that begin on the first of months of 2024, or some days later. */
function months(numbers: readonly number[], days = 0): string {
  return csv(numbers.map((month) => [Date.UTC(2024, month, 1 + days), 1, 3, 0.5, 2, 9]));
}

it.each([[[0, 1, 2, 3]], [[0, 1]], [[6, 7]], [[11, 12, 10]]])(
  'candleStep refuses months, which are not of one length: %j',
  async (numbers) => {
    const store = new Store();
    await expect(store.import(store.file('btc_usdt.csv', months(numbers)))).rejects.toThrow(
      'Cannot import btc_usdt.csv: its candles are months, which are not of one length, candles of ' +
        'a week or less are wanted',
    );
  },
);

it('candleStep takes other steps as long as a month for what they are', async () => {
  const store = new Store();
  const dataset = await store.import(store.file('btc_usdt.csv', months([6, 7], 3)));
  expect(dataset.resolution).toBe('31day');
});
