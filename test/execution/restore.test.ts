import { describe, expect, it } from 'vitest';
import type { Amount, Intent, LiveOrder, Price } from '../../src/domain/index.ts';
import { CODES, ExchangeFailure, type PlaceRequest } from '../../src/exchange/index.ts';
import { batchTag } from '../../src/execution/desk/tags.ts';
import type { StopReport } from '../../src/execution/index.ts';
import { type Logger, MINUTE_MS, silentLogger, VirtualClock } from '../../src/kernel/index.ts';
import { ADOPTED } from '../../src/ledger/index.ts';
import { makePending } from '../domain/fixture.ts';
import { keptLines } from '../kernel/fixture.ts';
import { ExchangeModel, type Fate, type Operation } from './exchange-model.ts';
import {
  type Bench,
  createBench,
  MARKET,
  quotes,
  restarted,
  SECOND_MARKET,
  target,
} from './fixture.ts';

const FOREIGN: PlaceRequest = {
  ...{ market: MARKET.id, side: 'buy', type: 'limit' },
  ...{ price: 80 as Price, amount: 1 as Amount },
};

/** A process that was killed with two quotes. */
function killed() {
  const clock = new VirtualClock(1_700_000_000_000);
  const model = new ExchangeModel(clock, { markets: [MARKET] });
  model.pushDelayMs = undefined;
  const shared = { clock, model, markets: [MARKET] };
  const first = createBench({ ...shared, idPrefix: 'first' });
  first.wish(
    quotes([
      [100, 1],
      [99, 1],
    ]),
  );
  clock.advanceBy(50);
  const orders = first.live();
  const requestTimes = first.ofKind('request').map(({ time }) => time);
  first.kill();
  return { clock, model, first, orders, requestTimes, shared };
}

/** The same, and the one started after it. */
function restart(
  options: {
    readonly between?: (model: ExchangeModel) => void;
    readonly downMs?: number;
    readonly config?: Record<string, unknown>;
  } = {},
) {
  const { between = () => {}, downMs = 5_000, config = {} } = options;
  const { clock, model, first, orders, requestTimes, shared } = killed();
  between(model);
  clock.advanceBy(downMs);
  const second = createBench({ ...shared, idPrefix: 'second', config });
  second.executor.restore({ orders, requestTimes });
  return { clock, model, first, second };
}

const statuses = (bench: Bench) => bench.live().map(({ status }) => status);

describe('Executor.restore', () => {
  it('counts what was left as unknown, arms and reads before it places', () => {
    const { clock, model, second } = restart();
    expect(statuses(second)).toEqual(['unknown', 'unknown']);
    second.executor.reconcile('start');
    second.wish(
      quotes([
        [100, 1],
        [98, 1],
      ]),
    );
    clock.advanceBy(1_000);
    expect(model.of('place')).toHaveLength(2);
    clock.advanceBy(5_000);
    expect(statuses(second)).toEqual(['open', 'open']);
    expect(model.open.map(({ record }) => Number(record.price)).sort()).toEqual([100, 98]);
    expect(model.open.map(({ clientOrderId }) => clientOrderId?.slice(0, 5)).sort()).toEqual([
      'first',
      'secon',
    ]);
  });

  it('reads the account when what an earlier run sent leaves room', () => {
    const { clock, executor, model } = createBench();
    const requestTimes = Array.from({ length: 100 }, () => clock.now() - 1);
    executor.restore({ orders: [], requestTimes });
    executor.readAccount().subscribe();
    clock.advanceBy(1_004);
    expect(model.of('account')).toHaveLength(0);
    clock.advanceBy(1);
    expect(model.of('account')).toHaveLength(1);
  });

  it('learns what filled meanwhile', () => {
    const { clock, second } = restart({ between: (model) => model.fill(model.orders[0]!) });
    second.executor.reconcile('start');
    clock.advanceBy(5_000);
    expect(second.ofKind('fill').map(({ fill }) => [fill.strategy, fill.amount])).toEqual([
      ['maker', 1],
    ]);
    expect(statuses(second)).toEqual(['open']);
  });

  it('lets an order rest for a while, then cancels it when its strategy wishes nothing', () => {
    const { clock, model, second } = restart({ config: { restoredGraceMs: 20_000 } });
    second.executor.reconcile('start');
    clock.advanceBy(19_900);
    expect(model.open).toHaveLength(2);
    clock.advanceBy(200);
    expect(model.open).toEqual([]);
    expect(second.live()).toEqual([]);
  });

  it('finds that the timed cancel fired while nobody was there', () => {
    const { clock, model, second } = restart({ downMs: 90_000 });
    second.executor.reconcile('start');
    second.wish(quotes([[100, 1]]));
    clock.advanceBy(10_000);
    expect(model.open.map(({ clientOrderId }) => clientOrderId?.slice(0, 6))).toEqual(['second']);
    expect(statuses(second)).toEqual(['open']);
  });

  it('takes over the window of the rate budget', () => {
    const { second } = restart({ downMs: 500 });
    expect(second.executor.usage().lastMinute).toBeGreaterThanOrEqual(3);
  });
});

