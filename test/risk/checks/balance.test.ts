import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/kernel/index.ts';
import { balance } from '../../../src/risk/checks/balance.ts';
import { FreeBalances } from '../../../src/risk/free-balances.ts';
import type { Check, RiskView } from '../../../src/risk/review.ts';
import {
  anyLive,
  anyOrderUnits,
  codeOf,
  draftOf,
  type LiveSketch,
  makeDraft,
  makeRisk,
  restOf,
  reviewOrder,
  sketchOf,
  sum,
} from '../fixture.ts';

function check(view: RiskView): Check {
  return balance(new FreeBalances(view));
}

describe('balance', () => {
  it('refuses just what the lesser of both views of the free balance does not pay for', () => {
    const money = fc.integer({ min: 0, max: 900 });
    fc.assert(
      fc.property(anyLive, anyOrderUnits, money, money, (live, units, available, frozen) => {
        const told = [`${available}`, `${frozen}`] as const;
        const { view } = makeRisk({
          live: live.map(sketchOf),
          balances: { btc: told, usdt: told },
        });
        const buys = units.side === 'buy';
        const costOf = (priceUnits: number, amountUnits: number) =>
          buys ? priceUnits * amountUnits : amountUnits * 100;
        const ofSide = live.filter(({ side }) => side === units.side);
        const reserved = sum(ofSide, (order) => costOf(order.priceUnits, restOf(order)));
        const unnamed = sum(
          ofSide.filter(({ status }) => status === 'pending'),
          (order) => costOf(order.priceUnits, restOf(order)),
        );
        const unit = 1_000_000;
        const free = Math.min(available * unit - unnamed, (available + frozen) * unit - reserved);
        const refusal = check(view).onOrder?.(reviewOrder(view, draftOf(units)));
        expect(refusal !== undefined).toBe(costOf(units.priceUnits, units.amountUnits) > free);
      }),
      { seed: 27, numRuns: 500 },
    );
  });

  it.each([
    ['nothing else', [], '100', '0', false],
    ['one unit too little', [], '99.999999', '0', true],
    ['an own order in flight', [{ status: 'pending' }], '100', '0', true],
    ['an own order whose freeze was told', [{}], '100', '90', false],
    ['an own order whose freeze was not told yet', [{}], '100', '0', true],
    ['a sell, which holds the other currency', [{ side: 'sell' }], '100', '0', false],
    ['an order of another market with the same quote', [{ market: 'eth_usdt' }], '100', '0', true],
  ] satisfies [string, LiveSketch[], string, string, boolean][])(
    'beside %s',
    (_, live, available, frozen, refused) => {
      const balances = { usdt: [available, frozen] as const };
      const { view } = makeRisk({ live, balances });
      expect(check(view).onOrder?.(reviewOrder(view)) !== undefined).toBe(refused);
    },
  );
});

