import { describe, expect, it } from 'vitest';
import {
  type DatasetOf,
  type Gap,
  hasQuoteAmounts,
  standingQuote,
} from '../../../../src/history/index.ts';
import { datasetOf, MINUTE_MS, START, Store } from '../fixture.ts';

/** Two days with quotes, whose bids count them. */
function recorded(gaps: readonly Gap[] = []): Promise<DatasetOf<'quotes'>> {
  const times = [0, 5, 5, 15, 20].map((minutes) => START + minutes * MINUTE_MS);
  const rows = times.map((time, at) => [time, time + 3, at + 1, 2, 9, 4]);
  return new Store().record(rows, { kind: 'quotes', gaps });
}

describe('standingQuote', () => {
  it('is the last one before a time, as a row of that time', async () => {
    const dataset = await recorded();
    const at = async (minutes: number) =>
      (await standingQuote(dataset, START + minutes * MINUTE_MS))?.bid[0];
    // Midnight is at 10.
    expect(await Promise.all([0, 1, 5, 6, 10, 16, 99].map(at))).toEqual([
      ...[undefined, 1, 1, 3, 3, 4, 5],
    ]);
    const quote = await standingQuote(dataset, START + 6 * MINUTE_MS);
    expect(Object.values(quote!).map(([cell]) => cell)).toEqual([
      ...[START + 6 * MINUTE_MS, START + 6 * MINUTE_MS + 3, 3, 2, 9, 4],
    ]);
  });

  it('is none in a gap', async () => {
    const [from, to] = [5, 15].map((minutes) => START + minutes * MINUTE_MS);
    const dataset = await recorded([{ from: from!, to: to!, reason: 'cut' }]);
    expect(await standingQuote(dataset, from! + 1)).toBeUndefined();
    expect(await standingQuote(dataset, to!)).toBeUndefined();
    expect((await standingQuote(dataset, from!))?.bid[0]).toBe(1);
    expect((await standingQuote(dataset, to! + 1))?.bid[0]).toBe(4);
  });
});

describe('hasQuoteAmounts', () => {
  it('tells quotes that say how much stands at their prices from others', async () => {
    expect(await hasQuoteAmounts(await recorded())).toBe(true);
    const dataset = await datasetOf('x.csv', `time,bid,ask\n${START},1,2\n`, { market: 'eur_usd' });
    expect(await hasQuoteAmounts(dataset as DatasetOf<'quotes'>)).toBe(false);
  });
});