describe('Executor.restore, of a strategy that was taken out', () => {
  it('cancels at once what nobody may wish for any more', () => {
    const { clock, model, orders, shared } = killed();
    const second = createBench({ ...shared, idPrefix: 'second' });
    second.executor.restore({ orders, requestTimes: [], isOwned: ({ price }) => price === 99 });
    second.executor.reconcile('start');
    clock.advanceBy(2_000);
    expect(model.open.map(({ record }) => Number(record.price))).toEqual([99]);
  });
});

const NOT_FOUND = new ExchangeFailure('rejected', 'Cannot find the order', {
  code: CODES.orderNotFound,
});

interface Leaving {
  /** Of the requests of the run after it. Default: all is well. */
  readonly fate?: (operation: Operation, model: ExchangeModel) => Fate;
  readonly downMs?: number;
  readonly stopTimeoutMs?: number;
  /** Whether it is stopped at once. Default: true. */
  readonly stops?: boolean;
  /** What the journal has of the orders. Default: all that there is. */
  readonly journal?: (left: readonly LiveOrder[]) => readonly LiveOrder[];
}

/** Killed with two quotes in a market that the next run does not trade. */
function leaving(options: Leaving = {}) {
  const { fate = () => ({}), downMs = 5_000, stops = true, journal = (left) => left } = options;
  const { stopTimeoutMs = 30_000 } = options;
  const { clock, model, orders, requestTimes, shared } = killed();
  model.fill(model.orders[0]!, 0.5);
  model.fate = (operation) => fate(operation, model);
  clock.advanceBy(downMs);
  const told: string[] = [];
  const tell = (_: object, what?: string) => told.push(what!);
  const logger = { ...silentLogger, warn: tell, error: tell } as unknown as Logger;
  const config = { stopTimeoutMs, foreignOrders: 'adopt' } as const;
  const second = createBench({ ...shared, markets: [SECOND_MARKET], logger, config });
  second.executor.restore({ orders: journal(orders), requestTimes });
  const reports: StopReport[] = [];
  if (!stops) second.executor.reconcile('start');
  else second.executor.stop().subscribe((report) => reports.push(report));
  const advance = (untilMs: number) => {
    clock.advanceBy(untilMs);
    return reports[0];
  };
  return { advance, model, second, told, orders };
}

