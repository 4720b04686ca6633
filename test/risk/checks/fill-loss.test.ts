import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeDraft, makeQuotes, makeTarget, makeTrader } from '../fixture.ts';

const limits = { fillLossMax: 5 };

describe('fillLoss', () => {
  it('refuses just what would have lost more than the most once all of it filled', () => {
    const order = fc.record({
      side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
      cents: fc.integer({ min: 9_000, max: 11_000 }),
      hundredths: fc.integer({ min: 1, max: 10_000 }),
    });
    fc.assert(
      fc.property(order, ({ side, cents, hundredths }) => {
        const { send } = makeTrader({ limits });
        const lost = (cents - 10_000) * hundredths * (side === 'buy' ? 1 : -1);
        const asked = send({ side, price: cents / 100, amount: hundredths / 100 });
        expect(asked === 'fillLoss').toBe(lost > 5 * 10_000);
      }),
      { seed: 64, numRuns: 500 },
    );
  });

  it('says what would be lost, of an order and of one level of quotes', () => {
    const { gate } = makeTrader({ limits });
    expect(gate.order(makeDraft({ price: 100.5, amount: 20 }))).toEqual({
      ...{ code: 'fillLoss', scope: 'order', limit: 'at most 5 usdt lost as it fills' },
      observed: '10 usdt, 0.5 above 100 for 20 btc',
    });
    const quotes = { ...makeQuotes([[99, 1]], [[98.5, 4]]), postOnly: false };
    expect(gate.intent('maker', quotes)).toMatchObject({
      approved: { value: { bids: [{ price: 99 }], asks: [] } },
      refusals: [{ observed: '6 usdt, 1.5 below 100 for 4 btc' }],
    });
  });

  it('holds no exit back, and asks the orders of a target', () => {
    const { gate } = makeTrader({ limits, held: { maker: 20 } });
    const sell = { side: 'sell', price: 98, amount: 20 } as const;
    expect(gate.order(makeDraft({ ...sell, type: 'ioc' }))).toHaveProperty('value');
    expect(gate.order(makeDraft(sell))).toHaveProperty('value');
    expect(gate.order(makeDraft({ ...sell, amount: 21 }))).toMatchObject({ code: 'fillLoss' });
    expect(gate.intent('maker', makeTarget(50)).refusals).toEqual([]);
  });
});
