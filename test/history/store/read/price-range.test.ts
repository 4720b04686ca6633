import { expect, it } from 'vitest';
import { type DatasetRow, DEPTH_EVENTS, priceRangeOf } from '../../../../src/history/index.ts';
import { candle, csv, datasetOf, START, Store } from '../fixture.ts';

const { snapshot, gap } = DEPTH_EVENTS;

/** The range of the prices of depth, all at one time. */
async function rangeOf(...events: readonly (readonly [event: number, price: number])[]) {
  const rows = events.map(([event, price]): DatasetRow => [START, START, 1, event, 1, price, 1]);
  return priceRangeOf(await new Store().record(rows));
}

it('priceRangeOf leaves out the rows of a book that have no price', async () => {
  expect(await rangeOf([snapshot, 99], [snapshot, 98], [gap, 0])).toEqual({
    lowest: 98,
    highest: 99,
  });
  expect(await rangeOf([gap, 0])).toBeUndefined();
});

it('priceRangeOf goes from the lowest low of candles to the highest high, a price of 0 aside', async () => {
  const rows = [candle(0, 100), candle(1, 110), candle(2, 105).with(3, 0)];
  const dataset = await datasetOf('BTCUSDT.csv', csv(rows), {
    mapping: {
      kind: 'candles',
      columns: { time: 1, open: 2, high: 3, low: 4, close: 5, volume: 6 },
    },
  });
  expect(await priceRangeOf(dataset)).toEqual({ lowest: 99, highest: 111 });
});
