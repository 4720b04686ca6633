import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/kernel/index.ts';
import { type DayStart, RiskGate } from '../../../src/risk/index.ts';
import { makeMarket } from '../../domain/fixture.ts';
import { makeDepth, makeDraft, makeHeld, makeQuotes, makeRisk, makeTarget } from '../fixture.ts';

interface BlindSetup {
  readonly held?: number;
  /** Of that. Default: nothing. */
  readonly sold?: number;
  readonly dayStart?: DayStart;
}

/** A gate of three markets. eth_usdt is held and has no price until `show` is called. */
function makeBlind({ held = 1, sold = 0, dayStart }: BlindSetup = {}) {
  const risk = makeRisk({
    limits: { referenceAgeMaxMs: 1e12 },
    ...(dayStart && { dayStart }),
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
  const gate = new RiskGate({ ...view, prices });
  for (const traded of [held, -sold]) {
    const fill = makeHeld({ strategy: 'other', held: traded, price: 100 });
    if (traded !== 0) positions.restore({ ...fill, market: 'eth_usdt' });
  }
  const hold = (amount: number) =>
    positions.restore(makeHeld({ strategy: 'maker', held: amount, price: 100 }));
  const show = () => {
    isShown = true;
  };
  return { ...risk, gate, hold, show };
}

/** A day that began with one eth held, which cost 100. */
function heldAtMidnight(firstPrice?: number): DayStart {
  const { positions } = makeRisk();
  positions.restore({
    ...makeHeld({ strategy: 'other', held: 1, price: 100 }),
    market: 'eth_usdt',
  });
  return Object.assign(positions, { firstPrice: () => firstPrice });
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
    const { approved, refusals } = gate.intent('maker', makeQuotes([99], [101]));
    expect(approved?.value).toEqual(makeQuotes([], [101]));
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

  it('is no matter of dust that the market takes no order for', () => {
    const least = makeMarket().minAmount;
    expect(makeBlind({ held: 0.9 * least }).gate.order(makeDraft())).toHaveProperty('value');
    expect(makeBlind({ held: least }).gate.order(makeDraft())).toEqual(REFUSAL);
  });

  it('is no matter of a market that is flat, where a price was traded there since midnight', () => {
    const { gate } = makeBlind({ sold: 1, dayStart: heldAtMidnight(90) });
    expect(gate.order(makeDraft())).toHaveProperty('value');
  });

  it('says that a market was held at midnight, and is over when the day is', () => {
    const { gate, clock, knobs } = makeBlind({ sold: 1, dayStart: heldAtMidnight() });
    expect(gate.order(makeDraft())).toEqual({
      ...REFUSAL,
      observed: 'buys of 1; eth_usdt was held at midnight UTC and has had no price in this run',
    });
    clock.advanceBy(DAY_MS);
    knobs.depth = { ...knobs.depth!, receivedTime: clock.now() };
    expect(gate.order(makeDraft())).toHaveProperty('value');
  });
});
