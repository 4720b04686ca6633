import { describe, expect, it } from 'vitest';
import { RunEarnings } from '../../src/app/earnings.ts';
import { readStatus } from '../../src/app/status.ts';
import { Bus } from '../../src/kernel/index.ts';
import { startedBot } from './bot.ts';

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
    Object.assign(executor, { heartbeatAge: () => undefined });
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
});
