import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LiveOrder } from '../../../src/domain/index.ts';
import { exposure } from '../../../src/risk/checks/exposure.ts';
import { makeMarket } from '../../domain/fixture.ts';
import {
  makeDepth,
  makeDraft,
  makeHeld,
  makeQuotes,
  makeTarget,
  makeTrader,
  reviewOrder,
  sum,
} from '../fixture.ts';

const MOST = 500;
/** The middle of every book of the fixture, in cents. */
const MID_CENTS = 10_000;

const markets = [
  makeMarket(),
  makeMarket({ id: 'eth_usdt', base: 'eth', priceScale: 3, amountScale: 3 }),
  makeMarket({ id: 'eth_btc', base: 'eth', quote: 'btc' }),
];

interface Open {
  readonly market: string;
  readonly side: 'buy' | 'sell';
  readonly cents: number;
  /** The open amount, in hundredths. */
  readonly rest: number;
}

interface World {
  readonly held: Readonly<Record<string, number>>;
  readonly open: readonly Open[];
}

/** The largest exposure if orders fill, each valued by `priceOf`; units of 1e-4. */
function worstOf({ held, open }: World, priceOf: (cents: number) => number): number {
  const worth = (market: string, side: 'buy' | 'sell'): number => {
    const sign = side === 'buy' ? 1 : -1;
    const orders = open.filter((one) => one.market === market && one.side === side);
    const has = sign * (held[market] ?? 0);
    const adds = orders.reduce((sum, { rest }) => sum + rest, 0);
    if (has + adds <= 0) return 0;
    const highest = Math.max(...orders.map(({ cents }) => priceOf(cents)), MID_CENTS);
    if (has < 0) return (has + adds) * highest;
    return orders.reduce((sum, { cents, rest }) => sum + rest * priceOf(cents), has * MID_CENTS);
  };
  const ids = [...new Set([...Object.keys(held), ...open.map(({ market }) => market)])];
  return ids.reduce((sum, id) => sum + Math.max(worth(id, 'buy'), worth(id, 'sell')), 0);
}

/** At its own price, at the market's, and at the higher of both. */
const own = (cents: number) => cents;
const mid = () => MID_CENTS;
const dearer = (cents: number) => Math.max(cents, MID_CENTS);

const step = fc.record({
  market: fc.constantFrom('btc_usdt', 'eth_usdt', 'eth_btc'),
  side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
  cents: fc.integer({ min: 7_000, max: 14_000 }),
  hundredths: fc.integer({ min: 2, max: 300 }).map((half) => 2 * half),
  outcome: fc.constantFrom('rests', 'rests', 'fills', 'half', 'cancelled'),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('exposure', () => {
  it('lets nothing through that could bring more than the most, and all that surely could not', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30, size: 'max' }), (steps) => {
        const limits = { exposureMax: MOST, selfCrossAction: 'allow' } as const;
        const trader = makeTrader({ markets, limits });
        const held: Record<string, number> = {};
        let open: Open[] = [];
        for (const { market, side, cents, hundredths, outcome } of steps) {
          const quote = market.split('_')[1]!;
          const ofQuote = (world: World): World => ({
            held: Object.fromEntries(
              Object.entries(world.held).filter(([id]) => id.endsWith(quote)),
            ),
            open: world.open.filter((one) => one.market.endsWith(quote)),
          });
          const before = ofQuote({ held, open });
          const asked: Open = { market, side, cents, rest: hundredths };
          const after = { ...before, open: [...before.open, asked] };
          const id = trader.send({ market, side, price: cents / 100, amount: hundredths / 100 });
          const isRefused = id === 'exposure';
          if (worstOf(after, dearer) <= MOST * 10_000) expect(isRefused).toBe(false);
          const [own1, mid1] = [worstOf(after, own), worstOf(after, mid)];
          const grows = own1 > worstOf(before, own) && mid1 > worstOf(before, mid);
          if (grows && Math.max(own1, mid1) > MOST * 10_000) expect(isRefused).toBe(true);
          if (isRefused) continue;
          const filled = outcome === 'fills' ? hundredths : outcome === 'half' ? hundredths / 2 : 0;
          if (outcome === 'cancelled') trader.cancelled(id);
          else trader.fill(id, filled / 100);
          held[market] = (held[market] ?? 0) + (side === 'buy' ? filled : -filled);
          const rest = outcome === 'cancelled' ? 0 : hundredths - filled;
          if (rest > 0) open = [...open, { ...asked, rest }];
        }
      }),
      { seed: 61, numRuns: 400 },
    );
  });
});

