import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeDraft, makeHeld, makeMarket, makeTarget, makeTrader } from '../fixture.ts';

const MOST = 500;
/** The middle of every book of the fixture, in cents. */
const MID_CENTS = 10_000;

const markets = [
  makeMarket(),
  makeMarket({ id: 'eth_usdt', base: 'eth', priceScale: 3, amountScale: 3 }),
  makeMarket({ id: 'eth_btc', base: 'eth', quote: 'btc' }),
];

interface Book {
  held: number;
  buys: number;
  sells: number;
}

/** Worth of the worse side, in units of 1e-4. */
function worstOf({ held, buys, sells }: Book, askedCents = { buy: 0, sell: 0 }): number {
  const [long, short] = [held + buys, sells - held];
  const asked = long >= short ? askedCents.buy : askedCents.sell;
  return Math.max(long, short, 0) * Math.max(MID_CENTS, asked);
}

const step = fc.record({
  market: fc.constantFrom('btc_usdt', 'eth_usdt', 'eth_btc'),
  side: fc.constantFrom('buy', 'sell'),
  cents: fc.integer({ min: 9_000, max: 11_000 }),
  hundredths: fc.integer({ min: 2, max: 300 }),
  outcome: fc.constantFrom('rests', 'fills', 'half', 'cancelled'),
});

describe('exposure', () => {
  it('keeps the worse sides of all markets of a currency together within the most', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const limits = { exposureMax: MOST, selfCrossAction: 'allow' } as const;
        const trader = makeTrader({ markets, limits });
        const books = new Map(markets.map(({ id }) => [id, { held: 0, buys: 0, sells: 0 }]));
        for (const { market, side, cents, hundredths, outcome } of steps) {
          const book = books.get(market)!;
          const after: Book = { ...book };
          if (side === 'buy') after.buys += hundredths;
          else after.sells += hundredths;
          const quote = market.split('_')[1]!;
          const beside = [...books].filter(([id]) => id !== market && id.endsWith(quote));
          const asked = { buy: 0, sell: 0, [side]: cents };
          const all = beside.reduce((sum, [, one]) => sum + worstOf(one), worstOf(after, asked));
          const shrinks = side === 'buy' ? book.held + after.buys <= 0 : after.sells <= book.held;
          const id = trader.send({ market, side, price: cents / 100, amount: hundredths / 100 });
          expect(id === 'exposure').toBe(all > MOST * 10_000 && !shrinks);
          if (id === 'exposure') continue;
          const filled = outcome === 'fills' ? hundredths : outcome === 'half' ? hundredths / 2 : 0;
          if (outcome === 'cancelled') trader.cancelled(id);
          else trader.fill(id, filled / 100);
          const open = outcome === 'cancelled' ? 0 : hundredths - filled;
          book.held += side === 'buy' ? filled : -filled;
          if (side === 'buy') book.buys += open;
          else book.sells += open;
        }
      }),
      { seed: 61, numRuns: 400 },
    );
  });

  it('says what there would be, refuses targets beyond, and lets what shrinks a position pass', () => {
    const { gate, positions } = makeTrader({ limits: { exposureMax: 250 } });
    positions.restore(makeHeld({ strategy: 'maker', held: 2, price: 100 }));
    const refusal = {
      ...{ code: 'exposure', limit: 'at most 250 usdt in all markets', scope: 'account' },
      observed: '300 usdt',
    };
    expect(gate.order(makeDraft({ amount: 1 }))).toEqual(refusal);
    expect(gate.order(makeDraft({ market: 'eth_usdt', amount: 1 }))).toEqual(refusal);
    expect(gate.intent('maker', makeTarget(3)).refusals).toEqual([refusal]);
    expect(gate.intent('maker', makeTarget(2.5)).refusals).toEqual([]);
    positions.restore(makeHeld({ strategy: 'other', held: 2, price: 100 }));
    expect(gate.intent('maker', makeTarget(1)).refusals).toEqual([]);
    expect(gate.order(makeDraft({ side: 'sell', amount: 1 }))).not.toHaveProperty('code');
  });

  it('values what rests in other markets at the last price where there is no book', () => {
    const live = [{ market: 'eth_usdt', amount: 2 }];
    const { gate, view, knobs } = makeTrader({ live, limits: { exposureMax: 250 } });
    const { depth } = view.prices;
    Object.assign(view.prices, {
      depth: (id: string) => (id === 'eth_usdt' ? undefined : depth(id)),
    });
    const observed = (of: string) => ({ code: 'exposure', observed: `${of} usdt` });
    expect(gate.order(makeDraft({ amount: 0.5 }))).toMatchObject(observed('an unknown value of'));
    knobs.last = 110;
    expect(gate.order(makeDraft({ amount: 0.5 }))).toMatchObject(observed('270'));
    knobs.last = 100;
    expect(gate.order(makeDraft({ amount: 0.5 }))).not.toHaveProperty('code');
  });

  it('is of a currency by itself where that says so', () => {
    const limits = { currencies: { btc: { exposureMax: 1 } } };
    const { send, positions } = makeTrader({ markets, limits });
    positions.restore(makeHeld({ strategy: 'maker', held: 1_000, price: 100 }));
    expect(send()).toMatch(/^order/);
    expect(send({ market: 'eth_btc' })).toBe('exposure');
  });
});
