import { describe, expect, it } from 'vitest';
import { COMPANION_DEFAULTS, companionOf } from '../../src/risk/companions.ts';
import { marketLimitsOf, riskConfigSchema } from '../../src/risk/config.ts';

const problemsOf = (config: object) =>
  riskConfigSchema
    .safeParse(config)
    .error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [];
const lacks = (limit: string) => `nothing goes by it, ${limit} is wanted with it`;

describe('refuseWithoutLimit', () => {
  it.each([
    ['volumeWindowMs', 'volumeShareMax'],
    ['orderToTradeWindowMs', 'orderToTradeMax'],
    ['orderToTradeFreeOrders', 'orderToTradeMax'],
    ['lossPauseMs', 'lossesInRowMax'],
    ['markoutMs', 'markoutLossMax'],
    ['markoutFills', 'markoutLossMax'],
    ['markoutPauseMs', 'markoutLossMax'],
    ['executionWindowMs', 'executionsPerWindowMax'],
    ['apiErrorWindowMs', 'apiErrorsPerWindowMax'],
  ])('refuses %s without %s, and takes it with it', (key, limit) => {
    expect(problemsOf({ [key]: 7 })).toEqual([[key, lacks(limit)]]);
    expect(problemsOf({ [key]: 7, [limit]: 1 })).toEqual([]);
    expect(problemsOf({ [limit]: 1 })).toEqual([]);
  });

  it('takes the limit of a single market for one, and tells of each market that has none', () => {
    const limits = { lossesInRowMax: 2 };
    expect(problemsOf({ lossPauseMs: 7, markets: { btc_usdt: limits } })).toEqual([]);
    expect(problemsOf({ ...limits, markets: { btc_usdt: { lossPauseMs: 7 } } })).toEqual([]);
    const markets = { btc_usdt: { ...limits, lossPauseMs: 7 }, eth_usdt: { lossPauseMs: 8 } };
    expect(problemsOf({ markets })).toEqual([
      ['markets.eth_usdt.lossPauseMs', lacks('lossesInRowMax')],
    ]);
  });

  it('takes its settings as they are written down again', () => {
    const config = riskConfigSchema.parse({ markoutLossMax: 0.01 });
    expect(riskConfigSchema.parse(config)).toEqual(config);
    expect(riskConfigSchema.parse(riskConfigSchema.parse({}))).toEqual(riskConfigSchema.parse({}));
  });
});

describe('refuseWithoutLimit, of what is written down with a run,', () => {
  it('takes what each is where nobody sets it: earlier versions wrote that down, limit or none', () => {
    const written = { ...riskConfigSchema.parse({}), ...COMPANION_DEFAULTS };
    expect(problemsOf(written)).toEqual([]);
    expect(problemsOf({ ...written, markoutFills: 49 })).toEqual([
      ['markoutFills', lacks('markoutLossMax')],
    ]);
  });
});

describe('what goes with a limit', () => {
  it('is its default where nobody sets it, for all or for one market', () => {
    const config = riskConfigSchema.parse({
      ...{ markoutLossMax: 0.01, markoutMs: 5, executionsPerWindowMax: 1 },
      markets: { btc_usdt: { markoutFills: 9 } },
    });
    expect(marketLimitsOf(config, 'btc_usdt')).toMatchObject({
      ...{ markoutMs: 5, markoutFills: 9, markoutPauseMs: 900_000 },
    });
    expect(marketLimitsOf(config, 'eth_usdt')).toMatchObject({ markoutFills: 50 });
    expect(companionOf(config, 'executionWindowMs')).toBe(3_600_000);
    expect(companionOf({ executionWindowMs: 5 }, 'executionWindowMs')).toBe(5);
  });
});
