import { describe, expect, it } from 'vitest';
import { FirstRefusals } from '../../../../src/app/backtest/notes/first-refusals.ts';
import type { Side, TradingEvent } from '../../../../src/domain/index.ts';
import { Bus } from '../../../../src/kernel/index.ts';
import { makePending } from '../../../domain/fixture.ts';
import { replayed, START_MS } from '../fixture.ts';

const NAMES = { settingOf: () => undefined, names: new Map() };

function fixture(feesIn: 'received' | 'quote' = 'received') {
  const bus = new Bus<TradingEvent>();
  const refusals = new FirstRefusals({ bus, fees: { in: feesIn }, ...NAMES });
  const market = 'btc_usdt';
  return {
    refusals,
    byRisk: (code: string, time: number) => {
      const refusal = { code, observed: `${code} seen`, limit: 'none', scope: 'order' } as const;
      bus.publish({ kind: 'refusal', time, market, strategy: 'maker', refusal });
    },
    byExchange: (code: number | undefined, time: number, side: Side = 'buy') => {
      const refused = { status: 'rejected', reason: 'Cannot do it', ...(code && { code }) };
      const order = { ...makePending({ side }), ...refused };
      bus.publish({ kind: 'order', market, time, order } as TradingEvent);
    },
  };
}

describe('FirstRefusals', () => {
  it('tells how often each reason came, and its first time in words', () => {
    const { refusals, byRisk, byExchange } = fixture();
    byRisk('collar', START_MS);
    byRisk('position', START_MS + 60_000);
    byRisk('collar', START_MS + 120_000);
    byExchange(3003, START_MS);
    byExchange(undefined, START_MS);
    byExchange(undefined, START_MS + 60_000);
    expect(refusals.notes(new Map([['collar', { wishes: 12, tries: 12 }]]))).toEqual([
      'Risk refused 12 times (collar), the first at 2024-01-01 UTC in btc_usdt: collar seen, wanted: none.',
      'Risk refused once (position), at 2024-01-01 00:01 UTC in btc_usdt: position seen, wanted: none.',
      'The exchange refused once (3003), at 2024-01-01 UTC in btc_usdt: Cannot do it.',
      '2 orders did not reach the exchange, the first at 2024-01-01 UTC in btc_usdt: Cannot do it.',
    ]);
  });

  it('leaves want of money for a fee to others, where fees are paid beside what is given', () => {
    const [received, quote] = [fixture(), fixture('quote')];
    for (const { byExchange } of [received, quote]) byExchange(2009, START_MS);
    const notes = [received, quote].map(({ refusals }) => refusals.notes(new Map()).length);
    expect(notes).toEqual([1, 0]);
    // A sale takes its fee out of what it brings in: it lacked what it gives.
    quote.byExchange(2009, START_MS, 'sell');
    expect(quote.refusals.notes(new Map())).toHaveLength(1);
  });

  it('stands among the notes of a run that the default limits kept from trading', async () => {
    const { record } = await replayed({
      ...{ minutes: [{ close: 100 }, { close: 101 }], script: { 0: 20 } },
      settings: { risk: {} },
    });
    expect(record.notes).toEqual([
      'Risk refused once (position), at 2024-01-01 00:01 UTC in btc_usdt: long 20 btc, worth ' +
        '2000 usdt, wanted: at most worth 1000 usdt (risk.positionValueMax).',
      'The orders refused in btc_usdt exceed several limits: risk.positionValueMax (1000), ' +
        'risk.orderValueMax (100), risk.openValueMax (1000). --set risk.positionValueMax=2100 ' +
        '--set risk.orderValueMax=2100 --set risk.openValueMax=2100 raises all of them far enough.',
    ]);
    expect(record.decisive).toBe(2);
  });

  it.each([
    ['quotes', { bids: [{ price: 99, amount: 0.0005 }] }],
    ['targets', 0.0005],
  ])('counts all %s below the least amount, though that is said once', async (_, wish) => {
    const { record, events } = await replayed({
      minutes: Array.from({ length: 6 }, () => ({ close: 100 })),
      script: { 0: wish, 2: wish, 4: wish },
    });
    expect(events.filter(({ kind }) => kind === 'refusal')).toHaveLength(1);
    expect(record.counts.orders).toBe(0);
    expect(record.refusals).toEqual([{ code: 'belowMinimum', count: 3, wishes: 3 }]);
    expect(record.notes).toEqual([
      'Risk refused 3 times (belowMinimum), the first at 2024-01-01 00:01 UTC in btc_usdt: 0.0005 ' +
        'btc, wanted: at least 0.001 btc (backtest.markets.btc_usdt.minAmount).',
    ]);
  });
});

describe('FirstRefusals, of wishes that stand', () => {
  it.each([
    [{ wishes: 3, tries: 1_204 }, '3 wishes in 1,204 tries'],
    [{ wishes: 1, tries: 2 }, 'a wish in 2 tries'],
  ])('parts wishes from the tries of those that stand: %j', (counts, often) => {
    const { refusals, byRisk } = fixture();
    byRisk('collar', START_MS);
    expect(refusals.notes(new Map([['collar', counts]]))).toEqual([
      expect.stringMatching(`^Risk refused ${often} \\(collar\\), the first at 2024-01-01 UTC in`),
    ]);
  });

  it('tells a target that stands as one wish, however often it is tried', async () => {
    const { record } = await replayed({
      minutes: Array.from({ length: 30 }, (_, minute) => ({ close: 100 + minute / 10 })),
      ...{ script: { 0: 5 }, settings: { risk: { orderValueMax: 100 } } },
    });
    const [{ count, wishes }] = record.refusals as [(typeof record.refusals)[0]];
    expect(count).toBeGreaterThan(10);
    expect(wishes).toBe(1);
    expect(record.notes).toEqual([
      expect.stringMatching(
        `^Risk refused a wish in ${count} tries \\(aboveMaximum\\), the first at`,
      ),
    ]);
  });
});
