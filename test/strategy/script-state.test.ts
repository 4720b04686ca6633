import { map, merge } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  cancel,
  defineStrategy,
  runStrategy,
  scriptedBalance,
  scriptedFreshness,
  scriptedMarket,
  scriptedOrder,
  scriptedRefusal,
  z,
} from '../../src/strategy/index.ts';

const ORDER = { tag: 'entry', side: 'buy', price: 100, amount: 2 } as const;

describe('scriptedOrder', () => {
  it('rests, named by its tag, unless it is told otherwise', () => {
    const { order } = scriptedOrder({ time: 1, ...ORDER });
    expect(order).toMatchObject({
      ...ORDER,
      status: 'open',
      type: 'limit',
      clientOrderId: 'entry',
    });
    expect([order.filledAmount, order.filledValue.toString()]).toEqual([0, '0']);
  });

  it.each([
    ['pending', {}],
    ['cancelling', { exchangeOrderId: '1' }],
    ['filled', { exchangeOrderId: '1', filledAmount: 2 }],
    ['rejected', { reason: 'no' }],
    ['unknown', { reason: 'no', unknownSince: 3 }],
  ] as const)('has what belongs to one that is %s', (status, state) => {
    const { order } = scriptedOrder({ time: 3, ...ORDER, status, reason: 'no' });
    expect(order).toMatchObject({ status, ...state });
  });
});

describe('what is scripted of the account', () => {
  it('keeps an order at its place in the list when it changes, as a live run does', () => {
    const watcher = defineStrategy({
      name: 'watcher',
      params: z.strictObject({}),
      run: ({ market, orders }) =>
        orders().pipe(map((live) => cancel(market, `${live.map(({ tag }) => tag)}`))),
    });
    const events = [
      scriptedOrder({ time: 1, ...ORDER }),
      scriptedOrder({ time: 2, ...ORDER, tag: 'exit' }),
      scriptedOrder({ time: 3, ...ORDER, filledAmount: 1 }),
    ];
    const { intents } = runStrategy(watcher, { events });
    expect(intents.at(-1)).toEqual(cancel(scriptedMarket, 'entry,exit'));
  });

  it('comes to the strategy', () => {
    const watcher = defineStrategy({
      name: 'watcher',
      params: z.strictObject({}),
      run: ({ market, orders, balance, refusals, freshness, clock }) =>
        merge(
          orders().pipe(map((live) => `orders ${live.map(({ tag }) => tag)}`)),
          balance('btc').pipe(map(({ available, frozen }) => `btc ${available} ${frozen}`)),
          refusals().pipe(map(({ by, code, tag }) => `${by} ${code} ${tag} at ${clock.now()}`)),
          freshness().pipe(map(({ stream, fresh }) => `${stream} ${fresh}`)),
        ).pipe(map((seen) => cancel(market, seen))),
    });
    const events = [
      scriptedOrder({ time: 1, ...ORDER }),
      scriptedOrder({ time: 2, ...ORDER, status: 'rejected' }),
      scriptedBalance({ time: 3, currency: 'btc', available: 2 }),
      scriptedRefusal({ time: 4, code: 'balance', tag: 'exit' }),
      scriptedFreshness({ time: 5, fresh: false }),
    ];
    const { intents } = runStrategy(watcher, { events, lingerMs: 1_000 });
    expect(intents.map((intent) => intent.kind === 'cancel' && intent.tag)).toEqual([
      ...['orders ', 'btc 0 0', 'orders entry', 'orders '],
      ...['exchange rejected entry at 2', 'btc 2 0', 'depth false', 'risk balance exit at 1002'],
    ]);
  });
});
