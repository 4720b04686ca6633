import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LiveOrder, OrderType } from '../../../src/domain/index.ts';
import { isRefusal } from '../../../src/risk/index.ts';
import { makeDraft, makeOrderIntent, makeQuotes, makeTarget, makeTrader, sum } from '../fixture.ts';

const EXIT = { side: 'sell', type: 'ioc', price: 99.9, amount: 10, strategy: 'trend' } as const;
const UNKNOWN = { side: 'sell', price: 105, status: 'unknown', strategy: 'trend' } as const;

/** Beside these orders six quotes of another market are in doubt, one more than allowed. */
function withDoubts(live: Parameters<typeof makeTrader>[0] = {}) {
  const doubts = Array.from({ length: 6 }, (_, at) => ({
    ...({ market: 'eth_usdt', status: 'unknown', strategy: 'maker', price: 90 + at } as const),
  }));
  return makeTrader({
    ...{ held: { trend: 10, maker: 5 }, ...live },
    live: [...doubts, ...(live.live ?? [])],
    limits: { unknownOrdersMax: 5, ...live.limits },
  });
}

/** How much of the exit leaves: 0 where it is refused. */
function leavesOf(trader: ReturnType<typeof withDoubts>, exit: object = EXIT): number {
  const verdict = trader.gate.order(makeDraft(exit as typeof EXIT));
  return isRefusal(verdict) ? 0 : verdict.value.amount;
}

describe('unknownOrders, of an exit', () => {
  it('lets it leave, and its wish pass, a target and an order by a tag alike', () => {
    const { gate } = withDoubts();
    const { strategy, ...wish } = EXIT;
    for (const intent of [makeTarget(0), makeTarget(4), makeOrderIntent({ ...wish, tag: 'exit' })])
      expect(gate.intent(strategy, intent)).toMatchObject({
        approved: { value: intent },
        refusals: [],
      });
    expect(leavesOf(withDoubts())).toBe(10);
  });

  it('leads a target on the other side of flat to flat, and holds the rest', () => {
    const { approved, refusals } = withDoubts().gate.intent('trend', makeTarget(-1));
    expect(approved?.value).toEqual(makeTarget(0));
    expect(refusals).toMatchObject([{ code: 'unknownOrders' }]);
  });

  it('goes on refusing what opens, may rest, or is more than is held', () => {
    const { gate } = withDoubts();
    expect(gate.intent('trend', makeTarget(11)).refusals).toMatchObject([
      { code: 'unknownOrders' },
    ]);
    const quotes = makeQuotes([99], [101]);
    expect(gate.intent('trend', quotes).approved?.value).toEqual(makeQuotes([], []));
    for (const other of [{ amount: 10.0001 }, { type: 'limit' }, { side: 'buy' }]) {
      expect(gate.order(makeDraft({ ...EXIT, ...other }))).toMatchObject({ code: 'unknownOrders' });
    }
  });

  it('cuts it down to what those in doubt leave of the position, and tells so', () => {
    const trader = withDoubts({ live: [{ ...UNKNOWN, amount: 4, filled: 1 }] });
    const told: unknown[] = [];
    trader.bus.on('refusal').subscribe(({ left, refusal }) => told.push([left, refusal.observed]));
    expect(leavesOf(trader)).toBe(7);
    expect(told).toEqual([[7, '7, of which 7 leave']]);
    expect(leavesOf(withDoubts({ live: [{ ...UNKNOWN, amount: 10 }] }))).toBe(0);
  });

  it('is cut to the free balance first, and then to what those in doubt leave', () => {
    const balances = { btc: ['8', '2'], eth: ['9', '0'], usdt: ['999', '0'] } as const;
    const live = [{ ...UNKNOWN, amount: 3 }];
    expect(leavesOf(withDoubts({ balances, live }), EXIT)).toBe(7);
  });
});

describe('unknownOrders, of exits beside any orders', () => {
  const order = fc.record({
    status: fc.constantFrom<LiveOrder['status']>('pending', 'open', 'cancelling', 'unknown'),
    type: fc.constantFrom<OrderType>('limit', 'postOnly', 'ioc'),
    side: fc.constantFrom('buy', 'sell'),
    strategy: fc.constantFrom('trend', 'maker'),
    amount: fc.integer({ min: 1, max: 6 }),
  });

  it('lets no more leave than is held, if all in doubt or under way have filled, and no less', () => {
    fc.assert(
      fc.property(
        fc.array(order, { maxLength: 5 }),
        fc.integer({ min: 1, max: 12 }),
        (all, amount) => {
          const live = all.map((one) => ({ ...one, price: one.side === 'sell' ? 105 : 90 }));
          const own = all.filter(({ side, strategy }) => side === 'sell' && strategy === 'trend');
          const amountOf = ({ amount: its }: { readonly amount: number }) => its;
          const taking = sum(
            own.filter(({ type }) => type === 'ioc'),
            amountOf,
          );
          const before = own.filter(({ type, status }) => type === 'ioc' || status === 'unknown');
          const room = Math.max(0, 10 - sum(before, amountOf));
          const isExit = amount + taking <= 10;
          const leaves = leavesOf(withDoubts({ live }), { ...EXIT, amount });
          expect(leaves).toBe(isExit ? Math.min(amount, room) : 0);
        },
      ),
      { seed: 71, numRuns: 500 },
    );
  });
});
