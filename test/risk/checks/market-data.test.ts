import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crossedBook } from '../../../src/risk/checks/crossed-book.ts';
import { freshData } from '../../../src/risk/checks/fresh-data.ts';
import { heartbeat } from '../../../src/risk/checks/heartbeat.ts';
import { postOnly } from '../../../src/risk/checks/post-only.ts';
import {
  anyOrderUnits,
  draftOf,
  makeDepth,
  makeDraft,
  makeQuotes,
  makeRisk,
  makeTarget,
  reviewIntent,
  reviewOrder,
} from '../fixture.ts';

const maybePrice = fc.option(
  fc.integer({ min: 9_000, max: 11_000 }).map((units) => units / 100),
  { nil: undefined },
);

const MARKETS = ['btc_usdt', 'eth_usdt'] as const;
const aMarket = fc.constantFrom(...MARKETS);
const someMarkets = fc.subarray([...MARKETS]);

describe('freshData', () => {
  it('refuses just what is for a market whose data are stale, wishes and orders', () => {
    fc.assert(
      fc.property(someMarkets, aMarket, anyOrderUnits, (fresh, market, units) => {
        const { view } = makeRisk();
        const isFresh = (id: string) => fresh.some((one) => one === id);
        const seen = { ...view, prices: { ...view.prices, isFresh } };
        const draft = { ...draftOf(units), market };
        const wishes = [
          { ...makeQuotes([[99, 1]], []), market },
          { ...makeTarget(1), market },
        ];
        const answers = [
          freshData.ask?.(reviewOrder(seen, draft)),
          ...wishes.map((wish) => freshData.ask?.(reviewIntent(seen, wish))),
        ];
        const observed = isFresh(market) ? undefined : `${market} is stale`;
        for (const answer of answers) expect(answer?.observed).toBe(observed);
      }),
      { seed: 48, numRuns: 200 },
    );
  });

  it('refuses what is for a market whose candles are missing, however fresh its price is', () => {
    const { view } = makeRisk();
    const isInHole = (id: string) => id === 'eth_usdt';
    const seen = { ...view, prices: { ...view.prices, isInHole } };
    const answers = MARKETS.map((market) => {
      return freshData.ask?.(reviewIntent(seen, { ...makeTarget(1), market }));
    });
    const observed = 'candles of eth_usdt are missing';
    expect(answers).toEqual([undefined, { limit: 'the next candle', observed }]);
  });
});

describe('heartbeat', () => {
  it('refuses just an order to leave for a market whose timed cancel is not confirmed', () => {
    fc.assert(
      fc.property(someMarkets, aMarket, anyOrderUnits, (armed, market, units) => {
        const { view } = makeRisk();
        const confirmed = (id: string) => armed.some((one) => one === id);
        const review = reviewOrder(
          { ...view, heartbeat: { confirmed } },
          { ...draftOf(units), market },
        );
        const observed = confirmed(market) ? undefined : `none in ${market}`;
        expect(heartbeat.onOrder?.(review)?.observed).toBe(observed);
      }),
      { seed: 49, numRuns: 200 },
    );
  });

  it('lets wishes pass: the timed cancel is armed for the orders that they lead to', () => {
    expect(heartbeat.ask).toBeUndefined();
  });
});

describe('crossedBook', () => {
  it('refuses just while both sides are there and the bid is not below the ask', () => {
    const { view, knobs } = makeRisk();
    fc.assert(
      fc.property(maybePrice, maybePrice, (bid, ask) => {
        knobs.depth = makeDepth(bid, ask);
        const crossed = bid !== undefined && ask !== undefined && bid >= ask;
        expect(crossedBook.ask?.(reviewOrder(view)) !== undefined).toBe(crossed);
      }),
      { seed: 17 },
    );
  });

  it('passes before the first depth, and refuses a locked book', () => {
    const { view, knobs } = makeRisk();
    knobs.depth = makeDepth(100, 100);
    expect(crossedBook.ask?.(reviewOrder(view))?.observed).toBe('bid 100, ask 100');
    knobs.depth = undefined;
    expect(crossedBook.ask?.(reviewOrder(view))).toBeUndefined();
  });
});

describe('postOnly', () => {
  it('refuses just a post-only order that reaches the other side of the known book', () => {
    const { view, knobs } = makeRisk();
    const type = fc.constantFrom('limit', 'postOnly', 'ioc');
    fc.assert(
      fc.property(anyOrderUnits, type, maybePrice, maybePrice, (units, orderType, bid, ask) => {
        knobs.depth = makeDepth(bid, ask);
        const draft = { ...draftOf(units), type: orderType as 'postOnly' };
        const reached =
          draft.side === 'buy'
            ? ask !== undefined && draft.price >= ask
            : bid !== undefined && draft.price <= bid;
        const refused = postOnly.onOrder?.(reviewOrder(view, draft)) !== undefined;
        expect(refused).toBe(orderType === 'postOnly' && reached);
      }),
      { seed: 18, numRuns: 500 },
    );
  });

  it('refuses at the best price itself and passes one tick away', () => {
    const { view } = makeRisk();
    const at = (price: number) =>
      postOnly.onOrder?.(reviewOrder(view, makeDraft({ type: 'postOnly', price })));
    expect(at(100.01)?.limit).toBe('below the ask 100.01');
    expect(at(100)).toBeUndefined();
  });
});