describe('Executor.restore, in a market that is not traded any more', () => {
  it('cancels what may rest, and is stopped once that is seen', () => {
    const { advance, model, told } = leaving();
    expect(advance(1_000)).toBeUndefined();
    expect(model.open).toEqual([]);
    expect(advance(9_000)).toMatchObject({ verified: true, remaining: [] });
    expect(told.slice(2)).toEqual([
      'buy 1 in btc_usdt at 100 by maker, which an earlier run left, is over, 0.5 of it filled: see what is held there',
      'buy 1 in btc_usdt at 99 by maker, which an earlier run left, is over',
    ]);
    expect(model.of('place')).toHaveLength(2);
  });

  it('cancels it too where nothing is stopped', () => {
    const { advance, model } = leaving({ stops: false });
    advance(1_000);
    expect(model.open).toEqual([]);
  });

  it.each<[string, Partial<LiveOrder>]>([
    ['a person has there', { strategy: ADOPTED }],
    ['a person told the id of', { evidence: 'person' }],
  ])('leaves alone what %s', (_, change) => {
    const { advance, model } = leaving({
      journal: ([bid]) => [{ ...bid!, ...change } as LiveOrder],
    });
    expect(advance(1_000)).toMatchObject({ verified: true, remaining: [] });
    expect(model.open).toHaveLength(2);
  });

  it('looks at what was left a moment ago by a date that was ahead', () => {
    const { advance } = leaving({
      journal: ([bid]) => [{ ...bid!, changedTime: 2_000_000_000_000 } as LiveOrder],
      fate: () => ({ loss: 'lost' }),
    });
    const report = advance(40_000);
    expect(report?.remaining).toHaveLength(1);
    expect(report?.lapseAtMs).toBe(1_700_000_065_050);
  });

  it.each<[string, Operation]>([
    ['no cancel gets through', 'cancel'],
    ['no lookup is answered', 'order'],
  ])('verifies nothing where %s, and names it', (_, lost) => {
    const { advance, orders, model } = leaving({
      fate: (operation) => (operation === lost ? { loss: 'lost' } : {}),
    });
    const report = advance(40_000);
    expect(report).toMatchObject({ verified: false });
    expect(report?.remaining.map(({ clientOrderId }) => clientOrderId)).toEqual(
      orders.map(({ clientOrderId }) => clientOrderId),
    );
    expect(report?.lapseAtMs).toBeGreaterThan(model.of('cancelAllAfter').at(-1)!.sentMs + 59_000);
  });

  it('leaves what the timed cancel has taken away long ago', () => {
    const { advance, model, told } = leaving({ downMs: 90_000 });
    expect(advance(0)).toMatchObject({ verified: true, remaining: [] });
    expect(model.of('cancel')).toEqual([]);
    expect(told[0]).toMatch(/does not trade that market, so nobody looks after it$/);
  });
});

