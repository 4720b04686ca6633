import { describe, expect, it } from 'vitest';
import { recall } from '../../../src/app/past/recall.ts';
import type { OrderState, TradingEvent } from '../../../src/domain/index.ts';
import { DAY_MS, Decimal, MINUTE_MS } from '../../../src/kernel/index.ts';
import { fillEvent, makeFill, makeOpen, makePending } from '../../domain/fixture.ts';
import { orderEvent, START_MS } from '../../storage/events.ts';
import { changed, killedRun, scratchPath, writtenRun } from '../../storage/fixture.ts';

/** A journal with one run for each list of events. */
function journalOf(...runs: readonly (readonly TradingEvent[])[]): string {
  const path = scratchPath();
  for (const events of runs) writtenRun(events, { path, each: 1 });
  return path;
}

function fillOf(exchangeOrderId: string): TradingEvent {
  const fee = Decimal.of('0.001');
  return fillEvent(makeFill({ exchangeOrderId, amount: 0.5, fee, time: START_MS }));
}

function stateOf(state: 'ACTIVE' | 'HALTED', reason: string): TradingEvent {
  return { kind: 'tradingState', time: START_MS, state, reason };
}

describe('recall', () => {
  it('names the file of which nobody can tell any more what was held', () => {
    const path = journalOf([fillOf('1')]);
    changed(path, 'INSERT INTO snapshots VALUES (1, 1, 1, 0, \'{"markets";[]}\')');
    expect(() => recall(path, START_MS)).toThrow(
      expect.objectContaining({
        name: 'StorageError',
        message: expect.stringContaining(`Cannot read the journal ${path}: `),
      }),
    );
  });

  it('gives the fills of all runs in their order, exact', () => {
    const past = recall(journalOf([fillOf('1'), fillOf('2')], [fillOf('3')]), START_MS);
    const fee = Decimal.of('0.001');
    const told = ['1', '2', '3'].map((exchangeOrderId) => ({ exchangeOrderId, fee }));
    expect(past.bookings).toMatchObject(told);
  });

  it('gives the newest trading state of any run', () => {
    const path = journalOf([stateOf('HALTED', 'lost')], [stateOf('ACTIVE', 'reset')], []);
    expect(recall(path, START_MS).trading).toEqual({ state: 'ACTIVE', reason: 'reset' });
    expect(recall(journalOf([stateOf('HALTED', 'lost')], []), START_MS).trading).toEqual({
      state: 'HALTED',
      reason: 'lost',
    });
  });

  it('gives the ids of orders that have ended since ten minutes before the oldest that lives', () => {
    const ended = (minutesAgo: number): TradingEvent => {
      const time = START_MS - minutesAgo * MINUTE_MS;
      const { filledAmount, exchangeOrderId, ...open } = makeOpen({
        ...{ clientOrderId: `tw${minutesAgo}`, exchangeOrderId: `${minutesAgo}` },
      });
      const order = { ...open, exchangeOrderId, filledAmount, status: 'cancelled' } as const;
      return { kind: 'order', time, market: 'btc_usdt', order };
    };
    const lives = makeOpen({ createdTime: START_MS - 20 * MINUTE_MS });
    const live: TradingEvent = { kind: 'order', time: START_MS, market: 'btc_usdt', order: lives };
    const path = journalOf([ended(40)], [ended(29)], [ended(9)]);
    expect(recall(path, START_MS).endedOrderIds).toEqual(['9']);
    const other = journalOf([ended(40)], [ended(29)], [ended(9), live]);
    expect(recall(other, START_MS).endedOrderIds).toEqual(['9', '29']);
  });

  it('gives the orders whose story was not over', () => {
    const order = makeOpen();
    const event: TradingEvent = { kind: 'order', time: START_MS, market: 'btc_usdt', order };
    expect(recall(journalOf([event]), START_MS).liveOrders).toMatchObject([
      { clientOrderId: order.clientOrderId, status: 'open' },
    ]);
  });
});

