import { describe, expect, it } from 'vitest';
import type { Balance } from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { ofKind } from '../domain/fixture.ts';
import { makeLedgers } from './fixture.ts';

function balance(currency: string, available: string, frozen = '0'): Balance {
  return { currency, available: Decimal.of(available), frozen: Decimal.of(frozen) };
}

describe('BalanceLedger', () => {
  it('publishes the balances that changed, and those alone', () => {
    const { balances, events } = makeLedgers();
    balances.update([balance('btc', '1'), balance('usdt', '10')], 'query');
    balances.update([balance('btc', '1.00'), balance('usdt', '9', '1')], 'push');
    balances.update([balance('usdt', '9', '1')], 'push');
    balances.update([balance('usdt', '9', '2')], 'push');
    balances.update([balance('usdt', '8', '2')], 'push');
    const told = ofKind(events, 'balance').map((event) =>
      event.balances.map(({ currency, available, frozen }) => `${currency} ${available} ${frozen}`),
    );
    expect(told).toEqual([['btc 1 0', 'usdt 10 0'], ['usdt 9 1'], ['usdt 9 2'], ['usdt 8 2']]);
  });

  it('holds what a partial update does not name, and empties what a full read does not', () => {
    const { balances } = makeLedgers();
    balances.update([balance('btc', '1'), balance('usdt', '10')], 'query');
    balances.update([balance('usdt', '9')], 'push');
    expect(balances.get('btc')?.available.toString()).toBe('1');
    balances.reset([balance('usdt', '8')], { asOfMs: 0 });
    expect(balances.get('btc')?.available.sign).toBe(0);
    expect(balances.get('usdt')?.available.toString()).toBe('8');
    expect(balances.all().map(({ currency }) => currency)).toEqual(['btc', 'usdt']);
  });

  it('keeps what a push has told since the moment that a full read tells of', () => {
    const { balances, clock } = makeLedgers();
    balances.update([balance('eth', '1')], 'push');
    clock.advanceBy(5);
    balances.update([balance('btc', '1'), balance('usdt', '10')], 'push');
    clock.advanceBy(5);
    for (const asOfMs of [3, 4]) balances.reset([balance('usdt', '8')], { asOfMs });
    const told = ['btc', 'usdt', 'eth'].map((currency) => {
      const { time, evidence } = balances.newsOf(currency)!;
      return `${currency} ${balances.get(currency)?.available} by a ${evidence} as of ${time}`;
    });
    expect(told).toEqual([
      'btc 1 by a push as of 5',
      'usdt 10 by a push as of 5',
      'eth 0 by a query as of 4',
    ]);
  });

  it('has the new balance in place before anybody is told', () => {
    const { balances, bus } = makeLedgers();
    bus.on('balance').subscribe(() => {
      expect(balances.get('btc')?.available.toString()).toBe('1');
    });
    balances.update([balance('btc', '1')], 'push');
    expect.assertions(1);
  });

  it('tells when and on whose word a balance was told', () => {
    const { balances, clock } = makeLedgers();
    clock.advanceBy(5);
    balances.update([balance('btc', '1')], 'push');
    expect(balances.newsOf('btc')).toEqual({ time: 5, evidence: 'push' });
    expect(balances.newsOf('usdt')).toBeUndefined();
    expect(balances.get('usdt')).toBeUndefined();
  });
});
