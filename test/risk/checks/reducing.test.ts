import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reducing } from '../../../src/risk/checks/reducing.ts';
import {
  anyLive,
  anyOrderUnits,
  codeOf,
  draftOf,
  makeDraft,
  makeQuotes,
  makeRisk,
  makeTarget,
  type RiskSetup,
  restOf,
  reviewIntent,
  reviewOrder,
  sketchOf,
  sum,
} from '../fixture.ts';

function makeReducing(setup: RiskSetup) {
  const risk = makeRisk(setup);
  risk.state.set('REDUCING', 'test');
  return risk;
}

describe('reducing', () => {
  it('passes just what cannot turn or grow the position, with all that rests on its side', () => {
    const held = fc.integer({ min: -60_000, max: 60_000 });
    fc.assert(
      fc.property(anyLive, held, anyOrderUnits, (live, heldUnits, units) => {
        const { view } = makeReducing({
          live: live.map(sketchOf),
          held: { maker: heldUnits / 10_000 },
        });
        const ofSide = live.filter(({ side }) => side === units.side);
        const filling = sum(ofSide, restOf) + units.amountUnits;
        const shrinks = units.side === 'buy' ? heldUnits + filling <= 0 : heldUnits >= filling;
        const refused = reducing.ask?.(reviewOrder(view, draftOf(units))) !== undefined;
        expect(refused).toBe(!shrinks);
      }),
      { seed: 26, numRuns: 600 },
    );
  });

  it('says nothing while trading is active', () => {
    const { view } = makeRisk();
    expect(reducing.ask?.(reviewOrder(view))).toBeUndefined();
    expect(reducing.ask?.(reviewIntent(view, makeTarget(5)))).toBeUndefined();
  });

  it.each([
    [1, 0.5, false],
    [1, 0, false],
    [1, 1, false],
    [1, 1.0001, true],
    [1, -0.0001, true],
    [-1, -0.5, false],
    [-1, 0.5, true],
    [0, 0.5, true],
    [0, 0, false],
  ])('holding %s, a target of %s: refused %s', (held, target, refused) => {
    const { view } = makeReducing({ held: { maker: held } });
    const refusal = reducing.ask?.(reviewIntent(view, makeTarget(target)));
    expect(refusal !== undefined).toBe(refused);
  });

  it.each([
    [1, 'shrink the position of 1 btc'],
    [0, 'nothing, as maker holds no btc'],
  ])('holding %s, wants: %s', (held, limit) => {
    const { view } = makeReducing({ held: { maker: held } });
    expect(reducing.ask?.(reviewIntent(view, makeTarget(5)))?.limit).toBe(limit);
  });

  it('passes what closes a position to the last unit, and refuses one unit more', () => {
    const ask = (held: number, side: string, amount: number) => {
      const { view } = makeReducing({ held: { maker: held } });
      return codeOf(reducing, reviewOrder(view, makeDraft({ side, amount })));
    };
    expect([ask(-1, 'buy', 1), ask(-1, 'buy', 1.0001)]).toEqual([undefined, 'reducing']);
    expect([ask(1, 'sell', 1), ask(1, 'sell', 1.0001)]).toEqual([undefined, 'reducing']);
  });

  it('holds both sides of a wish to it', () => {
    const { view } = makeReducing({ held: { maker: 1 } });
    const ask = (bids: [number, number][], asks: [number, number][]) =>
      codeOf(reducing, reviewIntent(view, makeQuotes(bids, asks)));
    expect(ask([], [[101, 1]])).toBeUndefined();
    expect(ask([], [[101, 1.0001]])).toBe('reducing');
    expect(ask([[99, 0.1]], [[101, 1]])).toBe('reducing');
  });
});