describe('recall, of the orders that left last,', () => {
  const left = (clientOrderId: string, secondsAgo: number): TradingEvent => {
    const time = START_MS - secondsAgo * 1_000;
    const order = makePending({ clientOrderId, createdTime: time, changedTime: time });
    return { kind: 'order', time, market: 'btc_usdt', order };
  };
  const over = (clientOrderId: string, secondsAgo: number): TradingEvent => {
    const time = START_MS - secondsAgo * 1_000;
    const order = { ...makeOpen({ clientOrderId }), status: 'cancelled', changedTime: time };
    return { kind: 'order', time, market: 'btc_usdt', order: order as OrderState };
  };
  const requestOf = (secondsAgo: number): TradingEvent => ({
    ...{ kind: 'request', time: START_MS - secondsAgo * 1_000, market: 'btc_usdt' },
    ...{ operation: 'place', waitedMs: 0 },
  });
  const quiet = (fromSecondsAgo: number, toSecondsAgo: number): readonly TradingEvent[] => {
    const events: TradingEvent[] = [];
    for (let ago = fromSecondsAgo; ago >= toSecondsAgo; ago -= 30) events.push(requestOf(ago));
    return events;
  };
  const idsIn = (path: string, nowMs = START_MS) =>
    recall(path, nowMs).recentOrders.map(({ clientOrderId }) => clientOrderId);

  it('gives those of the last three minutes of all runs, as they left', () => {
    const order = makeOpen({ clientOrderId: 'tw2' });
    const opened: TradingEvent = {
      kind: 'order',
      time: START_MS - 630_000,
      market: 'btc_usdt',
      order,
    };
    const path = journalOf(
      [left('tw1', 900), over('tw1', 899), ...quiet(890, 720), left('tw2', 701), requestOf(700)],
      [opened, left('tw3', 601), requestOf(600)],
    );
    expect(recall(path, START_MS).recentOrders).toMatchObject([
      { clientOrderId: 'tw2', status: 'pending', createdTime: START_MS - 701_000 },
      { clientOrderId: 'tw3', status: 'pending' },
    ]);
    expect(idsIn(path, START_MS + 2 * DAY_MS - 601_000)).toEqual(['tw3']);
    expect(idsIn(path, START_MS + 2 * DAY_MS)).toEqual([]);
  });

  it('takes each run by its own clock: between two the date may have been set', () => {
    const before = [left('tw1', 500), over('tw1', 499), ...quiet(490, 310)];
    const killed = [...before, left('tw2', 301), over('tw2', 300)];
    const refused = [requestOf(11_000), requestOf(10_999)];
    expect(idsIn(journalOf(killed, refused))).toEqual(['tw2']);
    const next = [requestOf(60), left('tw3', 59), requestOf(58)];
    expect(idsIn(journalOf(killed, next))).toEqual(['tw2', 'tw3']);
    expect(idsIn(journalOf(killed, [requestOf(-9_000), requestOf(-9_001)]))).toEqual(['tw2']);
    expect(idsIn(journalOf(killed, quiet(200, 10)))).toEqual([]);
    expect(idsIn(journalOf([...killed, requestOf(-80_000)]))).toEqual(['tw2']);
  });

  it('leaves out whose terms an order has that was not found, until the exchange tells of it', () => {
    const order = makePending({ clientOrderId: 'tw1', createdTime: START_MS });
    const absent: OrderState = {
      ...{ ...order, status: 'rejected', reason: 'proven absent', evidence: 'query' },
    };
    const alike = { ...order, clientOrderId: 'tw2' };
    const other = makePending({ clientOrderId: 'tw3', createdTime: START_MS, side: 'sell' });
    const eventOf = (state: OrderState): TradingEvent => ({
      ...{ kind: 'order', time: START_MS, market: 'btc_usdt', order: state },
    });
    const left = [order, alike, other, absent].map(eventOf);
    const idsOf = (path: string) =>
      recall(path, START_MS).recentOrders.map(({ clientOrderId }) => clientOrderId);
    expect(idsOf(journalOf(left))).toEqual(['tw3']);
    const found = eventOf(makeOpen({ clientOrderId: 'tw1', evidence: 'push' }));
    expect(idsOf(journalOf(left, [found]))).toEqual(['tw1', 'tw2', 'tw3']);
    const refused = eventOf({ ...absent, code: 2009 });
    expect(idsOf(journalOf([order, alike, other].map(eventOf), [refused]))).toHaveLength(3);
  });
});

describe('recall, of a run that was killed before it wrote its orders,', () => {
  it('gives those that left', () => {
    const order = makePending({ createdTime: START_MS });
    const killed = killedRun([orderEvent(order)], 'commitOrders');
    expect(recall(killed, START_MS + 1).recentOrders).toEqual([order]);
    expect(recall(killed, START_MS + 3 * DAY_MS).recentOrders).toEqual([]);
  });
});

describe('recall, of the orders that ended last,', () => {
  const cancelled = (clientOrderId: string, more: Partial<OrderState> = {}): TradingEvent => {
    const { filledAmount, ...open } = makeOpen({ clientOrderId, exchangeOrderId: clientOrderId });
    const order = { ...open, filledAmount, status: 'cancelled', changedTime: START_MS, ...more };
    return { kind: 'order', time: START_MS, market: 'btc_usdt', order: order as OrderState };
  };
  const idsOf = (events: readonly TradingEvent[]) =>
    recall(journalOf(events), START_MS).endedOrders.map(({ clientOrderId }) => clientOrderId);

  it('gives those that the exchange had, as they ended', () => {
    const absent: OrderState = {
      ...{
        ...makePending({ clientOrderId: 'tw2' }),
        status: 'rejected',
        reason: 'poor',
        code: 2009,
      },
    };
    const refused: TradingEvent = { ...cancelled('tw2'), order: absent } as TradingEvent;
    expect(idsOf([cancelled('tw1'), refused])).toEqual(['tw1']);
  });

  it('takes ends of a date to come for those of now', () => {
    const path = journalOf([cancelled('tw1', { changedTime: START_MS + 1 })]);
    expect(recall(path, START_MS).endedOrders).toMatchObject([{ changedTime: START_MS }]);
  });

  it('leaves out those whose fee is looked up still: they are taken over by themselves', () => {
    const fee = Decimal.of('0.001');
    const guess = cancelled('tw2', { fee, guessedFee: fee });
    expect(idsOf([cancelled('tw1'), guess])).toEqual(['tw1']);
  });

  it('leaves out ends on the word of a person, and what lives again', () => {
    const settled = cancelled('tw2', { evidence: 'person' });
    const alive = { ...cancelled('tw3'), order: makeOpen({ clientOrderId: 'tw3' }) };
    expect(idsOf([settled, cancelled('tw3'), alive as TradingEvent])).toEqual([]);
  });
});
