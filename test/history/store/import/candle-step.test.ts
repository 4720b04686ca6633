import { expect, it } from 'vitest';
import { csv, datasetOf, mixed, toldOf } from '../fixture.ts';

/** Candles that begin on the first of months of 2024, or some days later. */
function months(numbers: readonly number[], days = 0): string {
  return csv(numbers.map((month) => [Date.UTC(2024, month, 1 + days), 1, 3, 0.5, 2, 9]));
}

it.each([[[0, 1, 2, 3]], [[0, 1]], [[6, 7]], [[11, 12, 10]]])(
  'candleStep refuses months, which are not of one length: %j',
  async (numbers) => {
    await expect(datasetOf('btc_usdt.csv', months(numbers))).rejects.toThrow(
      'Cannot import btc_usdt.csv: its candles are months, which are not of one length, candles of ' +
        'a week or less are wanted',
    );
  },
);

it('candleStep takes other steps as long as a month for what they are', async () => {
  const dataset = await datasetOf('btc_usdt.csv', months([6, 7], 3));
  expect(dataset.resolution).toBe('31day');
});

it.each([
  ...[[1_000, 5, 5] as const, [1_000, 4, 60] as const, [30, 5, 5] as const, [1_000, 9, 2] as const],
])('candleStep refuses %i minutes behind which %i rows keep a step of %i', async (...counts) => {
  await expect(datasetOf('btc_usdt.csv', mixed(...counts))).rejects.toThrow(
    /its resolutions are mixed: most rows are 1 min apart, .* or --resolution 1min if candles are missing there$/,
  );
});

it.each([
  [1_000, 5, 5],
  [1_000, 9, 2],
  [1_000, 12, 7],
] as const)(
  'candleStep is not asked where a user tells the length: of %i minutes behind which %i rows keep a step of %i it is told',
  async (minutes, others, step) => {
    const said = { resolution: '1min' };
    expect(await toldOf('btc_usdt.csv', mixed(minutes, others, step), said)).toEqual([
      expect.stringContaining(`${others} in a row are each ${step} min behind the one before`),
    ]);
  },
);

it('refuseMixed does not believe a user whose length is none that most rows keep', async () => {
  const hours = datasetOf('btc_usdt.csv', mixed(1, 30, 60), { resolution: '1min' });
  await expect(hours).rejects.toThrow(
    /: --resolution says 1min, those from line 2 .* on 1 h; candles of one resolution are wanted$/,
  );
  const more = datasetOf('btc_usdt.csv', mixed(20, 30, 5), { resolution: '1min' });
  await expect(more).rejects.toThrow(/--resolution says 1min, those from line 21 .* on 5 min;/);
});

it.each([...[[1_000, 4, 5] as const, [1_000, 3, 60] as const, [1_000, 8, 2] as const]])(
  'candleStep takes %i minutes behind which %i rows keep a step of %i for gaps',
  async (...counts) => {
    const dataset = await datasetOf('btc_usdt.csv', mixed(...counts));
    expect(dataset.resolution).toBe('1min');
  },
);

it('candleStep takes rows that were fetched twice, a day apart, for no days', async () => {
  const price = (hour: number) => 100 + Math.round(10 * Math.sin(hour));
  const at = (hour: number, volume: number) => {
    const time = Date.UTC(2024, 0, 1) + hour * 3_600_000;
    return [time, price(hour), price(hour) + 1, price(hour) - 1, price(hour), volume];
  };
  const hours = Array.from({ length: 240 }, (_, hour) => at(hour, 9));
  // The last candle of each fetch had not ended.
  const again = Array.from({ length: 9 }, (_, day) => at(24 * (day + 1), 2));
  const dataset = await datasetOf('btc_usdt.csv', csv([...hours, ...again]));
  expect(dataset).toMatchObject({ resolution: '1hour', rows: 249 });
});
