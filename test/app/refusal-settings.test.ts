import { describe, expect, it } from 'vitest';
import { refusalText, settingsOf } from '../../src/app/refusal-settings.ts';
import { riskConfigSchema } from '../../src/risk/index.ts';

/** Where the limit of a refusal is set; an exchange of its own sets all that risk does not. */
function setting(code: string, limit: string, risk: object = {}): string | undefined {
  const exchange = (refusal: { readonly code: string }) => `exchange.${refusal.code}`;
  const settingOf = settingsOf(riskConfigSchema.parse(risk), exchange);
  return settingOf({ code, limit, observed: '', scope: 'order' }, 'btc_usdt');
}

describe('settingsOf', () => {
  it('names the one of several settings that the limit is of', () => {
    expect([
      setting('openOrders', 'at most 10 a side'),
      setting('openOrders', 'at most 20 a market'),
    ]).toEqual(['risk.openOrdersPerSideMax', 'risk.openOrdersPerMarketMax']);
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

  it('names the pace that is held by whom it holds, and that of what is made twice', () => {
    const settingOf = settingsOf(riskConfigSchema.parse({}), () => undefined);
    const refusal = { code: 'orderRate', limit: '200 orders in 10 s', observed: '201' } as const;
    expect([
      settingOf({ ...refusal, scope: 'strategy' }, 'btc_usdt'),
      settingOf({ ...refusal, scope: 'account' }, 'btc_usdt'),
      setting('duplicate', 'once in 1 s'),
    ]).toEqual([
      'risk.strategyOrdersPerWindowMax',
      'risk.ordersPerWindowMax',
      'risk.duplicateWindowMs',
    ]);
  });

  it('names a setting that is no number', () => {
    const risk = { markets: { btc_usdt: { selfCrossAction: 'refuse' } } };
    expect(setting('selfCross', 'own buys below own sells')).toBe('risk.selfCrossAction');
    expect(setting('selfCross', 'own buys below own sells', risk)).toBe(
      'risk.markets.btc_usdt.selfCrossAction',
    );
  });

  it('names those of what opens', () => {
    const blackouts = [{ from: '13:30', to: '13:40' }];
    const risk = { priceMin: 5, exposureMax: 9, markets: { btc_usdt: { priceMax: 7, blackouts } } };
    expect([
      setting('priceBounds', 'at least 5', risk),
      setting('priceBounds', 'at most 7', risk),
      setting('exposure', 'at most 9 usdt in all markets', risk),
      setting('blackout', 'nothing that opens from 13:30 to 13:40 UTC', risk),
    ]).toEqual([
      'risk.priceMin',
      'risk.markets.btc_usdt.priceMax',
      'risk.exposureMax',
      'risk.markets.btc_usdt.blackouts',
    ]);
  });

  it('asks the exchange where no setting of risk is the limit', () => {
    expect(setting('balance', 'at most 7 usdt')).toBe('exchange.balance');
    expect(setting('collar', 'a reference price')).toBe('exchange.collar');
    expect(setting('another', 'at most 100')).toBe('exchange.another');
  });
});

describe('settingsOf, of one check with several settings,', () => {
  it('names the one of rejected orders, in a row or in a window', () => {
    const risk = { markets: { btc_usdt: { rejectsInRowMax: 2 } }, rejectsPerWindowMax: 2 };
    expect([
      setting('rejects', '20 in a row'),
      setting('rejects', '2 in a row', risk),
      setting('rejects', '100 in a row'),
      setting('rejects', '2 in 1 min', risk),
    ]).toEqual([
      'risk.rejectsInRowMax',
      'risk.markets.btc_usdt.rejectsInRowMax',
      'risk.postOnlyRejectsInRowMax',
      'risk.rejectsPerWindowMax',
    ]);
  });

  it('names the group that an exposure is of, and what an order may lose as it fills', () => {
    const group = { markets: ['btc_usdt'], exposureMax: 9 };
    const risk = { exposureMax: 9, fillLossMax: 3, groups: { coins: group, 'coins 2': group } };
    expect([
      setting('exposure', 'at most 9 usdt in the group coins 2', risk),
      setting('exposure', 'at most 9 usdt in all markets', risk),
      setting('fillLoss', 'at most 3 usdt lost as it fills', risk),
      setting('apiErrors', 'at most 4 in 1 min', { apiErrorsPerWindowMax: 4 }),
    ]).toEqual([
      'risk.groups.coins 2.exposureMax',
      'risk.exposureMax',
      'risk.fillLossMax',
      'risk.apiErrorsPerWindowMax',
    ]);
  });

  const collar = (observed: string, limit: string, risk: object = {}) =>
    settingsOf(riskConfigSchema.parse(risk), () => undefined)(
      { code: 'collar', limit, observed, scope: 'order' },
      'btc_usdt',
    );
  const BUY = 'buy at most 0.02 (2 %) above and 0.5 (50 %) below 60000';
  const SELL = 'sell at most 0.02 (2 %) below and 0.5 (50 %) above 60000';

  it('names the fraction that the price is beyond', () => {
    expect([
      collar('price 63000 is 5 % above 60000', BUY),
      collar('price 20000 is 66.67 % below 60000', BUY),
      collar('price 57000 is 5 % below 60000', SELL),
      collar('price 99000 is 65 % above 60000', SELL),
      collar('no reference price', 'a reference price'),
    ]).toEqual([
      'risk.collarFraction',
      'risk.bandFraction',
      'risk.collarFraction',
      'risk.bandFraction',
      undefined,
    ]);
  });

  it('names that of the market where it has its own', () => {
    const risk = { markets: { btc_usdt: { collarFraction: 0.02 } } };
    expect([
      collar('price 63000 is 5 % above 60000', BUY, risk),
      collar('price 20000 is 66.67 % below 60000', BUY, risk),
    ]).toEqual(['risk.markets.btc_usdt.collarFraction', 'risk.bandFraction']);
  });

  it('names what is set elsewhere than under risk', () => {
    expect(setting('staleData', 'fresh data')).toBe('data.staleAfterMs');
    expect(setting('heartbeatBudget', '9 markets')).toBe('executor.heartbeat.budgetShare');
  });
});

describe('settingsOf, of limits that nothing has by default,', () => {
  it('names those of own quotes, of volume and of orders that do not trade', () => {
    const own = { volumeShareMax: 0.05 };
    const risk = { ownSpreadMin: 0.001, orderToTradeMax: 100, markets: { btc_usdt: own } };
    const orders = '100 orders for each that trades in 1 h, beyond the first 100';
    expect([
      setting('ownSpread', 'own buys and sells at least 0.001 of their middle apart', risk),
      setting('volumeShare', 'at most 0.05 of what was traded in 5 min', risk),
      setting('orderToTrade', orders, risk),
    ]).toEqual([
      'risk.ownSpreadMin',
      'risk.markets.btc_usdt.volumeShareMax',
      'risk.orderToTradeMax',
    ]);
  });
});

describe('refusalText', () => {
  it('says what is, what is wanted, and by which setting', () => {
    const limit = 'shrink the position of 0.5 btc';
    const observed = 'buy 1 btc; lost too much';
    const refusal = { code: 'reducing', observed, limit, scope: 'market' } as const;
    const text = 'buy 1 btc; lost too much, wanted: shrink the position of 0.5 btc';
    expect(refusalText(refusal, undefined)).toBe(text);
    expect(refusalText(refusal, 'risk.lossAction')).toBe(`${text} (risk.lossAction)`);
  });
});
