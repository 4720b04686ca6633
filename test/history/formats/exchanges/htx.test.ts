import { expect, it } from 'vitest';
import { datasetOf, rowsOf, START } from '../../store/fixture.ts';

const SECOND = START / 1_000;

function answer(ch: string | undefined, more: object = {}): string {
  const candle = { open: 100, close: 102, low: 99, high: 103, amount: 2.5, vol: 250, count: 7 };
  const data = [60, 0].map((second) => ({ id: SECOND + second, ...candle, ...more }));
  return JSON.stringify({ ...(ch && { ch }), status: 'ok', data });
}

it.each([
  ['market.solusdt.kline.1min', {}, 'htx.sol_usdt.1min'],
  ['market.BTC-USD.kline.1min', {}, 'htx-futures.btc_usd.1min'],
  ['market.SOL-USDT.kline.1min', { trade_turnover: 250 }, 'htx-futures.sol_usdt.1min'],
  [undefined, {}, 'htx.eth_btc.1min'],
])('htxCandles of %s begin at their ids', async (ch, more, id) => {
  const dataset = await datasetOf('eth_btc.json', answer(ch, more));
  expect(dataset.id).toBe(id);
  expect(await rowsOf(dataset)).toEqual([
    [START, 100, 103, 99, 102, 2.5],
    [START + 60_000, 100, 103, 99, 102, 2.5],
  ]);
});
