import { describe, expect, it } from 'vitest';
import { makeDraft, makeQuotes, makeTrader, type RiskSetup } from './fixture.ts';

/** Trading is reducing; `trend` holds 10, and somebody else so much against it. */
function reducingFixture(other: number, setup: RiskSetup = {}) {
  const trader = makeTrader({ ...setup, held: { trend: 10, other } });
  const ask = { side: 'sell', price: 101, amount: 10, strategy: 'trend' } as const;
  const resting = trader.send(ask);
  trader.take(resting);
  trader.state.set('REDUCING', 'daily loss');
  return { ...trader, ask, resting };
}

// The least order of the market is worth 1, at a price of 100.
describe('dust that other strategies hold against one', () => {
  it.each([-0.0001, -0.002, -0.0099])('is nothing: %d', (other) => {
    const { gate, resting, orders } = reducingFixture(other);
    expect(gate.unwelcome()).toEqual([]);
    expect(orders.get(resting)?.status).toBe('open');
    const quotes = makeQuotes([], [[101, 10]]);
    expect(gate.intent('trend', quotes)).toMatchObject({
      approved: { value: quotes },
      refusals: [],
    });
  });

  it('lets all of an exit leave', () => {
    const { cancelled, gate, resting } = reducingFixture(-0.002);
    cancelled(resting);
    const exit = { side: 'sell', type: 'ioc', price: 99.9, amount: 10, strategy: 'trend' } as const;
    expect(gate.order(makeDraft(exit))).toMatchObject({ value: { amount: 10 } });
  });

  it.each([-0.01, -4])('is none where an order can trade it: %d', (other) => {
    const { gate, resting } = reducingFixture(other);
    expect(gate.unwelcome().map(({ clientOrderId }) => clientOrderId)).toEqual([resting]);
    expect(gate.intent('trend', makeQuotes([], [[101, 10]])).refusals).toMatchObject([
      { code: 'reducing' },
    ]);
  });

  it('counts on the same side as the position it is', () => {
    const { gate } = reducingFixture(0.002);
    expect(gate.unwelcome()).toEqual([]);
    // Nobody sells what another one holds.
    expect(gate.intent('trend', makeQuotes([], [[101, 10.002]])).refusals).toMatchObject([
      { code: 'reducing' },
    ]);
  });

  it('is not told from a position where no price is known', () => {
    const { gate, resting, knobs, view } = reducingFixture(-0.002);
    knobs.depth = undefined;
    Object.assign(view.prices, { last: () => undefined });
    expect(gate.unwelcome().map(({ clientOrderId }) => clientOrderId)).toEqual([resting]);
  });
});
