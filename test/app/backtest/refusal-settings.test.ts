import { describe, expect, it } from 'vitest';
import { backtestSetting } from '../../../src/app/backtest/refusal-settings.ts';
import { type Minute, replayed, type Script } from './fixture.ts';

/** Where a backtest says so, of btc_usdt. */
function setting(code: string, limit: string, observed = ''): string | undefined {
  return backtestSetting({ code, limit, observed, scope: 'order' }, 'btc_usdt');
}

describe('backtestSetting', () => {
  it('names the rules of a market', () => {
    const scale = 'a positive multiple of 0.0001';
    expect([
      setting('belowMinimum', 'at least 5 usdt'),
      setting('belowMinimum', 'at least 0.1 btc'),
      setting('shape', scale, 'price 0.00015'),
      setting('shape', scale, 'amount 0.00015'),
      setting('shape', 'a multiple of 0.0001', 'position 0.00015'),
    ]).toEqual([
      'backtest.markets.btc_usdt.minSize',
      'backtest.markets.btc_usdt.minAmount',
      'backtest.markets.btc_usdt.priceScale',
      'backtest.markets.btc_usdt.amountScale',
      'backtest.markets.btc_usdt.amountScale',
    ]);
  });

  it('names what can be lent where what is not there is sold', () => {
    expect([
      setting('balance', 'at most 0 btc', '1 btc'),
      setting('balance', 'a known balance of usdt', '5 usdt'),
    ]).toEqual(['backtest.lent.btc or backtest.balances.btc', 'backtest.balances.usdt']);
  });

  it('names none of another refusal', () => {
    expect(setting('staleData', 'fresh data')).toBeUndefined();
  });
});

const level = (price: number, amount: number) => ({ price, amount });
const WIDE = { orderValueMax: 1e6, openValueMax: 1e6, positionValueMax: 1e6 };

describe('the note on a refusal', () => {
  const minutes: Minute[] = [100, 100, 100].map((close) => ({ close }));
  const cases: readonly (readonly [setting: string, risk: object, wish: Script[number]])[] = [
    ['risk.orderValueMax', { ...WIDE, orderValueMax: 30 }, { bids: [level(99, 1)] }],
    ['risk.orderAmountMax', { ...WIDE, orderAmountMax: 0.5 }, { bids: [level(99, 1)] }],
    ['risk.openValueMax', { ...WIDE, openValueMax: 30 }, { bids: [level(99, 1)] }],
    ['risk.positionValueMax', { ...WIDE, positionValueMax: 30 }, 1],
    ['risk.longMax', { ...WIDE, longMax: 0.5 }, 1],
    ['risk.shortMax', { ...WIDE, shortMax: 0.5 }, -1],
    ['risk.collarFraction', WIDE, { bids: [level(151, 1)] }],
    [
      'risk.openOrdersPerSideMax',
      { ...WIDE, openOrdersPerSideMax: 1 },
      { bids: [level(99, 1), level(98, 1)] },
    ],
    ['backtest.balances.usdt', WIDE, { bids: [level(99, 200)] }],
    ['backtest.lent.btc or backtest.balances.btc', WIDE, -20],
  ];

  it.each(cases)('names %s', async (setting, risk, wish) => {
    const { record } = await replayed({ minutes, script: { 0: wish }, settings: { risk } });
    expect(record.notes?.filter((note) => note.includes(`(${setting}).`))).toHaveLength(1);
  });
});
