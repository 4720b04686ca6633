import type { Market } from '../domain/index.ts';
import { Decimal, powerOfTen } from '../kernel/index.ts';
import { SimulationError } from './errors.ts';

/** Decimal places that every currency has at least. */
const CURRENCY_SCALE_MIN = 8;
/** Decimal places that a currency can have: beyond it 2^53 units are too little money. */
const CURRENCY_SCALE_MAX = 12;

/**
 * The currencies of an exchange, each with a scale so fine that price x amount is a whole number of
 * its units in every market. Sums of money are then whole numbers below 2^53, and exact.
 */
export class Currencies {
  readonly names: readonly string[];
  readonly #scales = new Map<string, number>();

  /**
   * `extra`: currencies that accounts hold although no market trades them.
   *
   * @throws {SimulationError} when a market needs a finer scale than there is.
   */
  constructor(markets: readonly Market[], extra: readonly string[] = []) {
    for (const name of extra) this.#refine(name, CURRENCY_SCALE_MIN);
    for (const market of markets) {
      const valueScale = market.priceScale + market.amountScale;
      if (valueScale > CURRENCY_SCALE_MAX) {
        throw new SimulationError(
          `Cannot open the market ${market.id}: its priceScale and amountScale add up to ` +
            `${valueScale}, at most ${CURRENCY_SCALE_MAX} is wanted`,
        );
      }
      this.#refine(market.base, market.amountScale);
      this.#refine(market.quote, valueScale);
    }
    this.names = [...this.#scales.keys()];
  }

  #refine(name: string, scale: number): void {
    const known = this.#scales.get(name) ?? CURRENCY_SCALE_MIN;
    this.#scales.set(name, Math.max(known, scale));
  }

  /** The place of a currency among `names`. @throws {SimulationError} when there is none such. */
  indexOf(name: string): number {
    const index = this.names.indexOf(name);
    if (index >= 0) return index;
    throw new SimulationError(`Cannot use the currency ${name}: the exchange has none such`);
  }

  /** Decimal places of a currency. */
  scaleOf(name: string): number {
    const scale = this.#scales.get(name);
    if (scale !== undefined) return scale;
    throw new SimulationError(`Cannot use the currency ${name}: the exchange has none such`);
  }

  /** Whole units of a currency as money. */
  money(name: string, units: number): Decimal {
    return new Decimal(BigInt(units), this.scaleOf(name));
  }

  /**
   * Money as whole units of a currency.
   *
   * @throws {SimulationError} when it has too many digits, is negative or too large.
   */
  units(name: string, text: string): number {
    const scale = this.scaleOf(name);
    const exact = Decimal.of(text);
    const units = Number(exact.round(scale, 'down').units);
    if (exact.equals(new Decimal(BigInt(units), scale)) && Number.isSafeInteger(units)) {
      if (units >= 0) return units;
    }
    const most = new Decimal(BigInt(Number.MAX_SAFE_INTEGER) / powerOfTen(scale), 0);
    throw new SimulationError(
      `Cannot hold ${text} ${name}: from 0 to ${most} with at most ${scale} decimal places is wanted`,
    );
  }
}