describe('Executor.restore, in a market that is not traded any more, what is not found', () => {
  it.each<[string, Leaving, string, readonly number[]]>([
    [
      'the timed cancel must have fired, though nobody says so',
      { fate: (operation) => (operation === 'order' ? { loss: 'lost' } : {}) },
      'is taken for gone',
      [50_000, 15_000],
    ],
    [
      'a request whose answer was lost cannot arrive any more',
      { journal: () => [makePending({ createdTime: 1_700_000_000_000 })] },
      'is not there any more',
      [115_000, 30_000],
    ],
  ])('counts as gone once %s', (_what, options, fate, [before, after]) => {
    const { advance, told } = leaving({ ...options, stopTimeoutMs: 200_000 });
    expect(advance(before!)).toBeUndefined();
    expect(advance(after!)).toMatchObject({ verified: true, remaining: [] });
    expect(told.at(-1)?.endsWith(fate)).toBe(true);
  });

  it('is not said to be taken away by a timed cancel that has fired already', () => {
    const { advance } = leaving({
      journal: () => [makePending()],
      fate: () => ({ loss: 'lost' }),
      downMs: 70_000,
    });
    const report = advance(31_000);
    expect(report?.remaining).toHaveLength(1);
    expect(report?.lapseAtMs).toBeUndefined();
  });

  it('is not taken for gone once it was seen at rest behind its timed cancel', () => {
    let lookups = 0;
    const { advance, model, told } = leaving({
      fate: (operation) => {
        if (operation === 'order' && ++lookups > 1) return { loss: 'lost' };
        return operation === 'cancel' ? { loss: 'lost' } : {};
      },
      journal: ([bid]) => [bid!],
      stops: false,
    });
    advance(80_000);
    expect(model.of('order').length).toBeGreaterThan(5);
    expect(told.filter((text) => text.includes('gone'))).toEqual([]);
  });

  it('is told of once, though an answer came late', () => {
    const { advance, model, told } = leaving({
      fate: (operation, exchange) =>
        operation === 'order' && exchange.of('order').length < 1 ? { backMs: 20_000 } : {},
      journal: ([bid]) => [bid!],
      stops: false,
    });
    model.end(model.orders[0]!);
    advance(60_000);
    expect(told.filter((text) => text.includes('is over'))).toHaveLength(1);
  });

  it('is looked up by the id that it was answered alone where it left without one of ours', () => {
    const { advance, model } = leaving({
      journal: ([bid]) => [{ ...bid!, tag: batchTag(bid!.tag, undefined) } as LiveOrder],
      fate: (operation) => (operation === 'order' ? { refusal: NOT_FOUND } : {}),
    });
    expect(advance(30_000)).toMatchObject({ verified: true });
    expect(model.of('order').length).toBeGreaterThan(3);
    expect(model.of('order').filter(({ what }) => 'clientOrderId' in (what as object))).toEqual([]);
  });

  it('takes none for gone that one lookup does not find', () => {
    const { advance, model } = leaving({
      fate: (operation, exchange) =>
        operation === 'order' && exchange.of('order').length < 2 ? { refusal: NOT_FOUND } : {},
    });
    expect(advance(30_000)).toMatchObject({ verified: true });
    expect(model.open).toEqual([]);
  });

  it('is stopped once enough lookups have found nothing of it', () => {
    const { advance, model } = leaving({
      journal: ([bid]) => [{ ...bid!, price: 77 as Price } as LiveOrder],
    });
    expect(advance(19_000)).toBeUndefined();
    expect(advance(10_000)).toMatchObject({ verified: true });
    expect(model.of('cancel')).toEqual([]);
  });

  it("finds by our id what was answered an id that is nobody's", () => {
    const { advance, model } = leaving({
      journal: ([bid]) => [{ ...bid!, exchangeOrderId: '1' } as LiveOrder],
    });
    expect(advance(10_000)).toMatchObject({ verified: true });
    expect(model.open).toHaveLength(1);
  });

  it('cancels none that another order has the id of', () => {
    const { advance, model, orders } = leaving({
      journal: ([bid, other]) => [
        { ...bid!, exchangeOrderId: other!.exchangeOrderId! } as LiveOrder,
      ],
    });
    expect(advance(10_000)).toMatchObject({ verified: true });
    expect(model.open.map(({ clientOrderId }) => clientOrderId)).toEqual([
      orders[1]!.clientOrderId,
    ]);
  });
});

describe('Executor.restore, of orders by their tags', () => {
  const byTag = (tag: string, price: number): Intent => ({
    ...{ kind: 'order', market: MARKET.id, tag, side: 'buy', type: 'limit' },
    ...{ price: price as Price, amount: 1 as Amount },
  });

  /** Killed with two orders by tags and a quote, and started again; what is asked for then. */
  function wishing(...wishes: Intent[]): { open: (number | string)[][]; places: number } {
    const clock = new VirtualClock(1_700_000_000_000);
    const model = new ExchangeModel(clock, { markets: [MARKET] });
    const shared = { clock, model, markets: [MARKET] };
    const first = createBench({ ...shared, idPrefix: 'first' });
    for (const wish of [quotes([[98, 1]]), byTag('a', 100), byTag('b', 99)]) first.wish(wish);
    clock.advanceBy(50);
    const orders = first.live();
    first.kill();
    const placed = model.of('place').length;
    const second = restarted(orders, shared);
    clock.advanceBy(5_000);
    for (const wish of wishes) {
      second.wish(wish);
      clock.advanceBy(1_000);
    }
    const open = second.live().map(({ tag, price }) => [tag, price]);
    return { open, places: model.of('place').length - placed };
  }

  const [a, b, quote] = [
    ['a', 100],
    ['b', 99],
    ['quotes/bid/0', 98],
  ] as const;

  const takeBack: Intent = { kind: 'cancel', market: MARKET.id, tag: 'a' };

  it.each<[string, Intent[], readonly (readonly (string | number)[])[], number]>([
    ['wished again, one after the other', [byTag('a', 100), byTag('b', 99)], [quote, a, b], 0],
    ['wished at another price', [byTag('a', 97)], [quote, b, ['a', 97]], 1],
    ['taken back', [takeBack], [quote, b], 0],
    ['wished again, then taken back', [byTag('a', 100), takeBack], [quote, b], 0],
    ['beside quotes', [quotes([[96, 1]])], [a, b, ['quotes/bid/0', 96]], 1],
    ['beside a target', [target(0)], [], 0],
  ])('lets each rest until it is asked for or a target is: %s', (_, wishes, left, placed) => {
    const { open, places } = wishing(...wishes);
    expect(open).toEqual(left);
    expect(places).toBe(placed);
  });
});

