import { describe, expect, it } from 'vitest';
import { datasetOf, rowsOf } from '../../store/fixture.ts';

const DAY = Date.parse('2024-01-12');
const DAY_MS = 86_400_000;
const HEADINGS = '"Date","Price","Open","High","Low","Vol.","Change %"';

function imported(...days: readonly (readonly [string, string])[]) {
  const rows = days.map(([day, volume]) => {
    return `"${day}","42,030.5","42,000.0","42,050.0","980.25","${volume}","0.10%"\n`;
  });
  return datasetOf('BTC_USD Historical Data.csv', `${HEADINGS}\n${rows.join('')}`);
}

describe('investingCandles', () => {
  it.each([
    ['01/13/2024', '01/12/2024'],
    ['13-01-2024', '12-01-2024'],
    ['Jan 13, 2024', 'Jan 12, 2024'],
  ])('are of days whose order the days tell: %s', async (second, first) => {
    const dataset = await imported([second, '1,002.50K'], [first, '']);
    expect(dataset.id).toBe('investing.btc_usd.1day');
    expect(await rowsOf(dataset)).toEqual([
      [DAY, 42_000, 42_050, 980.25, 42_030.5, 0],
      [DAY + DAY_MS, 42_000, 42_050, 980.25, 42_030.5, 1_002_500],
    ]);
  });

  it('are refused where nothing tells the order', async () => {
    await expect(imported(['01/12/2024', '2M'], ['01/11/2024', '3'])).rejects.toThrow(
      'nothing tells the order of its dates (01/12/2024)',
    );
  });
});
