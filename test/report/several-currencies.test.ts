import { describe, expect, test } from 'vitest';
import type { Amount } from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import {
  type Analysis,
  analyse,
  conventionsOf,
  metricsFileOf,
  metricsJson,
  metricsTable,
  parseMetrics,
  type RecordedFill,
  reportHtml,
  tradesCsv,
} from '../../src/report/index.ts';
import { makeCurve, makeFill, makeMarket, makeRecord } from './fixture.ts';

const MARKETS = [
  makeMarket(),
  makeMarket({ id: 'eth_btc', base: 'eth', quote: 'btc', priceScale: 4, minSize: 0 }),
];

/** A round trip of 2 eth for btc, which earns 0.02 btc before fees of 0.001 btc each way. */
function inBtc(opened: number | undefined, closed: number | undefined): RecordedFill[] {
  const own = { market: 'eth_btc', amount: 2 as Amount, fee: Decimal.of('0.001') };
  const terms = { ...own, feeCurrency: 'btc', liquidity: 'taker' as const };
  return [
    makeFill({ ...terms, price: 0.05, referencePrice: 0.0495, rate: opened }),
    makeFill({ ...terms, price: 0.06, side: 'sell', rate: closed }),
  ];
}

/** A round trip of 1 btc for usdt that loses 10 usdt, the fee of 1 apart. */
const inUsdt = (): RecordedFill[] => [
  makeFill({ price: 100, fee: Decimal.of(1), liquidity: 'maker' }),
  makeFill({ price: 90, side: 'sell', liquidity: 'maker' }),
];

function analysisOf(...fills: RecordedFill[]): Analysis {
  const record = makeRecord({ markets: MARKETS, fills, curve: makeCurve([1_000, 1_010]) });
  return analyse(record, { ...conventionsOf(), sampleGates: false });
}

describe('fills in another currency than that of the account', () => {
  const analysis = analysisOf(...inBtc(20_000, 25_000), ...inUsdt());
  const { metrics, parts } = metricsFileOf(analysis);

  test('cost what they did by the rate of their own time', () => {
    // 0.1 btc at 20,000, 0.12 btc at 25,000, and 100 and 90 usdt.
    expect(metrics.tradedValue).toBe(2_000 + 3_000 + 190);
    expect(metrics.fees).toBe(20 + 25 + 1);
    expect(metrics.slippage).toBeCloseTo(0.001 * 20_000, 9);
    expect(metrics.slippageShare).toBeCloseTo(20 / 2_000, 12);
    expect(metrics.makerShare).toBeCloseTo(190 / 5_190, 12);
  });

  test('make trades that earn by the rate at their end', () => {
    // 0.02 btc less 0.002 of fees, at 25,000; the other one loses 11.
    expect(parts).toEqual([
      { strategy: 'maker', market: 'btc_usdt', trades: 1, wins: 0, open: 0, profit: -11, fees: 1 },
      { strategy: 'maker', market: 'eth_btc', trades: 1, wins: 1, open: 0, profit: 450, fees: 50 },
    ]);
    expect([metrics.bestTrade, metrics.worstTrade, metrics.expectancy]).toEqual([450, -11, 219.5]);
    expect(metrics.profitFactor).toBeCloseTo(450 / 11, 12);
    // Shares are those of each market: 18 % and -11 %.
    expect(metrics.averageTrade).toBeCloseTo((0.18 - 0.11) / 2, 12);
  });

  test('stand in trades.csv in their own currency, on the page in that of the account', () => {
    const [, own] = [...tradesCsv(analysis.facts.trips)].join('').split('\r\n');
    expect(own).toMatch(/^eth_btc,.*,0\.1,0\.002,0\.018,btc,0\.18,/);
    const page = reportHtml(analysis, '');
    expect(page).toContain('All closed trades, in USDT, converted by the prices when they ended<');
    expect(page).toMatch(/<td[^>]*>50\.00<\/td>\s*<td[^>]*>450\.00<\/td>/);
    expect(metricsTable(analysis)).toMatch(/All +2 +1 +0 +51\.00 +439\.00 USDT/);
  });
});

describe('fills in a currency whose worth is not known', () => {
  const UNPRICED = 'no price in the account currency is known';

  test('leave out what sums up money, and nothing else', () => {
    const analysis = analysisOf(...inBtc(Number.NaN, Number.NaN), ...inUsdt());
    const { metrics, reasons } = metricsFileOf(analysis);
    const sums = ['fees', 'feeShare', 'slippage', 'slippageShare', 'makerShare', 'tradedValue'];
    const ofTrades = ['profitFactor', 'expectancy', 'expectancyRatio', 'sqn', 'averageWin'];
    for (const id of [...sums, ...ofTrades, 'averageLoss', 'bestTrade', 'worstTrade', 'turnover']) {
      expect([id, metrics[id], reasons[id]]).toEqual([id, null, UNPRICED]);
    }
    expect([metrics.trades, metrics.winRate, metrics.losingStreak]).toEqual([2, 0.5, 1]);
    expect(metrics.averageTrade).toBeCloseTo(0.035, 12);
  });

  test('have no profit in metrics.json, the table and the page, and no number that is none', () => {
    const analysis = analysisOf(...inBtc(20_000, Number.NaN), ...inUsdt());
    const [, part] = parseMetrics(metricsJson(analysis)).parts;
    expect(part).toMatchObject({ market: 'eth_btc', wins: 1, profit: null, fees: null });
    expect(metricsTable(analysis)).not.toContain('NaN');
    const page = reportHtml(analysis, '').replace(/<script[\s\S]*?<\/script>/g, '');
    expect(page).not.toContain('NaN');
    expect(page).toContain('What the closed trades earned is not known');
  });

  test('of orders that missed have that for their reason', () => {
    const record = makeRecord({ missed: { count: 1, value: undefined } });
    const { metrics, reasons } = metricsFileOf(analyse(record));
    expect([metrics.missedOrders, metrics.missedValue]).toEqual([1, null]);
    expect(reasons.missedValue).toBe(UNPRICED);
  });
});
