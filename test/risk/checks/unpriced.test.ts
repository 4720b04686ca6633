import { describe, expect, it } from 'vitest';
import { createRiskGate } from '../../../src/risk/index.ts';
import {
  makeDepth,
  makeDraft,
  makeHeld,
  makeMarket,
  makeQuotes,
  makeRisk,
  makeTarget,
} from '../fixture.ts';

/** A gate of three markets, of which eth_usdt is held and shows a price only once `show` was called. */
function makeBlind({ held = 1 } = {}) {
  const risk = makeRisk({
    limits: { referenceAgeMaxMs: 1e12 },
    markets: [
      makeMarket(),
      makeMarket({ id: 'eth_usdt', base: 'eth' }),
      makeMarket({ id: 'eth_btc', base: 'eth', quote: 'btc' }),
    ],
  });
  const { view, positions, knobs } = risk;
  const { depth } = knobs;
  let isShown = false;
  const prices = {
    ...view.prices,
    depth: (market: string) => (market !== 'eth_usdt' || isShown ? depth : undefined),
  };
  const gate = createRiskGate({ ...view, prices });
  if (held !== 0) {
    const fill = makeHeld({ strategy: 'other', held, price: 100 });
    positions.restore({ ...fill, market: 'eth_usdt' });
  }
  const hold = (amount: number) =>
    positions.restore(makeHeld({ strategy: 'maker', held: amount, price: 100 }));
  const show = () => {
    isShown = true;
  };
  return { ...risk, gate, hold, show };
}

const REFUSAL = {
  code: 'unpriced',
  limit: 'a price of eth_usdt, without which losses in usdt cannot be told',
  observed: 'buys of 1; eth_usdt is held and has had no price in this run',
  scope: 'account',
};

describe('unpriced', () => {
  it('lets nothing open in a currency while a market that is held in it has no price', () => {
    const { gate, show } = makeBlind();
    expect(gate.order(makeDraft())).toEqual(REFUSAL);
    expect(gate.intent('maker', makeTarget(1)).refusals).toEqual([
      { ...REFUSAL, observed: 'a target of 1; eth_usdt is held and has had no price in this run' },
    ]);
    show();
    expect(gate.order(makeDraft())).toHaveProperty('value');
    expect(gate.intent('maker', makeTarget(1)).refusals).toEqual([]);
  });

  it('lets what shrinks a position leave', () => {
    const { gate, hold } = makeBlind();
    hold(1);
    expect(gate.order(makeDraft({ side: 'sell', price: 101 }))).toHaveProperty('value');
    const { approved, refusals } = gate.intent('maker', makeQuotes([[99, 1]], [[101, 1]]));
    expect(approved?.value).toEqual(makeQuotes([], [[101, 1]]));
    expect(refusals.map(({ code }) => code)).toEqual(['unpriced']);
  });

  it('is no matter of other currencies, nor of markets where nothing is held', () => {
    const { gate } = makeBlind();
    expect(gate.order(makeDraft({ market: 'eth_btc' }))).toHaveProperty('value');
    expect(makeBlind({ held: 0 }).gate.order(makeDraft())).toHaveProperty('value');
  });

  it('does not come back where a market that had a price falls silent', () => {
    const { gate, knobs, show } = makeBlind();
    show();
    gate.order(makeDraft());
    knobs.depth = makeDepth(undefined, undefined);
    expect(gate.order(makeDraft({ clientOrderId: 'draft2' }))).not.toHaveProperty(
      'code',
      'unpriced',
    );
  });
});
