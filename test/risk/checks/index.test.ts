import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LiveOrder, OrderType, Side } from '../../../src/domain/index.ts';
import { checksOf } from '../../../src/risk/checks/index.ts';
import { isExitWish, LEFT_TO_ORDERS } from '../../../src/risk/exits.ts';
import { FreeBalances } from '../../../src/risk/free-balances.ts';
import { LossWatch } from '../../../src/risk/loss-watch.ts';
import { OrderPace } from '../../../src/risk/order-pace.ts';
import { IntentReview, type WishingIntent } from '../../../src/risk/review.ts';
import {
  type LiveSketch,
  makeOrderIntent,
  makeRisk,
  makeTarget,
  type RiskSetup,
  sum,
} from '../fixture.ts';

/** Limits as tight as possible: an order that opens a position meets all of them. */
const TIGHT = {
  ...{ priceMin: 1_000, fillLossMax: 0.000_1, ownSpreadMin: 0.9, volumeShareMax: 0.000_1 },
  ...{ openOrdersPerSideMax: 1, openOrdersMax: 1, openValueMax: 0.1 },
  ...{ positionValueMax: 0.1, exposureMax: 0.1, unknownOrdersMax: 0, ordersPerDayMax: 1 },
  ...{ groups: { all: { markets: ['btc_usdt'], exposureMax: 0.1 } }, longMax: 0, shortMax: 0 },
  ...{ tradedValuePerDayMax: 0.1, orderToTradeMax: 1, orderToTradeFreeOrders: 0 },
  ...{ orderValueMax: 0.1, apiErrorsPerWindowMax: 1, blackouts: [{ from: '00:00', to: '00:00' }] },
} as const;

/** The checks that exits must pass too: they would trade with own orders. */
const OF_ALL: ReadonlySet<string> = new Set(['selfCross']);

/** All checks, in a situation in which each objects to opening orders. */
function shut(setup: RiskSetup) {
  const risk = makeRisk({ ...setup, limits: TIGHT });
  const { view, bus, clock, state } = risk;
  const balances = new FreeBalances(view);
  const losses = new LossWatch(view);
  Object.assign(losses, { unpricedIn: () => 'eth_usdt' });
  const checks = checksOf(view, { balances, losses, pace: new OrderPace(view.config) });
  const failure = { kind: 'requestFailure', market: '', operation: 'cancel' } as const;
  for (let i = 0; i < 2; i++) {
    bus.publish({ ...failure, time: clock.now(), outcome: 'unknown', reason: 'no answer' });
  }
  state.set('REDUCING', 'test');
  return { ...risk, checks };
}

type Shut = ReturnType<typeof shut>;

/**
 * The checks that refuse a wish, each asked separately, and whether they are left to its orders.
 */
function answersTo({ view, checks }: Shut, wish: WishingIntent) {
  const rules = view.rules.of(wish.market)!;
  const review = new IntentReview({ view, rules, strategy: 'maker' }, wish);
  const codes = checks.flatMap(({ code, ask }) => (ask?.(review) ? code : []));
  return { codes, isExit: isExitWish(review) };
}

const tenths = fc.integer({ min: -30, max: 30 });
const part = fc.integer({ min: 1, max: 30 });
const anyLive = fc.array(
  fc.record({
    side: fc.constantFrom<Side>('buy', 'sell'),
    type: fc.constantFrom<OrderType>('limit', 'postOnly', 'ioc'),
    status: fc.constantFrom<LiveOrder['status']>('pending', 'open', 'cancelling', 'unknown'),
    price: fc.integer({ min: 98, max: 102 }),
    amount: fc.integer({ min: 1, max: 30 }).map((units) => units / 10),
    strategy: fc.constantFrom('maker', 'other'),
    tag: fc.constantFrom('stop', 'profit'),
  }),
  { maxLength: 5 },
);

/**
 * A target on the way to flat, and an IOC order for what orders with other tags do not take
 * already.
 */
function exitsOf(
  live: readonly LiveSketch[],
  { held, part }: { readonly held: number; readonly part: number },
): readonly WishingIntent[] {
  const side = held > 0 ? 'sell' : 'buy';
  const taking = live.filter(
    (order) =>
      order.strategy === 'maker' &&
      order.type === 'ioc' &&
      order.side === side &&
      order.tag !== 'stop',
  );
  const left = Math.abs(held) - sum(taking, ({ amount }) => Math.round(amount! * 10));
  const amount = Math.min(part, left) / 10;
  const stop = makeOrderIntent({ side, type: 'ioc', price: 100, amount, tag: 'stop' });
  const way = makeTarget((Math.sign(held) * Math.max(0, Math.abs(held) - part)) / 10);
  return amount > 0 ? [way, stop] : [way];
}

describe('checksOf: all checks together', () => {
  it('leave an exit to its orders, whatever lives beside it and whoever holds what', () => {
    fc.assert(
      fc.property(anyLive, fc.tuple(tenths, tenths), part, (live, [held, other], of) => {
        const at = shut({ live, held: { maker: held / 10, other: other / 10 } });
        for (const wish of held === 0 ? [] : exitsOf(live, { held, part: of })) {
          const { codes, isExit } = answersTo(at, wish);
          const others = codes.filter((code) => !LEFT_TO_ORDERS.has(code) && !OF_ALL.has(code));
          expect({ isExit, others }).toEqual({ isExit: true, others: [] });
        }
      }),
    );
  });

  it('refuse what opens, each for a reason of its own', () => {
    const live = [
      { side: 'buy', price: 99, status: 'unknown' },
      { side: 'sell', price: 101 },
    ] as const;
    const opening = { side: 'buy', type: 'limit', price: 100.5, amount: 1, tag: 'open' };
    const { codes, isExit } = answersTo(shut({ live }), makeOrderIntent(opening));
    expect(isExit).toBe(false);
    expect(codes).toEqual([
      ...['aboveMaximum', 'fillLoss', 'priceBounds', 'ownSpread', 'reducing', 'unpriced'],
      ...['blackout', 'volumeShare', 'openOrders', 'openValue', 'position', 'exposure'],
      ...['unknownOrders', 'apiErrors'],
    ]);
  });
});
