import type { Market } from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';

/** Decimal places of fees, which amounts have too where fees are taken out of them. */
export const FEE_SCALE = 8;
/** Decimal places of an average that does not end: more than a double has of the lowest prices. */
const DIVIDED_SCALE = 30;

/** The average of prices weighted by amounts, exact until the last division. */
export class AveragePrice {
  readonly #priceScale: number;
  readonly #amountScale: number;
  /** The last price, and what came at it in a row: of one price nothing is worked out. */
  #price: number | undefined;
  #atPrice = 0;
  /** All before that. */
  #value = Decimal.ZERO;
  #amount = Decimal.ZERO;

  constructor({ priceScale, amountScale }: Pick<Market, 'priceScale' | 'amountScale'>) {
    this.#priceScale = priceScale;
    this.#amountScale = Math.max(amountScale, FEE_SCALE);
  }

  add(price: number, amount: number): void {
    if (price !== this.#price) this.#fold();
    this.#price = price;
    this.#atPrice += amount;
  }

  /** The nearest double; undefined where there is no amount. */
  get value(): number | undefined {
    if (this.#amount.sign === 0) return this.#price;
    this.#fold();
    return quotient(this.#value, this.#amount);
  }

  #fold(): void {
    if (this.#price === undefined) return;
    // Sums of amounts have noise, prices have none.
    const amount = roundedTo(this.#amountScale, this.#atPrice);
    const price = roundedTo(this.#priceScale, this.#price);
    const exact = price.toNumber() === this.#price ? price : Decimal.of(this.#price);
    this.#amount = this.#amount.plus(amount);
    this.#value = this.#value.plus(exact.times(amount));
    this.#atPrice = 0;
  }
}

/** The decimal of so many places that is nearest to a double. */
function roundedTo(scale: number, value: number): Decimal {
  const units = Math.round(value * 10 ** scale);
  return Number.isSafeInteger(units) ? new Decimal(units, scale) : Decimal.of(value.toFixed(scale));
}

/** The double nearest to `value / amount`, of which the first has as many places or more. */
function quotient(value: Decimal, amount: Decimal): number {
  // One division of two exact numbers is rounded once.
  const divisor = Number(amount.whole) * 10 ** (value.scale - amount.scale);
  const isExact = typeof value.whole === 'number' && Number.isSafeInteger(divisor);
  if (isExact) return Number(value.whole) / divisor;
  return value.dividedBy(amount, DIVIDED_SCALE, 'nearest').toNumber();
}
