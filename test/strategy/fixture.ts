import { readFileSync } from 'node:fs';
import type { Market } from '../../src/domain/index.ts';
import { makeMarket } from '../domain/fixture.ts';
import { dataFile } from '../recordings.ts';

/** A market with coarse scales, so that rounding shows. */
export function market(overrides: Partial<Market> = {}): Market {
  return makeMarket({ amountScale: 3, minAmount: 0.001, minSize: 10, ...overrides });
}

export interface DailyBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

const QUOTES = dataFile('indicators/quotes.csv');

/** Whether the published indicator values are at hand. */
export const hasPublishedValues = QUOTES !== undefined;

/** 502 daily bars; none where the shared data is absent. */
export function publishedBars(): DailyBar[] {
  if (QUOTES === undefined) return [];
  const [, ...lines] = readFileSync(QUOTES, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [open, high, low, close, volume] = line.split(',').slice(1).map(Number);
    return { open: open!, high: high!, low: low!, close: close!, volume: volume! };
  });
}

/** Expected values, one row for each bar, null where the indicator is not warm. */
export function publishedValues(name: string): Record<string, number | null>[] {
  return JSON.parse(readFileSync(dataFile(`indicators/expected/${name}.json`)!, 'utf8'));
}
