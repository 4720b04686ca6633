import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Balance, LiveOrder, Position, TradingEvent } from '../../src/domain/index.ts';
import { Bus, Decimal, seededRandom, VirtualClock } from '../../src/kernel/index.ts';
import { flatPosition } from '../../src/ledger/index.ts';
import {
  type ContextSources,
  createContext,
  StrategyError,
  type StrategyRefusal,
} from '../../src/strategy/index.ts';
import { makeMarket, makeOpen } from '../domain/fixture.ts';

const time = 0;
const market = 'btc_usdt';

function contextOf() {
  const bus = new Bus<TradingEvent>();
  const clock = new VirtualClock(5);
  const live: LiveOrder[] = [];
  const log = (): void => {};
  let balance: Balance | undefined;
  const refusals = new Subject<StrategyRefusal>();
  const position = flatPosition(market);
  const sources = {
    bus,
    clock,
    streams: { candles: () => bus.on('candle', market) },
    orders: { liveOf: () => live },
    balances: { get: () => balance },
    positions: { position: () => position },
    freshness: () => [{ kind: 'freshness', time, market, stream: 'depth', fresh: true, ageMs: 0 }],
  } as unknown as ContextSources;
  const markets = [makeMarket(), makeMarket({ id: 'eth_usdt', base: 'eth' })];
  const identity = {
    name: 'maker',
    params: { a: 1 },
    markets,
    random: seededRandom(1),
    refusals,
    log,
  };
  return {
    ...{ bus, live, position, refusals, context: createContext(sources, identity) },
    setBalance: (next: Balance) => {
      balance = next;
    },
  };
}

describe('createContext', () => {
  it('shows name, parameters, markets and time', () => {
    const { context } = contextOf();
    expect(context).toMatchObject({ name: 'maker', params: { a: 1 } });
    expect(context.market.id).toBe(market);
    expect(context.markets.map(({ id }) => id)).toEqual([market, 'eth_usdt']);
    expect(context.clock.now()).toBe(5);
  });

  it.each([
    'depth',
    'ticker',
    'trades',
    'position',
    'fills',
    'orders',
    'refusals',
    'freshness',
  ] as const)('lets nobody look at the %s of a market that is not its own', (look) => {
    const { context } = contextOf();
    expect(() => context[look]('xrp_eth')).toThrow(
      'Cannot look at market xrp_eth: strategy maker has btc_usdt, eth_usdt',
    );
    // As from `markets[1]` of a deployment with one market.
    expect(() => context[look](undefined)).toThrow(
      'Cannot look at a market: it is undefined, one of btc_usdt, eth_usdt is wanted',
    );
  });

  it('takes no undefined market of candles for the first', () => {
    const { context } = contextOf();
    expect(() => context.candles('1min', undefined)).toThrow('it is undefined');
  });

  it('gives positions of its own, at once and on every change', () => {
    const { bus, context, position } = contextOf();
    const seen: Position[] = [];
    context.position().subscribe((one) => seen.push(one));
    const changed = { ...position, amount: Decimal.of(1) };
    bus.publish({ kind: 'position', time, market, strategy: 'other', position: changed });
    bus.publish({ kind: 'position', time, market, strategy: 'maker', position: changed });
    expect(seen).toEqual([position, changed]);
  });

  it('gives the list of its live orders, at once and whenever one of its own changes', () => {
    const { bus, live, context } = contextOf();
    const seen: number[] = [];
    context.orders().subscribe((orders) => seen.push(orders.length));
    const order = makeOpen();
    live.push(order);
    bus.publish({ kind: 'order', time, market, order: { ...order, strategy: 'other' } });
    bus.publish({ kind: 'order', time, market, order });
    expect(seen).toEqual([0, 1]);
  });

  it('gives refusals of the market asked for', () => {
    const { context, refusals } = contextOf();
    const seen: string[] = [];
    context.refusals().subscribe(({ code }) => seen.push(code));
    const refusal = {
      by: 'risk',
      code: 'balance',
      limit: '',
      observed: '',
      scope: 'order',
    } as const;
    refusals.next({ ...refusal, market: 'eth_usdt', time });
    refusals.next({ ...refusal, code: 'collar', market, time });
    expect(seen).toEqual(['collar']);
  });
});

describe('createContext, of candles,', () => {
  it('lets nobody look at candles of a length that there is not', () => {
    const { context } = contextOf();
    expect(() => context.candles('5m' as '5min')).toThrow(
      /^Cannot look at candles of "5m": one of 1min, .*5min, .* is wanted$/,
    );
  });

  it('gives each candle once, though the venue or a late trade revises it', () => {
    const { bus, context } = contextOf();
    const seen: [openTime: number, close: number][] = [];
    context.candles('1min').subscribe(({ openTime, close }) => seen.push([openTime, close]));
    const publish = (openTime: number, close: number) => {
      const prices = { open: 1, high: 2, low: 1, close, volume: 1 };
      const times = { openTime, exchangeTime: time, receivedTime: time };
      bus.publish({ kind: 'candle', market, interval: '1min', closed: true, ...prices, ...times });
    };
    publish(0, 1);
    publish(0, 2);
    publish(60_000, 1);
    publish(0, 1);
    expect(seen).toEqual([
      [0, 1],
      [60_000, 1],
    ]);
  });
});

describe('createContext, of what is not its own doing,', () => {
  it.each([
    ['USDT', 'usdt'],
    [{ id: 'btc_usdt' }, 'a name such as usdt'],
  ])('lets nobody look at a balance that no account has: %j', (currency, wanted) => {
    const { context } = contextOf();
    const shown = JSON.stringify(currency);
    expect(() => context.balance(currency as string)).toThrow(
      new StrategyError(`Cannot look at the balance of ${shown}: ${wanted} is wanted`),
    );
  });

  it('gives a balance, zero until it is known', () => {
    const { bus, context, setBalance } = contextOf();
    const seen: string[] = [];
    context.balance('btc').subscribe(({ available }) => seen.push(available.toString()));
    const btc = { currency: 'btc', available: Decimal.of(2), frozen: Decimal.ZERO };
    setBalance(btc);
    bus.publish({ kind: 'balance', time, balances: [{ ...btc, currency: 'usdt' }] });
    bus.publish({ kind: 'balance', time, balances: [btc] });
    expect(seen).toEqual(['0', '2']);
  });

  it('gives freshness, the present one first', () => {
    const { bus, context } = contextOf();
    const seen: boolean[] = [];
    context.freshness().subscribe(({ fresh }) => seen.push(fresh));
    bus.publish({ kind: 'freshness', time, market, stream: 'depth', fresh: false, ageMs: 9 });
    expect(seen).toEqual([true, false]);
  });
});
