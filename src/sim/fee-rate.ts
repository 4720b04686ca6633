import { SimulationError } from './errors.ts';

/** Fee rates are whole millionths: 0.002 is 2000 of them. */
const MILLION = 1_000_000;

/** Source: wire facts, fee: 0.2 % maker and taker. */
export const DEFAULT_FEE_RATE = 0.002;

/** A fraction taken of what a trade brings in, rounded up to the currency's last digit. */
export class FeeRate {
  readonly #millionths: number;

  /** @throws {SimulationError} unless `isRate`. */
  constructor(rate: number) {
    if (!FeeRate.isRate(rate)) {
      throw new SimulationError(
        `Cannot charge the fee rate ${rate}: from 0 to below 1 in steps of 0.000001 is wanted`,
      );
    }
    this.#millionths = Math.round(rate * MILLION);
  }

  /** Whether a rate is in [0, 1) with at most six decimal places. */
  static isRate(rate: number): boolean {
    return rate >= 0 && rate < 1 && Math.round(rate * MILLION) / MILLION === rate;
  }

  /** The higher of two rates. */
  static highest(one: FeeRate, other: FeeRate): FeeRate {
    return one.#millionths < other.#millionths ? other : one;
  }

  /** The fee on whole units, in whole units. Exact for every safe integer. */
  of(units: number): number {
    // Split, as units x rate may pass 2^53. The quotient of a safe integer and a million is never
    // rounded up to the next whole number, so this is the true floor, without a slow remainder.
    const whole = Math.floor(units / MILLION);
    const rest = units - whole * MILLION;
    return whole * this.#millionths + Math.ceil((rest * this.#millionths) / MILLION);
  }
}
