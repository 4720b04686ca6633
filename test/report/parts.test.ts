import { describe, expect, test } from 'vitest';
import {
  analyse,
  metricsJson,
  metricsTable,
  parseMetrics,
  type RecordedFill,
  reportHtml,
} from '../../src/report/index.ts';
import { makeFill, makeMarket, makeRecord, START } from './fixture.ts';

const MARKETS = [makeMarket(), makeMarket({ id: 'eth_btc', base: 'eth', quote: 'btc' })];

/** A trade of one coin that wins as much as told, or is left open. */
function trade(strategy: string, market: string, gain?: number): RecordedFill[] {
  const own = { strategy, market };
  const buy = makeFill({ ...own, price: 100 });
  return gain === undefined ? [buy] : [buy, makeFill({ ...own, side: 'sell', price: 100 + gain })];
}

/** A bitcoin is worth 50 all the time. */
const FLAT = { time: Float64Array.of(START), open: Float64Array.of(50) };
const PRICES = {
  ...FLAT,
  ...{ high: FLAT.open, low: FLAT.open, close: FLAT.open },
};

const analysisOf = (fills: readonly RecordedFill[]) =>
  analyse(makeRecord({ markets: MARKETS, fills, prices: new Map([['btc_usdt', PRICES]]) }));

describe('the parts of a run', () => {
  const analysis = analysisOf([
    ...trade('maker', 'btc_usdt', 3),
    ...trade('cross', 'eth_btc', 2),
    ...trade('maker', 'btc_usdt', -1),
    ...trade('cross', 'btc_usdt'),
  ]);

  test('are the trades of each strategy in each market, in the currency of the account', () => {
    const part = { trades: 1, wins: 1, fees: 0, open: 0 };
    expect(analysis.facts.parts).toEqual([
      { ...part, strategy: 'cross', market: 'btc_usdt', trades: 0, wins: 0, profit: 0, open: 1 },
      { ...part, strategy: 'cross', market: 'eth_btc', profit: 100 },
      { ...part, strategy: 'maker', market: 'btc_usdt', trades: 2, profit: 2 },
    ]);
    const sum = analysis.facts.parts.reduce((all, { profit }) => all + profit, 0);
    expect(sum).toBe(analysis.facts.trades.won + analysis.facts.trades.lost);
  });

  test('stand in metrics.json, the table and the page', () => {
    expect(parseMetrics(metricsJson(analysis)).parts).toEqual(analysis.facts.parts);
    expect(metricsTable(analysis)).toMatch(/maker +btc_usdt +2 +1 +0 +0\.00 +2\.00 USDT/);
    expect(metricsTable(analysis)).toMatch(/All +3 +2 +1 +0\.00 +102\.00 USDT/);
    expect(reportHtml(analysis, '')).toContain('Strategies and markets');
  });

  test('are left out of what people read where there is one alone', () => {
    const alone = analysisOf(trade('maker', 'btc_usdt', 3));
    expect(metricsTable(alone)).not.toContain('Strategy');
    expect(reportHtml(alone, '')).not.toContain('Strategies and markets');
    expect(parseMetrics(metricsJson(alone)).parts).toHaveLength(1);
  });

  test('have no worth where no rate of their currency is known', () => {
    const unknown = analyse(
      makeRecord({ markets: MARKETS, fills: trade('cross', 'eth_btc', 2), prices: new Map() }),
    );
    expect(parseMetrics(metricsJson(unknown)).parts).toMatchObject([{ profit: null, trades: 1 }]);
  });
});