describe('balance, as it is told', () => {
  it('counts the freeze of foreign orders that are known', () => {
    const { view, orders } = makeRisk({
      live: [{ status: 'open' }],
      balances: { usdt: ['100', '50'] },
    });
    const { market, side, type, price, amount, filledAmount } = orders.live('btc_usdt')[0]!;
    const asked = check(view);
    const terms = { market, side, type, price, amount, filledAmount };
    expect(asked.onOrder?.(reviewOrder(view, makeDraft({ price: 60 })))).toBeUndefined();
    orders.record(
      { ...terms, exchangeOrderId: '9', filledValue: Decimal.ZERO, closed: false, exchangeTime: 0 },
      'push',
    );
    expect(codeOf(asked, reviewOrder(view, makeDraft({ price: 60 })))).toBe('balance');
    orders.resetForeign('btc_usdt', []);
    expect(asked.onOrder?.(reviewOrder(view, makeDraft({ price: 60 })))).toBeUndefined();
  });

  it('counts a foreign order of more units than any of ours can have', () => {
    const codesBeside = (side: 'buy' | 'sell', price: number, amount: number) => {
      const { view } = makeRisk({ foreign: [{ side, price, amount }] });
      const own = (['buy', 'sell'] as const).map((its) => makeDraft({ side: its }));
      return own.map((draft) => codeOf(check(view), reviewOrder(view, draft)));
    };
    expect(codesBeside('sell', 1e14, 1)).toEqual([undefined, undefined]);
    expect(codesBeside('buy', 1e14, 1)).toEqual(['balance', undefined]);
    expect(codesBeside('sell', 100, 1e14)).toEqual([undefined, 'balance']);
  });

  it('takes a new balance up at once', () => {
    const { view, balances } = makeRisk({ balances: { usdt: ['99', '0'] } });
    const asked = check(view);
    const told = { currency: 'usdt', available: Decimal.of(100), frozen: Decimal.ZERO };
    expect(codeOf(asked, reviewOrder(view))).toBe('balance');
    balances.update([told], 'push');
    expect(asked.onOrder?.(reviewOrder(view))).toBeUndefined();
  });

  it('names nothing as free where a freeze counts twice for a moment', () => {
    const { view } = makeRisk({ live: [{ status: 'pending' }], balances: { usdt: ['10', '90'] } });
    expect(check(view).onOrder?.(reviewOrder(view))?.limit).toBe('at most 0 usdt');
  });

  it('refuses while the balance is not known', () => {
    const { view } = makeRisk({ balances: {} });
    expect(check(view).onOrder?.(reviewOrder(view))?.limit).toBe('a known balance of usdt');
  });

  it('asks for the base currency of a sell', () => {
    const { view } = makeRisk({ balances: { btc: ['0.9999', '0'] } });
    const sell = makeDraft({ side: 'sell' });
    expect(check(view).onOrder?.(reviewOrder(view, sell))?.limit).toBe('at most 0.9999 btc');
  });
});

describe('balance, beside an ask whose fate is unknown', () => {
  const lost = { side: 'sell', amount: 1, status: 'unknown', named: false } as const;
  const told = [
    ['which froze what it holds', '1', '1'],
    ['which does not show it', '2', '0'],
  ] as const;

  it.each(told)('has what is free beside it by a balance that was told since, %s', (_, ...btc) => {
    const { view } = makeRisk({ live: [lost], balances: { btc } });
    const ask = (amount: number) => makeDraft({ side: 'sell', amount });
    expect(check(view).onOrder?.(reviewOrder(view, ask(1)))).toBeUndefined();
    expect(check(view).onOrder?.(reviewOrder(view, ask(1.0001)))?.limit).toBe('at most 1 btc');
  });

  it('has less by one that was told before it left: that may be frozen beside it', () => {
    const createdTime = 1_000_000_000_000;
    const { view } = makeRisk({
      live: [{ ...lost, createdTime }],
      balances: { btc: ['2', '7'] },
    });
    const ask = makeDraft({ side: 'sell', amount: 1.0001 });
    expect(check(view).onOrder?.(reviewOrder(view, ask))?.limit).toBe('at most 1 btc');
  });
});