const THREE = ['btc', 'eth', 'ltc'].map((base) => makeMarket({ id: `${base}_usdt`, base }));
/** Groups that share a market, and one of all. */
const SHARED = {
  one: ['btc_usdt', 'eth_usdt'],
  other: ['eth_usdt', 'ltc_usdt'],
  all: ['btc_usdt', 'eth_usdt', 'ltc_usdt'],
};
/** Orders at no more than the market's price, at which all of them count therefore. */
const anyOrder = fc.record({
  market: fc.constantFrom(...SHARED.all),
  side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
  price: fc.integer({ min: 90, max: 100 }),
  amount: fc.integer({ min: 3, max: 6 }),
  filled: fc.integer({ min: 0, max: 2 }),
  strategy: fc.constantFrom('x', 'y'),
  status: fc.constantFrom<LiveOrder['status']>('pending', 'open', 'cancelling', 'unknown'),
});
const anyShared = fc.record({
  live: fc.array(anyOrder, { maxLength: 5 }),
  held: fc.tuple(...SHARED.all.map(() => fc.integer({ min: -6, max: 6 }))),
  asked: anyOrder.map((order) => ({ ...order, filled: 0 })),
  most: fc.tuple(...SHARED.all.map(() => fc.integer({ min: 1, max: 3_000 }))),
});
type SharedOrder = typeof anyOrder extends fc.Arbitrary<infer T> ? T : never;

/** The largest value that a market may reach at 100, if all orders of one side fill. */
function worstAt(
  id: string,
  { held, open }: { readonly held: readonly number[]; readonly open: readonly SharedOrder[] },
): number {
  const has = held[SHARED.all.indexOf(id)]!;
  const here = open.filter(({ market }) => market === id);
  const adds = (side: 'buy' | 'sell'): number =>
    sum(here, (order) => (order.side === side ? order.amount - order.filled : 0));
  return 100 * Math.max(has + adds('buy'), adds('sell') - has, 0);
}