describe('Executor.withdraw', () => {
  it('has what an earlier run left cancelled once its strategy is withdrawn, though it has not wished', () => {
    const { clock, model, second } = restart();
    second.executor.reconcile('start');
    clock.advanceBy(2_000);
    expect(model.open).toHaveLength(2);
    second.executor.withdraw('maker');
    clock.advanceBy(2_000);
    expect(model.open).toEqual([]);
  });
});

describe('Executor.restore, where the key is locked', () => {
  it('ends the wait for the account', () => {
    const { clock, model, orders } = killed();
    const locked = new ExchangeFailure('rejected', 'Cannot: locked', { code: CODES.locked });
    model.fate = () => ({ refusal: locked });
    const { executor } = createBench({ clock, model, markets: [MARKET], idPrefix: 'second' });
    const requestTimes = Array.from({ length: 40 }, () => clock.now() - 1);
    executor.restore({ orders, requestTimes });
    const heard: unknown[] = [];
    executor.readAccount().subscribe({ error: (failure) => heard.push(failure) });
    clock.advanceBy(1_000);
    expect(model.of('account')).toHaveLength(0);
    expect(heard).toEqual([locked]);
  });
});

describe('Executor.restore, what people read of it', () => {
  it('calls the reading of what was left no lapse', () => {
    const { clock, second } = restart();
    second.executor.reconcile('start');
    clock.advanceBy(5_000);
    const reasons = second.ofKind('reconciliation').map(({ reason }) => reason);
    expect(reasons).toEqual(['start', 'left by an earlier run']);
    expect(second.ofKind('lapse')).toEqual([]);
  });

  it('tells the terms of an order that was left where nothing is traded now', () => {
    const { lines: told, logger } = keptLines('error');
    const { executor } = createBench({ logger });
    executor.restore({ orders: [makePending({ market: 'eth_btc' })], requestTimes: [] });
    expect(told).toEqual([
      'buy 1 in eth_btc at 100 by maker may still rest: an earlier run left it, and this deployment ' +
        'does not trade that market, so nobody looks after it',
    ]);
  });
});

/** A process that was started anew with a lost order of a batch, and with that word of it. */
function settled(exchangeOrderIdOf: (model: ExchangeModel) => string) {
  const clock = new VirtualClock(1_700_000_000_000);
  const model = new ExchangeModel(clock, { markets: [MARKET] });
  const shared = { clock, model, markets: [MARKET], config: { batch: true } };
  const first = createBench({ ...shared, idPrefix: 'first' });
  model.pushDelayMs = undefined;
  model.fate = (operation) => (operation === 'placeBatch' ? { loss: 'silent' } : {});
  const bids = [100, 99].map((price) => [price, 1] as const);
  first.wish(quotes(bids, [], { postOnly: false }));
  clock.advanceBy(50);
  const [lost] = first.live();
  first.kill();
  model.fill(model.orders[0]!, 0.5);
  model.end(model.orders[0]!);
  const { lines: warnings, logger } = keptLines();
  const second = createBench({ ...shared, idPrefix: 'second', logger });
  const word = {
    status: 'unknown',
    evidence: 'person',
    reason: 'told',
    unknownSince: 0,
  } as const;
  const order = { ...lost!, ...word, exchangeOrderId: exchangeOrderIdOf(model) };
  second.executor.restore({ orders: [order], requestTimes: [] });
  second.executor.reconcile('start');
  clock.advanceBy(60_000);
  return { second, warnings, after: second.state(order.clientOrderId) };
}

