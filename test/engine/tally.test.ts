import { describe, expect, it } from 'vitest';
import type { Intent, OrderState, TradingEvent } from '../../src/domain/index.ts';
import { TallyCounter } from '../../src/engine/index.ts';
import { Bus } from '../../src/kernel/index.ts';
import { makeOpen, makePending } from '../domain/fixture.ts';

const market = 'btc_usdt';
const time = 0;
const STAMP = { exchangeTime: 0, receivedTime: 0 };

function orderOf(order: OrderState): TradingEvent {
  return { kind: 'order', time, market, order };
}

function counted(...events: readonly TradingEvent[]) {
  const bus = new Bus<TradingEvent>();
  const counter = new TallyCounter();
  counter.follow(bus);
  for (const event of events) bus.publish(event);
  return counter;
}

function wishOf(intent: Intent, strategy = 'a'): TradingEvent {
  return { kind: 'intent', time, market, strategy, intent };
}

function refusalOf(code: string, strategy = 'a'): TradingEvent {
  const refusal = { code, limit: '', observed: '', scope: 'order' } as const;
  return { kind: 'refusal', time, market, strategy, refusal };
}

describe('TallyCounter', () => {
  it('counts an order once, when it leaves', () => {
    const cancelled = { ...makeOpen(), status: 'cancelled' } as unknown as OrderState;
    const { orders, cancelled: over } = counted(
      orderOf(makePending()),
      orderOf(makeOpen()),
      orderOf(cancelled),
    ).read();
    expect({ orders, over }).toEqual({ orders: 1, over: 1 });
  });

  it('counts an end once, whatever is told of the order behind it', () => {
    const cancelled = { ...makeOpen(), status: 'cancelled' } as unknown as OrderState;
    const rejected = { ...makePending(), status: 'rejected', reason: 'no' } as const;
    for (const [end, name] of [
      [cancelled, 'cancelled'],
      [rejected, 'rejected'],
    ] as const) {
      const tally = counted(orderOf(makePending()), orderOf(end), orderOf(end)).read();
      expect(tally).toMatchObject({ cancelled: 0, rejected: 0, [name]: 1 });
    }
  });

  it('counts heartbeats, lapses, requests, gaps, and how often data became stale', () => {
    const reason = '';
    const tally = counted(
      { kind: 'heartbeat', time, market, sentTime: 0 },
      { kind: 'heartbeat', time, market, sentTime: 1 },
      { kind: 'lapse', time, market, reason },
      { kind: 'request', time, market, operation: 'place', waitedMs: 0 },
      { kind: 'requestFailure', time, market, operation: 'place', outcome: 'unknown', reason },
      { kind: 'gap', time, market, stream: 'trade', after: '', before: '', reason },
      { kind: 'freshness', time, market, stream: 'depth', fresh: false, ageMs: 9 },
      { kind: 'freshness', time, market, stream: 'depth', fresh: true, ageMs: 0 },
      { kind: 'freshness', time, market, stream: 'candle', fresh: false, ageMs: 9 },
    ).read();
    expect(tally).toMatchObject({
      heartbeats: 2,
      lapses: 1,
      requests: 1,
      requestFailures: 1,
      gaps: 1,
      stale: 2,
    });
  });

  it('counts books by their market and wishes by their strategy', () => {
    const cancelOf = (strategy: string) => wishOf({ kind: 'cancel', market, tag: 'a' }, strategy);
    const book = (of: string): TradingEvent => ({
      kind: 'depth',
      market: of,
      ...STAMP,
      bids: [],
      asks: [],
    });
    const { books, wishes } = counted(
      ...[book(market), cancelOf('a'), book('xrp_eth'), cancelOf('b'), book(market), cancelOf('a')],
    ).read();
    expect(Object.fromEntries(books)).toEqual({ [market]: 2, xrp_eth: 1 });
    expect(Object.fromEntries(wishes)).toEqual({ a: 2, b: 1 });
  });

  it('counts candles by their market once they are closed', () => {
    const candle = (closed: boolean): TradingEvent => ({
      ...{ kind: 'candle', market, interval: '1min', ...STAMP, openTime: time, closed },
      ...{ open: 1, high: 1, low: 1, close: 1, volume: 1 },
    });
    const { candles } = counted(candle(false), candle(true), candle(true)).read();
    expect(Object.fromEntries(candles)).toEqual({ [market]: 2 });
  });

  it('gives a copy that does not change', () => {
    const counter = counted();
    const before = counter.read();
    expect(before.orders).toBe(0);
    expect(counter.read()).not.toBe(before);
    expect(counter.read()).toEqual(before);
  });
});

describe('TallyCounter, of orders that were rejected,', () => {
  it('counts rejected orders by their code, with the newest reason', () => {
    const rejected = (id: string, changes: object): TradingEvent[] => {
      const pending = { ...makePending(), clientOrderId: id };
      const order = { ...pending, status: 'rejected', reason: 'no', ...changes } as OrderState;
      return [orderOf(pending), orderOf(order)];
    };
    const answer = (text: string) => `Cannot place an order: the exchange answered 2009 "${text}"`;
    const { rejections } = counted(
      ...rejected('tw01', { code: 2009, reason: answer('old'), changedTime: 1 }),
      ...rejected('tw02', { code: 2009, reason: answer('new'), changedTime: 2 }),
      ...rejected('tw03', { reason: 'it was not found', changedTime: 3 }),
    ).read();
    expect(Object.fromEntries(rejections)).toEqual({
      2009: { count: 2, reason: 'the exchange answered 2009 "new"', newestMs: 2 },
      none: { count: 1, reason: 'it was not found', newestMs: 3 },
    });
  });
});

describe('TallyCounter, of refusals', () => {
  it('counts refusals by their code, and of a wish that stands once by each', () => {
    const wish = wishOf({ kind: 'target', market, position: 1 } as Intent);
    const cancel = wishOf({ kind: 'cancel', market, tag: 'a' });
    const tally = counted(
      ...[wish, refusalOf('collar'), refusalOf('stale'), refusalOf('collar'), cancel],
      ...[refusalOf('collar'), refusalOf('collar', 'b'), wish, refusalOf('collar')],
    ).read();
    expect([...tally.refusals]).toEqual([
      ['collar', { wishes: 3, tries: 5 }],
      ['stale', { wishes: 1, tries: 1 }],
    ]);
  });

  it('counts wishes that are refused in the same words, also while its wish is on its way', () => {
    const wish = wishOf({ kind: 'target', market, position: 1 } as Intent);
    const bus = new Bus<TradingEvent>();
    const counter = new TallyCounter();
    counter.follow(bus);
    bus.on('depth').subscribe(() => {
      // Within a delivery the published wish waits for its turn, the call of `repeated` does not.
      bus.publish(wish);
      counter.repeated('collar', { strategy: 'a', market });
    });
    const book = { kind: 'depth', market, ...STAMP, bids: [], asks: [] } as const;
    for (const _ of [1, 2]) {
      bus.publish(book);
      bus.publish(refusalOf('collar'));
    }
    expect([...counter.read().refusals]).toEqual([['collar', { wishes: 2, tries: 4 }]]);
  });
});
