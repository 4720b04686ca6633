import type { MarketRecord } from '../domain/index.ts';
import { Decimal, UNITS_MAX } from '../kernel/index.ts';

/** Decimal places of a market's prices and amounts. */
export interface Scales {
  readonly priceScale: number;
  readonly amountScale: number;
}

/** Room above the largest value seen before a whole number of units leaves its range. */
const HEADROOM = 1_000;
/** No market quotes finer; more digits are the noise of binary arithmetic. */
export const SCALE_MAX = 12;

/** The finest scales that the records use: the recorded market's own steps. */
export function inferScales(records: readonly MarketRecord[]): Scales {
  const levels = records.flatMap(levelsOf);
  return {
    priceScale: scaleOf(levels.map(([price]) => price)),
    amountScale: scaleOf(levels.map(([, amount]) => amount)),
  };
}

function scaleOf(values: readonly number[]): number {
  let [decimals, largest] = [0, 1];
  for (const value of values) {
    decimals = Math.max(decimals, Decimal.of(value).scale);
    largest = Math.max(largest, value);
  }
  const room = Math.floor(Math.log10(UNITS_MAX / HEADROOM / largest));
  return Math.max(0, Math.min(decimals, room, SCALE_MAX));
}

function levelsOf(record: MarketRecord): readonly (readonly [price: number, amount: number])[] {
  switch (record.kind) {
    case 'trade':
      return [[record.price, record.amount]];
    case 'levels':
      return record.changes.map(([, price, amount]) => [price, amount]);
    case 'book':
      return [...record.bids, ...record.asks];
    case 'gap':
      return [];
    default:
      return record satisfies never;
  }
}
