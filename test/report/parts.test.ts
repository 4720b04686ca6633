import { describe, expect, test } from 'vitest';
import { Decimal } from '../../src/kernel/index.ts';
import {
  analyse,
  metricsJson,
  metricsTable,
  parseMetrics,
  type RecordedFill,
  reportHtml,
} from '../../src/report/index.ts';
import { makeFill, makeMarket, makeRecord } from './fixture.ts';

const MARKETS = [makeMarket(), makeMarket({ id: 'eth_usdt', base: 'eth' })];

/** A trade of one coin that wins as much as told, or is left open. */
function trade(strategy: string, market: string, gain?: number): RecordedFill[] {
  const own = { strategy, market };
  const buy = makeFill({ ...own, price: 100, fee: Decimal.of(0.5) });
  return gain === undefined ? [buy] : [buy, makeFill({ ...own, side: 'sell', price: 100 + gain })];
}

const analysisOf = (fills: readonly RecordedFill[]) =>
  analyse(makeRecord({ markets: MARKETS, fills }));

describe('the parts of a run', () => {
  const analysis = analysisOf([
    ...trade('maker', 'btc_usdt', 3),
    ...trade('cross', 'eth_usdt', 2),
    ...trade('maker', 'btc_usdt', -1),
    ...trade('cross', 'btc_usdt'),
  ]);

  test('are the trades of each strategy in each market, in the currency of the account', () => {
    const part = { trades: 1, wins: 1, open: 0 };
    expect(analysis.facts.parts).toEqual([
      {
        ...part,
        strategy: 'cross',
        market: 'btc_usdt',
        trades: 0,
        wins: 0,
        profit: 0,
        fees: 0,
        open: 1,
      },
      { ...part, strategy: 'cross', market: 'eth_usdt', profit: 1.5, fees: 0.5 },
      { ...part, strategy: 'maker', market: 'btc_usdt', trades: 2, profit: 1, fees: 1 },
    ]);
    const sum = analysis.facts.parts.reduce((all, { profit }) => all + profit, 0);
    expect(sum).toBe(analysis.facts.trades.won + analysis.facts.trades.lost);
  });

  test('stand in metrics.json, the table and the page', () => {
    expect(parseMetrics(metricsJson(analysis)).parts).toEqual(analysis.facts.parts);
    expect(metricsTable(analysis)).toMatch(/maker +btc_usdt +2 +1 +0 +1\.00 +1\.00 USDT/);
    expect(metricsTable(analysis)).toMatch(/All +3 +2 +1 +1\.50 +2\.50 USDT/);
    expect(reportHtml(analysis, '')).toContain('Strategies and markets');
  });

  test('have the names of markets below each other in the table', () => {
    const fills = [...trade('maker', 'btc_usdt', 3), ...trade('cross', 'eth_usdt', 2)];
    const markets = [MARKETS[0]!, makeMarket({ id: 'doge_usdt', base: 'doge' })];
    const renamed = fills.map((fill) => {
      return fill.market === 'eth_usdt' ? { ...fill, market: 'doge_usdt' } : fill;
    });
    const lines = metricsTable(analyse(makeRecord({ markets, fills: renamed }))).split('\n');
    const rows = lines.filter((line) => /^(Strategy|maker|cross) /.test(line));
    expect(rows.map((line) => line.search(/Market|btc_usdt|doge_usdt/))).toEqual([10, 10, 10]);
  });

  test('are left out of what people read where there is one alone', () => {
    const alone = analysisOf(trade('maker', 'btc_usdt', 3));
    expect(metricsTable(alone)).not.toContain('Strategy');
    expect(reportHtml(alone, '')).not.toContain('Strategies and markets');
    expect(parseMetrics(metricsJson(alone)).parts).toHaveLength(1);
  });
});