describe('exposure, of groups,', () => {
  it('is a limit of each group by itself, whatever becomes of what is under way', () => {
    fc.assert(
      fc.property(anyShared, ({ live, held, asked, most }) => {
        const groups = Object.fromEntries(
          Object.entries(SHARED).map(([name, ids], at) => [
            name,
            { markets: ids, exposureMax: most[at] },
          ]),
        );
        const limits = { groups, selfCrossAction: 'allow' } as const;
        const { gate, positions } = makeTrader({ markets: THREE, live, limits });
        for (const [at, market] of SHARED.all.entries()) {
          const at100 = makeHeld({ strategy: 'x', held: held[at]!, price: 100 });
          positions.restore({ ...at100, market });
        }
        const after = { held, open: [...live, asked] };
        const before = { held, open: live };
        const isMore = worstAt(asked.market, after) > worstAt(asked.market, before);
        const isOver = Object.values(SHARED).some((ids, at) => {
          const isIn = ids.includes(asked.market);
          return isIn && sum(ids, (id) => worstAt(id, after)) > most[at]!;
        });
        const verdict = gate.order(makeDraft({ ...asked, strategy: 'y' }));
        const isRefused = 'code' in verdict && verdict.code === 'exposure';
        expect(isRefused).toBe(isMore && isOver);
      }),
      { seed: 72, numRuns: 500 },
    );
  });

  it('answers for a group as it does for all markets of a currency', () => {
    const group = { markets: ['btc_usdt', 'eth_usdt'], exposureMax: MOST };
    const answersTo = (limits: object, steps: readonly Step[]): boolean[] => {
      const trader = makeTrader({ markets, limits: { ...limits, selfCrossAction: 'allow' } });
      return steps.map(({ outcome, market, side, cents, hundredths }) => {
        const terms = { market, side, price: cents / 100, amount: hundredths / 100 } as const;
        const id = trader.send(terms);
        if (id === 'exposure') return false;
        if (outcome === 'fills') trader.fill(id);
        return true;
      });
    };
    const all = { currencies: { usdt: { exposureMax: MOST } } };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30, size: 'max' }), (steps) => {
        expect(answersTo({ groups: { coins: group } }, steps)).toEqual(answersTo(all, steps));
      }),
      { seed: 62, numRuns: 200 },
    );
  });

  it('counts the markets of the group alone, beside the limit of all', () => {
    const groups = { btc: { markets: ['btc_usdt'], exposureMax: 200 } };
    const { gate, send, fill } = makeTrader({ limits: { groups, exposureMax: 500 } });
    fill(send({ amount: 1.5 }));
    expect(gate.order(makeDraft({ amount: 1, clientOrderId: 'asked1' }))).toEqual({
      ...{ code: 'exposure', limit: 'at most 200 usdt in the group btc', observed: '250 usdt' },
      scope: 'account',
    });
    expect(send({ market: 'eth_usdt', amount: 3 })).toMatch(/^order/);
    expect(gate.order(makeDraft({ market: 'eth_usdt', clientOrderId: 'asked2' }))).toMatchObject({
      limit: 'at most 500 usdt in all markets',
    });
  });
});

describe('exposure, of single cases,', () => {
  it('values each order at its own price, on either side and in every market', () => {
    const quotes = makeQuotes([[99, 5]], [[150, 5]]);
    const { gate } = makeTrader({ limits: { exposureMax: 600 } });
    expect(gate.intent('maker', quotes).approved?.value).toEqual(makeQuotes([[99, 5]], []));
    const other = makeTrader({ limits: { exposureMax: 750 } });
    expect(other.send({ side: 'sell', price: 150, amount: 5 })).toMatch(/^order/);
    expect(other.send({ market: 'eth_usdt', amount: 2.5 })).toBe('exposure');
    const same = makeTrader({ limits: { exposureMax: 600 } });
    expect(same.send({ side: 'sell', price: 150, amount: 4 })).toMatch(/^order/);
    expect(same.send({ side: 'sell', price: 100, amount: 2 })).toBe('exposure');
  });

  it('adds up all other markets of the currency', () => {
    const ids = ['btc_usdt', 'eth_usdt', 'ltc_usdt'];
    const { send } = makeTrader({
      markets: ids.map((id) => makeMarket({ id, base: id.slice(0, 3) })),
      live: ids.slice(1).map((market) => ({ market, price: 100, amount: 2 })),
      limits: { exposureMax: 500 },
    });
    expect(send({ amount: 1.0001 })).toBe('exposure');
    expect(send({ amount: 1 })).toMatch(/^order/);
  });

  it('values what turns a position by what is beyond flat, at the highest price', () => {
    const turn = { price: 150, amount: 5 };
    const sent = (exposureMax: number) =>
      makeTrader({ held: { maker: -2 }, limits: { exposureMax } }).send(turn);
    expect([sent(450), sent(449)]).toEqual([expect.stringMatching(/^order/), 'exposure']);
  });

  it.each([
    ['bid', 'buy', 95],
    ['ask', 'sell', 105],
  ] as const)(
    'lets out whole what makes it no larger, whatever rests beside it: a %s',
    (_, side, price) => {
      const live = [{ side, price, amount: 5, strategy: 'other' }] as const;
      const { gate, positions } = makeTrader({ live, limits: { exposureMax: 900 } });
      positions.restore(makeHeld({ strategy: 'maker', held: 10, price: 100 }));
      const exit = makeDraft({ side: 'sell', type: 'ioc', price: 99.9, amount: 10 });
      expect(gate.order(exit)).toMatchObject({ value: { amount: 10 } });
      expect(gate.order(makeDraft({ amount: 1 }))).toMatchObject({ code: 'exposure' });
    },
  );

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
});

