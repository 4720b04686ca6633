import { describe, expect, it } from 'vitest';
import type { Side } from '../../../src/domain/index.ts';
import { ExchangeFailure, type PlaceRequest } from '../../../src/exchange/index.ts';
import type { MarketReconciliation } from '../../../src/execution/truth/market-reading.ts';
import { amount, type ModelOrder, price } from '../exchange-model.ts';
import { createBench, MARKET, quotes } from '../fixture.ts';

/** A bench that is told of orders by readings alone, and the strangers that it reads. */
function readingFixture(foreignOrders: 'adopt' | 'ignore' = 'adopt') {
  const bench = createBench({ config: { foreignOrders } });
  const { clock, model, executor } = bench;
  model.pushDelayMs = undefined;
  const place = (side: Side = 'buy'): ModelOrder => {
    const terms = { market: MARKET.id, type: 'limit', amount: amount(1) } as const;
    return model.placeForeign({ ...terms, side, price: price(42) } satisfies PlaceRequest);
  };
  /** So many orders came and went, a tenth of a second apart. */
  const pass = (count: number, side: Side = 'buy'): void => {
    for (let i = 0; i < count; i++) {
      model.end(place(side));
      clock.advanceBy(100);
    }
  };
  const read = (): MarketReconciliation => {
    let found: MarketReconciliation | undefined;
    executor.reconcile('test').subscribe(({ markets }) => {
      found = markets.find(({ market }) => market === MARKET.id);
    });
    clock.advanceBy(3_000);
    return found!;
  };
  const ours = () => bench.live().map((order) => order.exchangeOrderId);
  return { ...bench, place, pass, read, ours };
}

describe('MarketReader, where foreign orders matter,', () => {
  it('looks behind pages of closed ones the first time', () => {
    const { place, pass, read, ours } = readingFixture();
    const hidden = place();
    pass(35);
    expect(read()).toMatchObject({ foreign: 1, adopted: 1 });
    expect(ours()).toEqual([hidden.record.exchangeOrderId]);
  });

  it.each(['buy', 'sell'] as const)('looks again for what reads showed late: a %s', (side) => {
    const { clock, model, place, pass, read, ours } = readingFixture();
    const hidden = place(side);
    clock.advanceBy(5_000);
    pass(12, side);
    clock.advanceBy(60_000);
    pass(1, side === 'buy' ? 'sell' : 'buy');
    model.lists = ({ exchangeOrderId }) => exchangeOrderId !== hidden.record.exchangeOrderId;
    expect(read()).toMatchObject({ open: 0, adopted: 0 });
    model.lists = () => true;
    pass(15, side);
    expect(read()).toMatchObject({ open: 1, adopted: 1 });
    expect(ours()).toEqual([hidden.record.exchangeOrderId]);
  });

  it('reads on behind a page of old ones on which any is open', () => {
    const { clock, place, pass, read } = readingFixture();
    for (let i = 0; i < 15; i++) {
      place();
      clock.advanceBy(1_000);
    }
    expect(read()).toMatchObject({ open: 15, adopted: 15 });
    clock.advanceBy(10_000);
    pass(1);
    expect(read()).toMatchObject({ open: 15, ours: 15 });
  });
});

describe('MarketReader, of an order whose id is awaited,', () => {
  it.each(['adopt', 'ignore'] as const)('takes it for no foreign one: %s', (foreignOrders) => {
    const { clock, model, orders, wish, read, live } = readingFixture(foreignOrders);
    model.fate = (operation) => (operation === 'place' ? { backMs: 10_000 } : {});
    wish(quotes([100]));
    clock.advanceBy(100);
    model.fill(model.orders[0]!, 0.4);
    expect(read()).toMatchObject({ open: 1, foreign: 0, adopted: 0 });
    expect(orders.foreign.of(MARKET.id)).toEqual([]);
    clock.advanceBy(10_000);
    expect(live()).toMatchObject([{ status: 'open', filledAmount: 0.4 }]);
  });

  it('knows that it is foreign once that order turns out to be none', () => {
    const { clock, model, orders, place, wish, read } = readingFixture('ignore');
    const refusal = new ExchangeFailure('rejected', 'Cannot place', { code: 2009 });
    model.fate = (operation) => (operation === 'place' ? { backMs: 10_000, refusal } : {});
    const { record } = place();
    clock.advanceBy(60_000);
    wish(quotes([42]));
    clock.advanceBy(100);
    read();
    expect(orders.foreign.of(MARKET.id)).toEqual([]);
    wish(quotes([]));
    clock.advanceBy(10_000);
    expect(orders.foreign.of(MARKET.id)).toMatchObject([
      { exchangeOrderId: record.exchangeOrderId },
    ]);
  });
});

describe('MarketReader, where foreign orders are left alone,', () => {
  it('forgets those that it finds no more', () => {
    const { clock, model, orders, place, pass, read } = readingFixture('ignore');
    const foreign = place();
    clock.advanceBy(10_000);
    pass(1);
    expect(read()).toMatchObject({ open: 1, foreign: 1, adopted: 0 });
    expect(orders.foreign.of(MARKET.id)).toHaveLength(1);
    model.end(foreign);
    model.lists = ({ closed }) => !closed;
    expect(read()).toMatchObject({ open: 0, foreign: 0 });
    expect(orders.foreign.of(MARKET.id)).toEqual([]);
  });

  it('counts none as ours that cannot be read', () => {
    const { model, place, read } = readingFixture('ignore');
    place();
    model.isLegible = () => false;
    expect(read()).toMatchObject({ open: 0, ours: 0 });
  });
});
