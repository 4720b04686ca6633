import { describe, expect, it } from 'vitest';
import { RunEarnings } from '../../../src/app/status/earnings.ts';
import { readStatus } from '../../../src/app/status/status.ts';
import { Bus } from '../../../src/kernel/index.ts';
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
