import { describe, expect, it } from 'vitest';
import { readStatus } from '../../src/app/status.ts';
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
});
