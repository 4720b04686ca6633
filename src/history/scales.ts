import type { MarketRecord } from '../domain/index.ts';
import { UNITS_MAX } from '../kernel/index.ts';

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
export function inferScales(records: Iterable<MarketRecord>): Scales {
  const prices = new ScaleFinder();
  const amounts = new ScaleFinder();
  for (const record of records) {
    for (const [price, amount] of levelsOf(record)) {
      prices.see(price);
      amounts.see(amount);
    }
  }
  return { priceScale: prices.scale, amountScale: amounts.scale };
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

class ScaleFinder {
  #decimals = 0;
  #largest = 1;

  see(value: number): void {
    this.#largest = Math.max(this.#largest, value);
    this.#decimals = Math.max(this.#decimals, decimalsOf(value));
  }

  get scale(): number {
    const room = Math.floor(Math.log10(UNITS_MAX / HEADROOM / this.#largest));
    return Math.max(0, Math.min(this.#decimals, room, SCALE_MAX));
  }
}

/** Places after the point in the shortest text of a number: 3 for 0.125, 8 for 1e-8. */
function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const point = digits.indexOf('.');
  const places = point === -1 ? 0 : digits.length - point - 1;
  return Math.max(0, places - Number(exponent));
}