describe('exposure, of prices,', () => {
  it('needs none of a market where nothing is held nor rests', () => {
    const { gate, view } = makeTrader({ limits: { exposureMax: 250 } });
    const { depth } = view.prices;
    Object.assign(view.prices, {
      depth: (id: string) => (id === 'eth_usdt' ? undefined : depth(id)),
    });
    expect(gate.order(makeDraft())).not.toHaveProperty('code');
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
    expect(gate.order(makeDraft({ amount: 0.5 }))).toMatchObject(observed('275'));
    knobs.last = 100;
    expect(gate.order(makeDraft({ amount: 0.5 }))).not.toHaveProperty('code');
  });

  it.each([
    ['a book that stands still while trades go on', [99.99, 100.01], 200, '1600'],
    ['a book whose bids were swept away', [1, 100.01], 100, '800'],
    ['trades that stand still while the book goes on', [199.99, 200.01], 100, '1600'],
  ] as const)('values what is held by the higher one of %s', (_, book, last, worth) => {
    const { gate, view, positions } = makeTrader({ limits: { exposureMax: 600 } });
    positions.restore({ ...makeHeld({ strategy: 'x', held: 8, price: 100 }), market: 'eth_usdt' });
    const { depth } = view.prices;
    const other = { ...makeDepth(book[0], book[1]), market: 'eth_usdt' };
    Object.assign(view.prices, {
      depth: (id: string) => (id === 'eth_usdt' ? other : depth(id)),
      last: (id: string) => (id === 'eth_usdt' ? last : undefined),
    });
    const observed = `${Number(worth) + 100} usdt`;
    expect(gate.order(makeDraft({ amount: 1 }))).toMatchObject({ code: 'exposure', observed });
  });
});

describe('exposure, beside a market with a stub for a book,', () => {
  it('is an unknown value, where that is beyond all prices', () => {
    const { gate, view, positions } = makeTrader({ limits: { exposureMax: 600 } });
    positions.restore({ ...makeHeld({ strategy: 'x', held: 1, price: 100 }), market: 'eth_usdt' });
    const { depth } = view.prices;
    const stub = { ...makeDepth(99.99, 1e14), market: 'eth_usdt' };
    Object.assign(view.prices, { depth: (id: string) => (id === 'eth_usdt' ? stub : depth(id)) });
    const observed = 'an unknown value of usdt';
    expect(gate.order(makeDraft({ amount: 1 }))).toMatchObject({ code: 'exposure', observed });
  });
});

describe('exposure, in a market without a price,', () => {
  it.each([
    ['a stub for a book', [99.99, 1e14]],
    ['no book', undefined],
  ] as const)('lets pass what makes it no larger, beside %s', (_, book) => {
    const limits = { exposureMax: 600, bandFraction: 1e15 };
    const trader = makeTrader({ held: { maker: 1 }, limits, ...(book && { book }) });
    if (book === undefined) trader.knobs.depth = undefined;
    const check = exposure(trader.view).ask!;
    const ask = (amount: number) => reviewOrder(trader.view, makeDraft({ side: 'sell', amount }));
    expect(check(ask(1))).toBeUndefined();
    expect(check(ask(2.1))?.observed).toBe('an unknown value of usdt');
    const bid = reviewOrder(trader.view, makeDraft({ amount: 0.1 }));
    expect(check(bid)?.observed).toBe('an unknown value of usdt');
  });
});

describe('exposure, of a currency,', () => {
  it('is of a currency by itself where that says so', () => {
    const limits = { currencies: { btc: { exposureMax: 1 } } };
    const { send, positions } = makeTrader({ markets, limits });
    positions.restore(makeHeld({ strategy: 'maker', held: 1_000, price: 100 }));
    expect(send()).toMatch(/^order/);
    expect(send({ market: 'eth_btc' })).toBe('exposure');
  });
});
