import { describe, expect, it } from 'vitest';
import { csv, mixed, Store, toldOf } from '../store/fixture.ts';

/** Candles at these minutes as a text. */
function candlesAt(minutes: readonly number[]): string {
  return csv(minutes.map((at) => [Date.UTC(2024, 0, 1) + at * 60_000, 1, 3, 0.5, 2, 9]));
}

describe('longerRuns', () => {
  it.each([
    [100, 3],
    [100, 2],
    [19, 3],
    [1_000, 3],
  ])('are told of %i minutes behind which %i rows are an hour apart', async (minutes, hours) => {
    const at = new Date(Date.UTC(2024, 0, 1) + (minutes - 1 + 60) * 60_000).toISOString();
    expect(await toldOf('btc_usdt.csv', mixed(minutes, hours, 60))).toEqual([
      `${hours} candles of local.btc_usdt.1min may be of another resolution, the first in ` +
        `btc_usdt.csv at ${at}: ${hours} in a row are each 1 h behind the one before; ` +
        '`tradewind data check` shows them',
    ]);
  });

  it.each([
    [100, 1, 60],
    [1_000, 2, 60],
    [100, 3, 47],
    [100, 2, 5],
    [100, 1, 7 * 24 * 60],
  ])('are none of %i minutes behind which %i rows keep a step of %i', async (...counts) => {
    expect(await toldOf('btc_usdt.csv', mixed(...counts))).toEqual([]);
  });

  it('are told of where each is there twice', async () => {
    const twice = [159, 219, 279].flatMap((at) => [at, at]);
    const told = await toldOf('btc_usdt.csv', candlesAt([...Array(100).keys(), ...twice]));
    expect(told.join()).toContain('3 in a row are each 1 h behind');
  });

  it('are shown by a check, with their first candle', async () => {
    const store = new Store();
    await store.import(store.file('btc_usdt.csv', mixed(100, 3, 60)));
    const { findings } = await store.check('local.btc_usdt.1min');
    expect(findings.find(({ fault }) => fault === 'mixed')).toEqual({
      ...{ fault: 'mixed', count: 3 },
      places: [
        {
          time: Date.UTC(2024, 0, 1) + 159 * 60_000,
          detail: '3 candles, each 1 h behind the one before',
        },
      ],
    });
  });
});