describe('Executor.restore, an order whose id a person has told', () => {
  it('is read by that id, with what it traded', () => {
    const { second, after } = settled((model) => model.orders[0]!.record.exchangeOrderId);
    expect(after).toMatchObject({ status: 'cancelled', filledAmount: 0.5, evidence: 'query' });
    expect(second.positions.position(MARKET.id).amount.toString()).toBe('0.5');
  });

  it.each([
    ['the exchange does not know', () => '4711'],
    [
      'is of an order of other terms',
      (model: ExchangeModel) => model.orders[1]!.record.exchangeOrderId,
    ],
  ])('stays unknown where that id %s', (_what, id) => {
    const { second, after, warnings } = settled(id);
    expect(after).toMatchObject({ status: 'unknown', evidence: 'person' });
    expect(second.model.of('order').length).toBeGreaterThan(3);
    expect(second.model.of('order').length).toBeLessThan(8);
    // Ever less often, up to every five minutes.
    second.clock.advanceBy(30 * MINUTE_MS);
    const times = second.model.of('order').map(({ sentMs }) => sentMs);
    const pauses = times.map((time, at) => time - (times[at - 1] ?? time));
    expect(pauses.at(-1)).toBeGreaterThanOrEqual(5 * MINUTE_MS);
    expect(pauses.at(-1)).toBeLessThan(5.2 * MINUTE_MS);
    const told = warnings.filter((text) => text.includes('was settled to be'));
    expect(told).toEqual([expect.stringMatching(/or has with other terms: it stays unknown/)]);
  });

  it('leaves the order of other terms alone that a wrong id names, whatever is wished', () => {
    const { second } = settled((model) => model.orders[1]!.record.exchangeOrderId);
    const { model } = second;
    model.fill(model.orders[1]!, 0.5);
    second.wish(quotes([[98, 1]], [], { postOnly: false }));
    second.clock.advanceBy(60_000);
    expect(model.of('cancel')).toHaveLength(0);
    expect(second.positions.position(MARKET.id).amount.toString()).toBe('0');
  });

  it('has its market trade on where nobody knows the id, and says so once', () => {
    const { second, warnings } = settled(() => '4711');
    // The order in doubt keeps the first place.
    const bids = [98, 97].map((price) => [price, 1] as const);
    second.wish(quotes(bids, [], { postOnly: false }));
    second.clock.advanceBy(60_000);
    expect(second.model.of('place')).toHaveLength(1);
    expect(warnings.filter((text) => text.includes('was settled to be 4711'))).toHaveLength(1);
  });
});

describe('Executor.restore, an order that an earlier run adopted', () => {
  it.each([
    ['ignore', [], 0, []],
    ['adopt', ['adopted'], 0, [0.5]],
    ['cancel', [], 1, [0.5]],
  ] as const)(
    'is a stranger again where these are left alone, else what it filled is booked: %s',
    (foreignOrders, ours, cancels, booked) => {
      const clock = new VirtualClock(1_700_000_000_000);
      const model = new ExchangeModel(clock, { markets: [MARKET] });
      const shared = { clock, model, markets: [MARKET] };
      const first = createBench({ ...shared, config: { foreignOrders: 'adopt' } });
      model.placeForeign(FOREIGN);
      first.executor.reconcile('start');
      clock.advanceBy(5_000);
      const orders = first.live();
      expect(orders).toMatchObject([{ strategy: 'adopted' }]);
      first.kill();
      model.fill(model.orders[0]!, 0.5);
      const second = restarted(orders, { ...shared, config: { foreignOrders } });
      clock.advanceBy(50_000);
      expect(second.live().map(({ strategy }) => strategy)).toEqual(ours);
      expect([model.of('cancel').length, model.open.length]).toEqual([cancels, 1 - cancels]);
      expect(second.ofKind('fill').map(({ fill }) => fill.amount)).toEqual(booked);
    },
  );
});
