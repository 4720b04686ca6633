import { describe, expect, it } from 'vitest';
import { refusalText, settingsOf } from '../../src/app/refusal-settings.ts';
import { riskConfigSchema } from '../../src/risk/index.ts';

/** Where the limit of a refusal is set; an exchange of its own sets all that risk does not. */
function setting(code: string, limit: string, risk: object = {}): string | undefined {
  const exchange = (refusal: { readonly code: string }) => `exchange.${refusal.code}`;
  const settingOf = settingsOf(riskConfigSchema.parse(risk), exchange);
  return settingOf({ code, limit, observed: '', scope: 'order' }, 'btc_usdt');
}

type Case = [setting: string, code: string, limit: string, risk?: object];

const ALIKE = { positionValueMax: 0.5, longMax: 0.5 };
const APART = {
  markets: { btc_usdt: { positionValueMax: 7 }, eth_usdt: { orderValueMax: 3 } },
  currencies: { usdt: { tradedValuePerDayMax: 9 } },
};
const BLACKOUTS = [{ from: '13:30', to: '13:40' }];
const OPENING = {
  ...{ priceMin: 5, exposureMax: 9 },
  markets: { btc_usdt: { priceMax: 7, blackouts: BLACKOUTS } },
};
const GROUP = { markets: ['btc_usdt'], exposureMax: 9 };
const GROUPS = { exposureMax: 9, fillLossMax: 3, groups: { coins: GROUP, 'coins 2': GROUP } };
const REJECTS = { markets: { btc_usdt: { rejectsInRowMax: 2 } }, rejectsPerWindowMax: 2 };
const CROSSED = 'own buys below own sells';
const CROSSING = { markets: { btc_usdt: { selfCrossAction: 'refuse' } } };
const QUIET = {
  ...{ ownSpreadMin: 0.001, orderToTradeMax: 100 },
  markets: { btc_usdt: { volumeShareMax: 0.05 } },
};

describe('settingsOf', () => {
  it('names the age of data, and no setting where a backtest lacks candles', () => {
    expect(setting('staleData', 'fresh data')).toBe('data.staleAfterMs');
    expect(setting('staleData', 'the next candle')).toBeUndefined();
  });

  it.each<Case>([
    ['risk.openOrdersPerSideMax', 'openOrders', 'at most 10 a side'],
    ['risk.openOrdersPerMarketMax', 'openOrders', 'at most 20 a market'],
    ['risk.positionValueMax or risk.longMax', 'position', 'at most worth 0.5 usdt', ALIKE],
    ['risk.rejectsInRowMax', 'rejects', '20 in a row'],
    ['risk.markets.btc_usdt.rejectsInRowMax', 'rejects', '2 in a row', REJECTS],
    ['risk.postOnlyRejectsInRowMax', 'rejects', '100 in a row'],
    ['risk.rejectsPerWindowMax', 'rejects', '2 in 1 min', REJECTS],
    ['risk.groups.coins 2.exposureMax', 'exposure', 'at most 9 usdt in the group coins 2', GROUPS],
    ['risk.exposureMax', 'exposure', 'at most 9 usdt in all markets', GROUPS],
  ])('names the one of several that the limit is of: %s', (named, code, limit, risk) => {
    expect(setting(code, limit, risk)).toBe(named);
  });

  it.each<Case>([
    ['risk.markets.btc_usdt.positionValueMax', 'position', 'at most worth 7 usdt', APART],
    ['risk.orderValueMax', 'aboveMaximum', 'at most 100 usdt', APART],
    ['risk.currencies.usdt.tradedValuePerDayMax', 'dailyValue', 'at most 9 usdt a day', APART],
    ['risk.selfCrossAction', 'selfCross', CROSSED],
    ['risk.markets.btc_usdt.selfCrossAction', 'selfCross', CROSSED, CROSSING],
  ])(
    'names what holds for the market or its currency where that is set: %s',
    (named, code, limit, risk) => {
      expect(setting(code, limit, risk)).toBe(named);
    },
  );
});

describe('settingsOf, of other limits,', () => {
  it.each<Case>([
    ['risk.priceMin', 'priceBounds', 'at least 5', OPENING],
    ['risk.markets.btc_usdt.priceMax', 'priceBounds', 'at most 7', OPENING],
    ['risk.exposureMax', 'exposure', 'at most 9 usdt in all markets', OPENING],
    [
      'risk.markets.btc_usdt.blackouts',
      'blackout',
      'nothing that opens from 13:30 to 13:40 UTC',
      OPENING,
    ],
    ['risk.fillLossMax', 'fillLoss', 'at most 3 usdt lost as it fills', GROUPS],
    ['risk.apiErrorsPerWindowMax', 'apiErrors', 'at most 4 in 1 min', { apiErrorsPerWindowMax: 4 }],
    [
      'risk.ownSpreadMin',
      'ownSpread',
      'own buys and sells at least 0.001 of their middle apart',
      QUIET,
    ],
    [
      'risk.markets.btc_usdt.volumeShareMax',
      'volumeShare',
      'at most 0.05 of what was traded in 5 min',
      QUIET,
    ],
    [
      'risk.orderToTradeMax',
      'orderToTrade',
      '100 orders for each that trades in 1 h, beyond the first 100',
      QUIET,
    ],
  ])('names what limits nothing by default: %s', (named, code, limit, risk) => {
    expect(setting(code, limit, risk)).toBe(named);
  });

  it.each<Case>([
    ['data.staleAfterMs', 'staleData', 'fresh data'],
    ['executor.heartbeat.budgetShare', 'heartbeatBudget', '9 markets'],
    ['exchange.balance', 'balance', 'at most 7 usdt'],
    ['exchange.collar', 'collar', 'a reference price'],
    ['exchange.another', 'another', 'at most 100'],
  ])('names what is set elsewhere than under risk: %s', (named, code, limit, risk) => {
    expect(setting(code, limit, risk)).toBe(named);
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
});

describe('settingsOf, of a collar,', () => {
  const BUY = 'buy at most 0.02 (2 %) above and 0.5 (50 %) below 60000';
  const SELL = 'sell at most 0.02 (2 %) below and 0.5 (50 %) above 60000';
  const OWN = { markets: { btc_usdt: { collarFraction: 0.02 } } };

  it.each<[named: string | undefined, observed: string, limit: string, risk?: object]>([
    ['risk.collarFraction', 'price 63000 is 5 % above 60000', BUY],
    ['risk.bandFraction', 'price 20000 is 66.67 % below 60000', BUY],
    ['risk.collarFraction', 'price 57000 is 5 % below 60000', SELL],
    ['risk.bandFraction', 'price 99000 is 65 % above 60000', SELL],
    [undefined, 'no reference price', 'a reference price'],
    ['risk.markets.btc_usdt.collarFraction', 'price 63000 is 5 % above 60000', BUY, OWN],
    ['risk.bandFraction', 'price 20000 is 66.67 % below 60000', BUY, OWN],
  ])(
    'names the fraction that the price is beyond: %s, as %s',
    (named, observed, limit, risk = {}) => {
      const settingOf = settingsOf(riskConfigSchema.parse(risk), () => undefined);
      const refusal = { code: 'collar', limit, observed, scope: 'order' } as const;
      expect(settingOf(refusal, 'btc_usdt')).toBe(named);
    },
  );
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
