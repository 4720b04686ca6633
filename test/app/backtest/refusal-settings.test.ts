import { describe, expect, it } from 'vitest';
import { settingOf } from '../../../src/app/backtest/refusal-settings.ts';
import { type RiskConfig, riskConfigSchema } from '../../../src/risk/index.ts';
import { type Minute, replayed, type Script } from './fixture.ts';

/** Where the limit of a refusal is set. */
function setting(code: string, limit: string, risk: object = {}): string | undefined {
  const config: RiskConfig = riskConfigSchema.parse(risk);
  const refusal = { code, limit, observed: '', scope: 'order' } as const;
  return settingOf(refusal, { market: 'btc_usdt', risk: config });
}

describe('settingOf', () => {
  it('names the one of several settings that the limit is of', () => {
    expect([
      setting('openOrders', 'at most 10 a side'),
      setting('openOrders', 'at most 20 a market'),
      setting('orderRate', '200 orders in 10000 ms'),
    ]).toEqual([
      'risk.openOrdersPerSideMax',
      'risk.openOrdersPerMarketMax',
      'risk.strategyOrdersPerWindowMax',
    ]);
    const both = { positionValueMax: 0.5, longMax: 0.5 };
    expect(setting('position', 'at most worth 0.5 usdt', both)).toBe(
      'risk.positionValueMax or risk.longMax',
    );
  });

  it('names what holds for the market or its currency where that is set', () => {
    const risk = {
      markets: { btc_usdt: { positionValueMax: 7 }, eth_usdt: { orderValueMax: 3 } },
      currencies: { usdt: { tradedValuePerDayMax: 9 } },
    };
    expect([
      setting('position', 'at most worth 7 usdt', risk),
      setting('aboveMaximum', 'at most 100 usdt', risk),
      setting('dailyValue', 'at most 9 usdt a day', risk),
    ]).toEqual([
      'risk.markets.btc_usdt.positionValueMax',
      'risk.orderValueMax',
      'risk.currencies.usdt.tradedValuePerDayMax',
    ]);
  });

  it('names what else stands in the settings of a backtest', () => {
    expect(setting('belowMinimum', 'at least 5 usdt')).toBe('backtest.markets');
  });

  it('names none where no setting is the limit', () => {
    expect(setting('staleData', 'fresh data')).toBeUndefined();
    expect(setting('collar', 'a reference price')).toBeUndefined();
    expect(setting('another', 'at most 100')).toBeUndefined();
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
    ['risk.collarFraction or risk.bandFraction', WIDE, { bids: [level(150, 1)] }],
    [
      'risk.openOrdersPerSideMax',
      { ...WIDE, openOrdersPerSideMax: 1 },
      { bids: [level(99, 1), level(98, 1)] },
    ],
    ['backtest.balances', WIDE, { bids: [level(99, 200)] }],
  ];

  it.each(cases)('names %s', async (setting, risk, wish) => {
    const { record } = await replayed({ minutes, script: { 0: wish }, settings: { risk } });
    expect(record.notes?.filter((note) => note.includes(`(${setting}).`))).toHaveLength(1);
  });
});
