import fc from 'fast-check';
import { map, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Amount, Market, OrderRecord, Price, Side } from '../../src/domain/index.ts';
import { type PlaceRequest, toFailure } from '../../src/exchange/index.ts';
import { Decimal, fromUnits } from '../../src/kernel/index.ts';
import { makeMarket } from '../domain/fixture.ts';
import { answerOf, collect } from '../sim/fixture.ts';
import { BTC_USDT, opener, type Subject, type Way } from './subjects.ts';

// Numbers that are long, short of digits, or far below one.
const SHIB_BTC = makeMarket({
  ...{ id: 'shib_btc', base: 'shib', quote: 'btc' },
  ...{ priceScale: 11, amountScale: 0, minAmount: 1, minSize: 1e-7 },
});
const ONE_USDT = makeMarket({
  ...{ id: 'a1_usdt', base: 'a1', priceScale: 0, amountScale: 0, minAmount: 1 },
});

/** Whole units that are usual. */
const MARKETS = [
  { market: BTC_USDT, price: 6_000_000, amount: 5_000 },
  { market: SHIB_BTC, price: 150, amount: 1_000_000 },
  { market: ONE_USDT, price: 70, amount: 40 },
];

const WORLD = {
  markets: MARKETS.map(({ market }) => market),
  accounts: ['main', 'other'].map((name) => ({
    name,
    balances: { usdt: '1234567.12345678', btc: '12.00000001', shib: '90000000', a1: '5000' },
    marginBalances: { isolated: { usdt: '500' }, cross: { usdt: '500.1', btc: '0.0000007' } },
    permissions: { assets: true, orders: true, withdrawals: true, margin: true },
  })),
};

const STEPS = ['batch', 'cancel', 'print', 'level', 'withdraw', 'switch', 'wait'] as const;

interface Step {
  readonly what: 'place' | (typeof STEPS)[number];
  readonly at: (typeof MARKETS)[number];
  readonly side: Side;
  readonly type: PlaceRequest['type'];
  readonly accountType: 0 | 1 | 2;
  /** Hundredths of what is usual. */
  readonly priced: number;
  readonly sized: number;
  readonly flag: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('place', 'place', 'place', ...STEPS),
  at: fc.constantFrom(...MARKETS),
  side: fc.constantFrom<Side>('buy', 'sell'),
  type: fc.constantFrom<PlaceRequest['type']>('limit', 'postOnly', 'ioc'),
  accountType: fc.constantFrom<0 | 1 | 2>(0, 1, 2),
  priced: fc.integer({ min: 97, max: 103 }),
  sized: fc.integer({ min: 1, max: 100 }),
  flag: fc.boolean(),
});

/** What is told to one who listens, besides the answers. */
interface Heard {
  readonly orders: OrderRecord[];
  readonly balances: Map<string, string>;
  readonly lost: () => number;
}

function listen({ main }: Subject): Heard {
  const orders: OrderRecord[] = [];
  const balances = new Map<string, string>();
  for (const { market } of MARKETS) {
    main.accountFeed.orders(market.id).subscribe(({ order }) => orders.push(order));
  }
  const note = (
    name: string,
    told: readonly { currency: string; available: Decimal; frozen: Decimal }[],
  ) => {
    for (const { currency, available, frozen } of told) {
      balances.set(`${name} ${currency}`, `${available} ${frozen}`);
    }
  };
  note('spot', answerOf(main.account.account()).balances);
  note('cross', answerOf(main.margin.crossAccount()).assets);
  main.accountFeed.balances().subscribe((push) => note('spot', push.balances));
  main.accountFeed.crossBalances!().subscribe((push) => note('cross', push.balances));
  const states = collect(main.accountFeed.connection());
  return { orders, balances, lost: () => states.filter(({ connected }) => !connected).length };
}

