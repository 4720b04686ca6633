import { describe, expect, it } from 'vitest';
import type { Amount, Intent, Price } from '../../src/domain/index.ts';
import { CODES, ExchangeFailure, type PlaceRequest } from '../../src/exchange/index.ts';
import { MINUTE_MS, VirtualClock } from '../../src/kernel/index.ts';
import { makePending } from '../domain/fixture.ts';
import { keptLines } from '../kernel/fixture.ts';
import { ExchangeModel } from './exchange-model.ts';
import { type Bench, createBench, killed, MARKET, quotes, restarted, target } from './fixture.ts';

const FOREIGN: PlaceRequest = {
  ...{ market: MARKET.id, side: 'buy', type: 'limit' },
  ...{ price: 80 as Price, amount: 1 as Amount },
};

/** A process that was killed with two quotes, and the one started after it. */
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
  second.restore({ orders, requestTimes });
  return { clock, model, first, second };
}

const statuses = (bench: Bench) => bench.live().map(({ status }) => status);

describe('Executor.restore', () => {
  it('counts what was left as unknown, arms and reads before it places', () => {
    const { clock, model, second } = restart();
    expect(statuses(second)).toEqual(['unknown', 'unknown']);
    second.executor.reconcile('start');
    second.wish(quotes([100, 98]));
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
    const { clock, executor, model, restore } = createBench();
    const requestTimes = Array.from({ length: 100 }, () => clock.now() - 1);
    restore({ requestTimes });
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
    second.wish(quotes([100]));
    clock.advanceBy(10_000);
    expect(model.open.map(({ clientOrderId }) => clientOrderId?.slice(0, 6))).toEqual(['second']);
    expect(statuses(second)).toEqual(['open']);
  });

  it('takes over the window of the rate budget', () => {
    const { second } = restart({ downMs: 500 });
    expect(second.executor.usage().lastMinute).toBeGreaterThanOrEqual(3);
  });
});

describe('Executor.restore, where answers come within the work that asks', () => {
  it('places at once behind the reading of what was left', () => {
    const { clock, model, second } = restart();
    model.fate = () => ({ thereMs: 0, backMs: 0 });
    second.executor.reconcile('start');
    second.wish(quotes([98]));
    clock.advanceBy(5_000);
    const [read, placed] = [model.of('orders').at(-1)!, model.of('place').at(-1)!];
    expect(placed.sentMs).toBe(read.sentMs);
  });
});

describe('Executor.restore, of a strategy that was taken out', () => {
  it('cancels at once what nobody may wish for any more', () => {
    const { clock, model, orders, shared } = killed();
    const second = createBench({ ...shared, idPrefix: 'second' });
    second.restore({ orders, isOwned: ({ price }) => price === 99 });
    second.executor.reconcile('start');
    clock.advanceBy(2_000);
    expect(model.open.map(({ record }) => Number(record.price))).toEqual([99]);
  });
});

describe('Executor.restore, of orders by their tags', () => {
  const byTag = (tag: string, price: number): Intent => ({
    ...{ kind: 'order', market: MARKET.id, tag, side: 'buy', type: 'limit' },
    ...{ price: price as Price, amount: 1 as Amount },
  });

  /** A process killed with two single orders and a quote, and started again with these wishes. */
  function wishing(...wishes: Intent[]): { open: (number | string)[][]; places: number } {
    const clock = new VirtualClock(1_700_000_000_000);
    const model = new ExchangeModel(clock, { markets: [MARKET] });
    const shared = { clock, model, markets: [MARKET] };
    const first = createBench({ ...shared, idPrefix: 'first' });
    for (const wish of [quotes([98]), byTag('a', 100), byTag('b', 99)]) first.wish(wish);
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
    ['beside quotes', [quotes([96])], [a, b, ['quotes/bid/0', 96]], 1],
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
    const bench = createBench({ clock, model, markets: [MARKET], idPrefix: 'second' });
    const { executor, restore } = bench;
    const requestTimes = Array.from({ length: 40 }, () => clock.now() - 1);
    restore({ orders, requestTimes });
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
    const { restore } = createBench({ logger });
    restore({ orders: [makePending({ market: 'eth_btc' })] });
    expect(told).toEqual([
      'buy 1 in eth_btc at 100 by maker may still rest: an earlier run left it, and this deployment ' +
        'does not trade that market, so nobody looks after it',
    ]);
  });
});

/** A restarted process with a lost order of a batch, and a person's word on it. */
function settled(exchangeOrderIdOf: (model: ExchangeModel) => string) {
  const clock = new VirtualClock(1_700_000_000_000);
  const model = new ExchangeModel(clock, { markets: [MARKET] });
  const shared = { clock, model, markets: [MARKET], config: { batch: true } };
  const first = createBench({ ...shared, idPrefix: 'first' });
  model.pushDelayMs = undefined;
  model.fate = (operation) => (operation === 'placeBatch' ? { loss: 'silent' } : {});
  first.wish(quotes([100, 99], [], { postOnly: false }));
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
  second.restore({ orders: [order] });
  second.executor.reconcile('start');
  clock.advanceBy(60_000);
  return { second, warnings, after: second.state(order.clientOrderId) };
}

describe('Executor.restore, an order whose id a person has told', () => {
  it('is read by that id, with what it traded', () => {
    const { second, after } = settled((model) => model.orders[0]!.record.exchangeOrderId);
    expect(after).toMatchObject({ status: 'cancelled', filledAmount: 0.5, evidence: 'query' });
    expect(second.held()).toBe(0.5);
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
    expect(told).toEqual([
      expect.stringMatching(/or has with other terms: its outcome stays unknown/),
    ]);
  });

  it('leaves the order of other terms alone that a wrong id names, whatever is wished', () => {
    const { second } = settled((model) => model.orders[1]!.record.exchangeOrderId);
    const { model } = second;
    model.fill(model.orders[1]!, 0.5);
    second.wish(quotes([98], [], { postOnly: false }));
    second.clock.advanceBy(60_000);
    expect(model.of('cancel')).toHaveLength(0);
    expect(second.held()).toBe(0);
  });

  it('has its market trade on where nobody knows the id, and says so once', () => {
    const { second, warnings } = settled(() => '4711');
    // The order in doubt keeps the first place.
    second.wish(quotes([98, 97], [], { postOnly: false }));
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
