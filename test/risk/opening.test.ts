import { describe, expect, it } from 'vitest';
import { makeMarket } from '../domain/fixture.ts';
import { makeDraft, makeQuotes, makeTrader, type RiskSetup } from './fixture.ts';

const SELL = { side: 'sell', price: 101, strategy: 'trend' } as const;

/** Trading is reducing; `trend` holds 10, and another strategy holds so much against it. */
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

  it.each([
    ['nothing', 0.0199, []],
    ['a position', 0.02, ['reducing']],
  ])('is %s by the least amount of the market: %d', (_what, amount, codes) => {
    const markets = [makeMarket({ minAmount: 0.02 })];
    const { gate } = reducingFixture(-amount, { markets });
    const { refusals } = gate.intent('trend', makeQuotes([], [[101, 10]]));
    expect(refusals.map(({ code }) => code)).toEqual(codes);
  });

  it('counts on the same side as the position it is', () => {
    const { gate } = reducingFixture(0.002);
    expect(gate.unwelcome()).toEqual([]);
    // No strategy sells what another one holds.
    expect(gate.intent('trend', makeQuotes([], [[101, 10.002]])).refusals).toMatchObject([
      { code: 'reducing' },
    ]);
  });

  it.each([undefined, 0])('is not told from a position where the price is %s', (last) => {
    const { gate, resting, knobs } = reducingFixture(-0.002);
    Object.assign(knobs, { depth: undefined, last });
    expect(gate.unwelcome().map(({ clientOrderId }) => clientOrderId)).toEqual([resting]);
  });

  it('is a position where it is more than one order may be, or its price more than one may have', () => {
    const markets = [makeMarket({ amountScale: 12 })];
    expect(reducingFixture(-3_000, { markets }).gate.unwelcome()).toHaveLength(1);
    const { gate, knobs } = reducingFixture(-0.002);
    knobs.last = 1e14;
    expect(gate.unwelcome()).toHaveLength(1);
  });

  it('is worth the last price first', () => {
    const { gate, resting, knobs } = reducingFixture(-0.002);
    knobs.last = 500;
    expect(gate.unwelcome().map(({ clientOrderId }) => clientOrderId)).toEqual([resting]);
  });
});

describe('quotes while trading is reducing', () => {
  it('sell no more than their strategy holds beside what it has resting, whatever others hold', () => {
    const { gate } = reducingFixture(5);
    expect(gate.order(makeDraft(SELL))).toMatchObject({ code: 'reducing' });
  });

  it('sell no more than the market holds beside what others have resting', () => {
    const { gate, state } = makeTrader({
      held: { trend: 10 },
      live: [{ side: 'sell', price: 102, amount: 0.0001, strategy: 'other' }],
    });
    state.set('REDUCING', 'daily loss');
    expect(gate.order(makeDraft({ ...SELL, amount: 10 }))).toMatchObject({ code: 'reducing' });
    expect(gate.order(makeDraft({ ...SELL, amount: 9.9999 }))).toMatchObject({
      value: { amount: 9.9999 },
    });
  });
});
