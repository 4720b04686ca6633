import { describe, expect, it } from 'vitest';
import { RunEarnings } from '../../../src/app/status/earnings.ts';
import { readStatus } from '../../../src/app/status/status.ts';
import { Bus } from '../../../src/kernel/index.ts';
import { makeOpen } from '../../domain/fixture.ts';
import { startedBot } from '../bot.ts';

describe('readStatus', () => {
  it('says why something cannot be read, without the request', async () => {
    const { sources } = await startedBot();
    const message =
      'Cannot send GET /api/getOrders?accesskey=***&sign=***: connect ECONNREFUSED x:1';
    const unreadable = () => [{ what: 'balances', sinceMs: 7, reason: message }];
    const executor = Object.assign(Object.create(sources.executor), {
      unreadable,
      usage: () => ({}),
    });
    const state = { confirmedMs: undefined, lapsedMs: undefined, firesMs: undefined };
    Object.assign(executor, { heartbeatState: () => ({ ...state, isUnanswered: false }) });
    expect(readStatus({ ...sources, executor }).unreadable).toEqual([
      { what: 'balances', sinceMs: 7, reason: 'connect ECONNREFUSED x:1' },
    ]);
  });

  it('values a position by the last middle while nothing else tells a price', async () => {
    const { sources } = await startedBot();
    const empty = { ...sources.view.depth('btc_usdt')!, bids: [], asks: [] };
    const prices = { depth: () => empty, last: () => undefined, isFresh: () => false };
    const profitBy = (view: typeof sources.view) => {
      const earnings = new RunEarnings({ ...sources, bus: new Bus(), view });
      return readStatus({ ...sources, view, earnings }).markets[0]!;
    };
    expect(profitBy(prices).profit).toBeUndefined();
    expect(profitBy({ ...prices, lastMiddle: () => 100 }).profit?.toString()).toBe('0');
  });

  it('shows the best prices of a market, and own orders there, the best first', async () => {
    const { sources } = await startedBot();
    const live = (
      [
        ['buy', 98],
        ['sell', 103],
        ['buy', 99],
        ['sell', 102],
      ] as const
    ).map(([side, price]) => ({ ...makeOpen({ side }), price }));
    const orders = Object.assign(Object.create(sources.orders), { live: () => live });
    const [market] = readStatus({ ...sources, orders }).markets;
    expect(market).toMatchObject({ bid: 99, ask: 101, fresh: true, dataAgeMs: 0 });
    expect(market!.bids.map(({ price }) => price)).toEqual([99, 98]);
    expect(market!.asks.map(({ price }) => price)).toEqual([102, 103]);
  });

  it('tells how often a strategy has wished, and what it has seen of its own markets', async () => {
    const { sources } = await startedBot();
    const counts = { btc_usdt: 7, eth_usdt: 5 };
    const told = {
      ...sources.tally.read(),
      wishes: new Map([[sources.strategies[0]!.name, 3]]),
      ...{ books: new Map(Object.entries(counts)), candles: new Map([['eth_usdt', 1]]) },
    };
    const tally = Object.assign(Object.create(sources.tally), { read: () => told });
    expect(readStatus({ ...sources, tally }).strategies).toMatchObject([
      { status: 'started', wishes: 3, books: 7, candles: 0 },
    ]);
  });

  it('tells why an order was rejected last, for five minutes', async () => {
    const { sources } = await startedBot();
    const rejections = new Map([
      ['2009', { count: 3, reason: 'too little', newestMs: 2_000 }],
      ['1001', { count: 9, reason: 'it would take', newestMs: 1_000 }],
    ]);
    const told = { ...sources.tally.read(), rejections };
    const tally = Object.assign(Object.create(sources.tally), { read: () => told });
    const at = (nowMs: number) =>
      readStatus({ ...sources, tally, clock: { ...sources.clock, now: () => nowMs } });
    expect(at(3_000).rejected).toEqual({ reason: 'too little', timeMs: 2_000 });
    expect(at(302_000).rejected).toEqual({ reason: 'too little', timeMs: 2_000 });
    expect(at(302_001).rejected).toBeUndefined();
  });
});
