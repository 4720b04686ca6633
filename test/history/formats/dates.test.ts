import { describe, expect, it } from 'vitest';
import { datasetOf, timesOf } from '../store/fixture.ts';

const T = Date.parse('2024-01-31T10:00Z');

function imported(...times: readonly string[]) {
  const rows = times.map((time) => `${time},5,6,4,5.5,10\n`);
  return datasetOf('btc_usd.csv', `time,open,high,low,close,volume\n${rows.join('')}`);
}

describe('yearFirst', () => {
  it.each([
    ['01/31/2024 10:00', '01/31/2024 10:01'],
    ['1/31/2024 10:00 AM', '1/31/2024 10:01 AM'],
    ['31/01/2024 10:00:00', '31/01/2024 10:01:00'],
    ['31-1-2024 10:00', '31-1-2024 10:01'],
    ['2024/1/31 10:00', '2024/1/31 10:01'],
    ['20240131 10:00', '20240131 10:01'],
  ])('reads dates whose order they tell themselves: %s', async (...times) => {
    expect(await timesOf(await imported(...times))).toEqual([T, T + 60_000]);
  });

  it.each([
    ['may be of either order', '03/01/2024 10:00', '03/02/2024 10:00', 'line 2'],
    ['are of both orders', '01/31/2024 10:00', '31/01/2024 10:01', 'line 2'],
    ['have two digits for the year', '31/01/24 10:00', '31/01/24 10:01', 'line 2'],
  ])('leaves dates alone that %s', async (_what, first, second, place) => {
    await expect(imported(first, second)).rejects.toThrow(`${place}: the time (column time) is`);
  });

  it('names the line of a date that is not of the order of the first ones', async () => {
    const days = Array.from({ length: 1_000 }, () => '01/31/2024 10:00');
    await expect(imported(...days, '31/01/2024 10:01')).rejects.toThrow('line 1002: the time');
  });
});
