import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../src/kernel/index.ts';
import { LossAccount } from '../../src/risk/loss-account.ts';

/** An account that begins with `start`, and takes up one profit after the other. */
function createAccount({ start = 0, dailyLossMax = 5, drawdownMax = 8 } = {}) {
  const account = new LossAccount('usdt', {
    limits: { dailyLossMax, drawdownMax },
    start: Decimal.of(start),
  });
  const passedAt = (net: number) => {
    account.net = Decimal.of(net);
    account.takeUp(() => undefined);
    const keys = account.breaches().map(({ key }) => key);
    account.settle();
    account.drift = 0;
    account.doubt = 0;
    return keys;
  };
  return { account, passedAt };
}

describe('LossAccount', () => {
  it('names the limits that are passed, not those that are met', () => {
    const { account, passedAt } = createAccount();
    expect([passedAt(3), passedAt(-5), passedAt(-5.1)]).toEqual([
      [],
      [],
      ['dailyLossMax', 'drawdownMax'],
    ]);
    expect(account.breaches().map(({ what }) => what)).toEqual([
      'daily loss of 5.1 usdt, at most 5',
      'drawdown of 8.1 usdt, at most 8',
    ]);
  });

  it('counts a new day from its start, and the highest profit anew after a reset', () => {
    const { account, passedAt } = createAccount();
    passedAt(3);
    account.turnPage({ isReset: false });
    expect([passedAt(-4), passedAt(-6)]).toEqual([[], ['drawdownMax']]);
    account.turnPage({ isReset: true });
    expect(passedAt(-6)).toEqual([]);
  });

  it('counts a day from what is known of its start', () => {
    const { account } = createAccount();
    account.turnPage({ isReset: true });
    account.takeUp(() => Decimal.of(20));
    expect(account.breaches().map(({ key }) => key)).toEqual(['dailyLossMax', 'drawdownMax']);
  });
});

const cents = fc.integer({ min: -1_500, max: 1_500 });

describe('LossAccount.isQuiet', () => {
  it('is never so of a move that passes a limit or makes a new high', () => {
    let quiet = 0;
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1, maxLength: 5 }), cents, (before, after) => {
        const { account, passedAt } = createAccount();
        for (const net of before) passedAt(net / 100);
        const high = Math.max(0, ...before);
        account.drift = (after - before.at(-1)!) / 100;
        account.doubt = 1e-9;
        if (!account.isQuiet || after === before.at(-1)) return;
        quiet++;
        expect(after).toBeLessThan(high);
        expect(passedAt(after / 100)).toEqual([]);
      }),
      { numRuns: 500 },
    );
    expect(quiet).toBeGreaterThan(20);
  });

  it('is so of no move at all, and not of one that may be anything', () => {
    const { account, passedAt } = createAccount();
    passedAt(-1);
    expect(account.isQuiet).toBe(true);
    account.drift = 0.5;
    account.doubt = 0.4;
    expect(account.isQuiet).toBe(true);
    account.doubt = 0.6;
    expect(account.isQuiet).toBe(false);
  });
});