/** Does a step. What came of it. */
function take({ main, sim, pass }: Subject, one: Step): unknown {
  const { what, side, type, accountType, sized, flag } = one;
  const { market } = one.at;
  const { id } = market;
  const order = { price: priceOf(one) as Price, amount: amountOf(one) as Amount };
  switch (what) {
    case 'place': {
      const named = flag ? { clientOrderId: `same${sized % 3}` } : {};
      const terms = { market: id, side, type, accountType, borrow: flag, repay: !flag };
      return outcomeOf(main.trading.place({ ...terms, ...order, ...named }));
    }
    case 'batch': {
      const orders = [order, { ...order, amount: fromUnits(sized, market.amountScale) as Amount }];
      return outcomeOf(main.trading.placeBatch({ market: id, side, accountType, orders }));
    }
    case 'cancel': {
      const open = sim.inspect('main').openOrders.get(id)?.[0];
      const named = { market: id, clientOrderId: `same${sized % 3}` };
      return outcomeOf(main.trading.cancel(flag && open ? open : named));
    }
    case 'print':
      return sim.anonymous(id).print({ takerSide: side, ...order });
    case 'level':
      return sim.anonymous(id).setLevel({ side, ...order, amount: flag ? order.amount : 0 });
    case 'withdraw': {
      const [fee, amount] = [Decimal.of(1), Decimal.of(`${sized}.12345678`)];
      const address = answerOf(main.funds.withdrawalAddress('usdt'));
      const password = flag ? 'funds-password' : 'nö +%&';
      return outcomeOf(main.funds.withdraw({ currency: 'usdt', amount, fee, address, password }));
    }
    case 'switch':
      return [
        main.margin.setAutoBorrow(flag),
        main.margin.setAutoRepay(!flag),
        main.trading.cancelAllAfter(id),
      ].map(outcomeOf);
    case 'wait':
      return pass(sized * 7_000);
    default:
      return what satisfies never;
  }
}

function priceOf({ at, priced }: Step): number {
  return fromUnits(Math.round((at.price * priced) / 100), at.market.priceScale);
}

function amountOf({ at, sized }: Step): number {
  return fromUnits(Math.ceil((at.amount * sized) / 100), at.market.amountScale);
}

/** All that an account can ask of a market and of itself. */
function seen({ main }: Subject, { id: market }: Market): unknown[] {
  const { account, margin, trading, orderLists, funds, market: data } = main;
  const size = { pageSize: 50 };
  return [
    account.account(),
    margin.crossAccount(),
    margin.isolatedAccount(),
    ...(['buy', 'sell'] as const).map((side) => trading.orders({ market, side, page: 1 })),
    ...(['all', 'unfinished', 'finished'] as const).map((filter) =>
      orderLists.list({ market, filter, ...size }),
    ),
    ...[false, true].map((older) => funds.bills({ older, ...size })),
    funds.withdrawals({ currency: 'usdt', ...size }),
    funds.withdrawalFees(),
    data.markets(),
    data.depth({ market }),
    data.trades({ market }),
    data.ticker(market),
    // What is read tells no time of its own.
    data
      .candles({ market, interval: '5min' })
      .pipe(map((candles) => candles.map(({ exchangeTime: _, ...candle }) => candle))),
  ].map((call: Observable<unknown>) => outcomeOf(call));
}

function outcomeOf(call: Observable<unknown>): unknown {
  try {
    return plain(answerOf(call));
  } catch (thrown) {
    const { kind, code } = toFailure(thrown);
    return { kind, code };
  }
}

/** What the wire has no place for, or rounds: times of receipt, the last trade of orders that are read. */
const UNTOLD: ReadonlySet<string> = new Set(['receivedTime', 'lastTrade', 'change']);

/** JSON with sorted keys. */
function plain(value: unknown): unknown {
  const ordered = (key: string, part: unknown): unknown => {
    if (UNTOLD.has(key)) return undefined;
    if (part instanceof Map) return Object.fromEntries(part);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return JSON.parse(JSON.stringify(value, ordered) ?? 'null');
}

describe.each(['documented wire', 'recorded wire'] as const)('an account, %s', (way: Way) => {
  it('is told the same as in process, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }), (steps) => {
        const both = [opener('in process')(WORLD), opener(way)(WORLD)] as const;
        const heard = both.map(listen);
        for (const { pass } of both) pass(2_000);
        for (const one of steps) {
          const [here, there] = both.map((subject) => take(subject, one));
          expect(there).toEqual(here);
          // Longer than the client waits for a push that is due.
          for (const { pass } of both) pass(one.flag ? 1_000 : 40_000);
          const [near, far] = both.map((subject) => seen(subject, one.at.market));
          expect(far).toEqual(near);
        }
        const [near, far] = heard as [Heard, Heard];
        const told = ({ orders }: Heard) =>
          orders.map(({ fee: _, accountType: __, ...order }) => plain(order));
        expect(told(far)).toEqual(told(near));
        expect(far.balances).toEqual(near.balances);
        for (const { pass } of both) pass(120_000);
        // Down until it is first opened.
        expect(far.lost()).toBe(1);
      }),
      { seed: 20_220_122, numRuns: 8 },
    );
  });
});
