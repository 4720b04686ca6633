import { describe, expect, it } from 'vitest';
import { createBench, quotes } from './fixture.ts';

/** The time by which the answer to a batch is here. */
const ANSWER_MS = 10;

/** A bench whose batches are answered with their ids swapped, or in order. */
function createExchanged(
  pushDelayMs: number | undefined,
  { afterMs = 990, answersInOrder = false } = {},
) {
  const bench = createBench({ config: { batch: true } });
  bench.model.answersInOrder = answersInOrder;
  bench.model.pushDelayMs = pushDelayMs;
  const bids = [100, 99, 98].map((at, index) => [at, index + 1] as const);
  bench.wish(quotes(bids, [], { postOnly: false }));
  bench.clock.advanceBy(ANSWER_MS + afterMs);
  const filled = () => bench.ofKind('fill').map(({ fill }) => [Number(fill.price), fill.amount]);
  return { ...bench, bids, filled };
}

/** The price of the order with each id. */
function pricesOf(orders: readonly { exchangeOrderId?: string | undefined; price: number }[]) {
  return new Map(orders.map(({ exchangeOrderId, price }) => [exchangeOrderId, price]));
}

describe('a batch that is answered in its own order', () => {
  it.each([2, undefined])('has each of its orders bear its id at once, pushes %s', (delayMs) => {
    const { live, model } = createExchanged(delayMs, { afterMs: 40, answersInOrder: true });
    expect(live()).toHaveLength(3);
    expect(pricesOf(live())).toEqual(pricesOf(model.open.map(({ record }) => record)));
  });
});

describe.each([2, 20, undefined])(
  'a batch that is answered in another order, pushes %s',
  (delayMs) => {
    it('books what each of its orders fills', () => {
      const { clock, filled, live, model } = createExchanged(delayMs);
      model.fill(model.orders[0]!);
      clock.advanceBy(62_000);
      expect(filled()).toEqual([[100, 1]]);
      model.fill(model.orders[2]!, 1);
      clock.advanceBy(62_000);
      expect(filled()).toEqual([
        [100, 1],
        [98, 1],
      ]);
      expect(pricesOf(live())).toEqual(pricesOf(model.open.map(({ record }) => record)));
    });

    it.each([1, 100])('has one cancelled that is not wished any more, %s ms later', (afterMs) => {
      const { bids, clock, filled, live, model, wish } = createExchanged(delayMs, { afterMs });
      wish(quotes([[97, 4], ...bids.slice(1)], [], { postOnly: false }));
      clock.advanceBy(60_000);
      for (const order of model.open) model.fill(order);
      clock.advanceBy(62_000);
      expect(filled().toSorted(([a], [b]) => a! - b!)).toEqual([
        [97, 4],
        [98, 3],
        [99, 2],
      ]);
      expect(live().filter(({ price }) => price === 100)).toEqual([]);
    });

    it('is cancelled as a whole', () => {
      const { clock, live, model, wish } = createExchanged(delayMs);
      model.fill(model.orders[1]!, 1);
      wish(quotes([[97, 5]], [], { postOnly: false }));
      clock.advanceBy(30_000);
      expect(model.open.map(({ record }) => Number(record.price))).toEqual([97]);
      expect(live().map(({ price }) => Number(price))).toEqual([97]);
    });
  },
);
