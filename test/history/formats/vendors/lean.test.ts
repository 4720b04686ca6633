import { describe, expect, it } from 'vitest';
import { datasetOf, rowsOf } from '../../store/fixture.ts';

const DAY = Date.parse('2024-01-31');
const TEN = 36_000_000;

function imported(name: string, text: string) {
  return datasetOf(name, text);
}

describe('leanCandles', () => {
  it('count milliseconds from the midnight of the day in their name', async () => {
    const text = `${TEN},5,6,4,5.5,10\n${TEN + 60_000},5.5,6,5,5.5,20\n`;
    const dataset = await imported('20240131_btcusdt_minute_trade.csv', text);
    expect(dataset.id).toBe('local.btc_usdt.1min');
    expect(await rowsOf(dataset)).toEqual([
      [DAY + TEN, 5, 6, 4, 5.5, 10],
      [DAY + TEN + 60_000, 5.5, 6, 5, 5.5, 20],
    ]);
  });

  it('are stamped where they are of days or hours', async () => {
    const text = '20240130 00:00,5,6,4,5.5,10\n20240131 00:00,5.5,6,5,5.5,20\n';
    const dataset = await imported('btcusdt.csv', text);
    expect(dataset).toMatchObject({ id: 'local.btc_usdt.1day', lastTime: DAY });
  });

  it.each([
    ['20240131_aapl_minute_trade.csv', `${TEN},50000,60000,40000,55000,10\n`, 'of stocks'],
    ['aapl.csv', '20240131 00:00,50000,60000,40000,55000,10\n', 'of stocks'],
    ['20240131_btcusdt_minute_quote.csv', `${TEN},5,6,4,5,1,5,6,4,5,2\n`, 'of bids and of asks'],
  ])('are none that need another reading: %s', async (name, text, what) => {
    await expect(imported(name, text)).rejects.toThrow(what);
  });
});