describe('balance, behind a cancel', () => {
  /** An ask that holds back the whole balance, as the exchange tells it. */
  function frozen() {
    const live = [{ side: 'sell', amount: 1, filled: 0.25, price: 110 }] as const;
    const risk = makeRisk({ live, balances: { btc: ['0', '0.75'] } });
    const balances = new FreeBalances(risk.view);
    const asked = balance(balances);
    const { orders } = risk;
    const tell = (available: string, held: string) => {
      const told = { available: Decimal.of(available), frozen: Decimal.of(held) };
      risk.balances.update([{ currency: 'btc', ...told }], 'push');
    };
    return {
      tell,
      cancelLeaves: () => balances.cancelLeaves(orders.live('btc_usdt')[0]!),
      cancelled: () => {
        const order = orders.get('live0')!;
        const { filledAmount, filledValue } = order;
        const record = { exchangeOrderId: '1000', closed: true, filledAmount, filledValue };
        orders.apply('live0', { kind: 'record', time: 0, evidence: 'answer', ...record });
      },
      /** The most that can be sold; undefined: any. */
      limit: (amount: number) =>
        asked.onOrder?.(reviewOrder(risk.view, makeDraft({ side: 'sell', amount })))?.limit,
    };
  }

  it('has what the order held back from the moment of its end', () => {
    const { cancelLeaves, cancelled, limit } = frozen();
    cancelLeaves();
    expect(limit(0.75)).toBe('at most 0 btc');
    cancelled();
    expect(limit(0.75)).toBeUndefined();
    expect(limit(0.7501)).toBe('at most 0.75 btc');
  });

  it('has it once: not where it was told since the cancel left', () => {
    const { cancelLeaves, cancelled, limit, tell } = frozen();
    cancelLeaves();
    // Of these coins some are frozen for an order that is not known here.
    tell('0.75', '0.75');
    // A cancel sent again because the answer to the first was lost.
    cancelLeaves();
    cancelled();
    expect(limit(0.75)).toBeUndefined();
    expect(limit(0.7501)).toBe('at most 0.75 btc');
  });

  it('has it not where the order never came to be: then nothing was held back', () => {
    const { view, orders } = makeRisk({
      live: [{ side: 'sell', status: 'unknown', named: false, createdTime: 1_000_000_000_000 }],
      balances: { btc: ['1', '1'] },
    });
    const balances = new FreeBalances(view);
    balances.cancelLeaves(orders.live('btc_usdt')[0]!);
    expect(`${balances.of('btc')}`).toBe('0');
    orders.apply('live0', { kind: 'rejected', reason: 'absent', time: 0, evidence: 'query' });
    expect(`${balances.of('btc')}`).toBe('1');
  });

  it('has it not where nobody asked for its end: then the balance may be told ahead of that', () => {
    const { cancelled, limit } = frozen();
    cancelled();
    expect(limit(0.0001)).toBe('at most 0 btc');
  });
});

describe('balance, where orders are charged beyond a share', () => {
  const charges = { perOrder: Decimal.of(1), perUnit: Decimal.of('0.25'), least: Decimal.of(2) };
  const feeRates = {
    maker: 0,
    taker: 0.001,
    in: 'quote',
    charges,
  } as const;
  const ask = (usdt: string, live: readonly LiveSketch[] = [], frozen = '0') => {
    const { view } = makeRisk({
      feeRates,
      live,
      balances: { usdt: [usdt, frozen], btc: ['1', '0'] },
    });
    return (amount: number) =>
      check(view).onOrder?.(reviewOrder(view, makeDraft({ price: 100, amount })));
  };

  it.each([
    ['its least fee', 0.505, '52.5', '52.49999999'],
    ['its dearest share and all it is charged', 8, '803.8', '803.79999999'],
  ])('asks for the fee of a buy as well: %s', (_what, amount, enough, short) => {
    expect(ask(enough)(amount)).toBeUndefined();
    expect(ask(short)(amount)?.limit).toBe(`at most ${short} usdt`);
  });

  it('tells the fee', () => {
    expect(ask('803')(8)).toEqual({
      limit: 'at most 803 usdt',
      observed: '803.8 usdt, its fee of 3.8 included',
    });
  });

  it('keeps the fee of an own order that the exchange has not frozen yet', () => {
    const live = [{ status: 'pending', price: 100, amount: 8 }] as const;
    expect(ask('905.8', live)(1)).toBeUndefined();
    expect(ask('905.79999999', live)(1)?.limit).toBe('at most 101.99999999 usdt');
  });

  it('asks for no money beside a sell', () => {
    const { view } = makeRisk({ feeRates, balances: { usdt: ['0', '0'], btc: ['1', '0'] } });
    const sell = makeDraft({ side: 'sell', price: 100, amount: 1 });
    expect(check(view).onOrder?.(reviewOrder(view, sell))).toBeUndefined();
  });
});
