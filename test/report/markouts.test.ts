import { describe, expect, it } from 'vitest';
import { analyse, metricsJson, parseMetrics, reportHtml } from '../../src/report/index.ts';
import { makeRecord } from './fixture.ts';

const looked = { market: 'btc_usdt', liquidity: 'maker', fills: 40, value: 20_000 } as const;
const markouts = [
  { ...looked, afterMs: 60_000, fills: 38, gained: -30 },
  { ...looked, afterMs: 1_000, gained: 4 },
  { ...looked, liquidity: 'taker', afterMs: 1_000, fills: 2, value: 500, gained: -0.25 },
] as const;

describe('markouts of a run', () => {
  it('are shown by market and kind, with the count of fills where it is less than all', () => {
    const text = reportHtml(analyse(makeRecord({ markouts })), '');
    const section = text.slice(text.indexOf('After the fills')).split('</section>')[0]!;
    const cells = [...section.matchAll(/<t[hd](?: [^>]*)?>(.*?)<\/t[hd]>/gs)].map(([, content]) =>
      content!.replace(/<[^>]*>/g, ''),
    );
    expect(cells).toEqual([
      ...['Market', 'As', 'Fills', '1 s', '1 min'],
      ...['btc_usdt', 'Maker', '40', '2.00', '(38) -15.00'],
      ...['btc_usdt', 'Taker', '2', '-5.00', ''],
    ]);
    expect(reportHtml(analyse(makeRecord()), '')).not.toContain('After the fills');
  });

  it('are kept in metrics.json, where a file of before has none', () => {
    const { format, ...others } = JSON.parse(metricsJson(analyse(makeRecord({ markouts }))));
    expect(parseMetrics(JSON.stringify({ format, ...others })).markouts).toEqual(markouts);
    const before = JSON.stringify({ format, ...others, markouts: undefined });
    expect(parseMetrics(before).markouts).toEqual([]);
  });
});
