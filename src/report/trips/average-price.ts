import type { Market } from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';

/** Decimal places of fees, and so of amounts that fees are taken out of. */
export const FEE_SCALE = 8;
/** Decimal places kept of an endless average: more than a double holds of the lowest prices. */
const DIVIDED_SCALE = 30;

/** The average of prices weighted by amounts, exact until the last division. */
export class AveragePrice {
  readonly #priceScale: number;
  readonly #amountScale: number;
  /** The latest price, and the amount added at it in a row: a single price is never divided. */
  #price: number | undefined;
  #atPrice = 0;
  /** Value and amount of all that came before. */
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

/** The decimal with `scale` places that is nearest to a double. */
function roundedTo(scale: number, value: number): Decimal {
  const units = Math.round(value * 10 ** scale);
  return Number.isSafeInteger(units) ? new Decimal(units, scale) : Decimal.of(value.toFixed(scale));
}

/** The double nearest to `value / amount`; `value` has at least as many places as `amount`. */
function quotient(value: Decimal, amount: Decimal): number {
  // A division of two exact doubles is rounded only once: it gives the nearest.
  const divisor = Number(amount.whole) * 10 ** (value.scale - amount.scale);
  const isExact = typeof value.whole === 'number' && Number.isSafeInteger(divisor);
  if (isExact) return Number(value.whole) / divisor;
  return value.dividedBy(amount, DIVIDED_SCALE, 'nearest').toNumber();
}
