import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SIDES } from '../../src/domain/index.ts';
import { isRefusal } from '../../src/risk/index.ts';
import { type LiveSketch, makeDraft, makeHeld, makeTrader } from './fixture.ts';

/** Amounts are quarters of a coin. */
const units = fc.integer({ min: 1, max: 40 });
const held = fc.integer({ min: -30, max: 30 });
const resting = fc.record({
  ...{ units, step: fc.integer({ min: 1, max: 6 }) },
  strategy: fc.constantFrom('maker' as const, 'other' as const),
  type: fc.constantFrom('limit', 'postOnly'),
  status: fc.constantFrom('open', 'pending', 'cancelling'),
});
type Resting = typeof resting extends fc.Arbitrary<infer R> ? R : never;

const bounded = fc.record({
  ...{ longMax: units, shortMax: units, positionValueMax: fc.integer({ min: 1, max: 6_000 }) },
});
const scene = fc.record({
  ...{ side: fc.constantFrom(...SIDES), exit: units, more: fc.nat(30), maker: held, other: held },
  others: fc.array(resting, { maxLength: 6 }),
  by: fc.oneof(
    fc.record({ limits: bounded, free: fc.constant(4e9) }),
    fc.record({ limits: fc.constant({}), free: fc.nat(40) }),
  ),
});
type Scene = typeof scene extends fc.Arbitrary<infer S> ? S : never;

const priceOf = ({ side }: Scene, { step }: Resting) => (side === 'buy' ? 100 - step : 100 + step);
const exitOf = ({ side, exit }: Scene) =>
  makeDraft({ side, type: 'ioc', price: 100, amount: exit / 4, strategy: 'taker' });

/**
 * A trader with those orders at rest. The exchange has frozen the money of those that it has named.
 */
function start(made: Scene, beside: readonly Resting[] = made.others) {
  const { side, by, others } = made;
  const isBuy = side === 'buy';
  const worthOf = (order: Resting) => (order.units / 4) * (isBuy ? priceOf(made, order) : 1);
  const named = others.filter(({ status }) => status !== 'pending');
  const frozen = named.filter((order) => beside.includes(order));
  const sum = (orders: readonly Resting[]) =>
    orders.reduce((total, order) => total + worthOf(order), 0);
  const free = (by.free / 4) * (isBuy ? 100 : 1) + sum(named) - sum(frozen);
  const balances = { btc: ['1e9', '0'], usdt: ['1e9', '0'] } as Record<string, [string, string]>;
  balances[isBuy ? 'usdt' : 'btc'] = [`${free}`, `${sum(frozen)}`];
  const live = beside.map((order) => {
    const { strategy, type, status } = order;
    const sketch = { side, strategy, type, status, amount: order.units / 4 };
    return { ...sketch, price: priceOf(made, order) } as LiveSketch;
  });
  const { longMax, shortMax, ...limits } = { longMax: 4e4, shortMax: 4e4, ...by.limits };
  const amounts = { longMax: longMax / 4, shortMax: shortMax / 4 };
  const trader = makeTrader({ limits: { ...limits, ...amounts }, live, balances });
  const sign = isBuy ? -1 : 1;
  const { maker, other, exit, more } = made;
  for (const [strategy, size] of Object.entries({ taker: exit + more, maker, other })) {
    if (size === 0) continue;
    trader.positions.restore(makeHeld({ strategy, held: (sign * size) / 4, price: 100 }));
  }
  return trader;
}

/** The orders of a scene that give way. */
function takersIn(made: Scene): readonly Resting[] {
  const { gate, orders } = start(made);
  const live = orders.live('btc_usdt');
  return gate
    .roomTakers(exitOf(made), () => true)
    .map((order) => made.others[live.indexOf(order)]!);
}

/** How much of the exit leaves once those are gone. */
function leaving(made: Scene, gone: readonly Resting[]): number {
  const beside = made.others.filter((order) => !gone.includes(order));
  const answer = start(made, beside).gate.order(exitOf(made));
  return isRefusal(answer) ? 0 : answer.value.amount;
}

/** The orders whose strategies do not hold what they trade, the nearest first. */
function openersIn(made: Scene): readonly Resting[] {
  const left = { maker: made.maker, other: made.other };
  return made.others
    .toSorted((one, another) => one.step - another.step)
    .filter((order) => {
      const rest = left[order.strategy] - order.units;
      if (rest >= 0) left[order.strategy] = rest;
      return rest < 0;
    });
}

describe('RiskGate.roomTakers, against all that could give way,', () => {
  it('are none in vain, none too few and none too many', () => {
    let some = 0;
    fc.assert(
      fc.property(scene, (made) => {
        const takers = takersIn(made);
        const openers = openersIn(made);
        const all = leaving(made, openers);
        expect(openers).toEqual(expect.arrayContaining([...takers]));
        expect(leaving(made, takers)).toBe(all);
        if (takers.length === 0) return;
        some++;
        expect(all).toBeGreaterThan(leaving(made, []));
        // Large ones come first. Among bids these need not hold the most money.
        if (made.side === 'buy') return;
        for (const taker of takers.filter(({ status }) => status !== 'cancelling')) {
          expect(
            leaving(
              made,
              takers.filter((order) => order !== taker),
            ),
          ).toBeLessThan(all);
        }
      }),
      { seed: 6, numRuns: 1_200 },
    );
    expect(some).toBeGreaterThan(200);
  });
});
