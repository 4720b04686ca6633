import { DAY_MS, type Random } from '../kernel/index.ts';
import type { SyntheticParameters } from './config.ts';

const YEAR_MS = 365 * DAY_MS;

/** The part that is left after a time: a half after each half-life. */
export function decay(durationMs: number, halfLifeMs: number): number {
  return 0.5 ** (durationMs / halfLifeMs);
}

/**
 * The price that a seeded market moves around: nobody in the market sees it.
 *
 * Its logarithm is a random walk that, unless told otherwise, is drawn back to its start. The
 * logarithm of its volatility is always drawn back (Ornstein-Uhlenbeck), so that quiet and wild
 * phases take turns and returns have heavy tails.
 */
export class FairValue {
  readonly #parameters: SyntheticParameters;
  readonly #random: Random;
  #anchor: number;
  /** Logarithm of price / anchor. */
  #deviation = 0;
  /** Logarithm of the volatility, its mean being 0. */
  #logVolatility = 0;

  constructor(parameters: SyntheticParameters, random: Random) {
    this.#parameters = parameters;
    this.#random = random;
    this.#anchor = parameters.startPrice;
    this.#logVolatility = parameters.volatilityOfVolatility * random.normal();
  }

  get price(): number {
    return this.#anchor * Math.exp(this.#deviation);
  }

  /** Volatility as a multiple of the configured one; 1 on average. */
  get turbulence(): number {
    return Math.exp(this.#logVolatility - this.#parameters.volatilityOfVolatility ** 2 / 2);
  }

  advance(durationMs: number): void {
    const { volatility, volatilityOfVolatility, volatilityHalfLifeMs, reversionHalfLifeMs } =
      this.#parameters;
    const kept = decay(durationMs, volatilityHalfLifeMs);
    const fresh = volatilityOfVolatility * Math.sqrt(1 - kept * kept);
    this.#logVolatility = this.#logVolatility * kept + fresh * this.#random.normal();
    const step = volatility * this.turbulence * Math.sqrt(durationMs / YEAR_MS);
    if (reversionHalfLifeMs !== null) this.#deviation *= decay(durationMs, reversionHalfLifeMs);
    this.#deviation += step * this.#random.normal();
  }

  /** Advances in `looks` equal steps. Returns open, high, low and close as seen at those steps. */
  walk(durationMs: number, looks: number) {
    const open = this.price;
    const walked = { open, high: open, low: open, close: open };
    for (let look = 0; look < looks; look++) {
      this.advance(durationMs / looks);
      walked.close = this.price;
      walked.high = Math.max(walked.high, walked.close);
      walked.low = Math.min(walked.low, walked.close);
    }
    return walked;
  }

  /** Moves the price by a fraction: the impact of a trade. */
  push(fraction: number): void {
    this.#deviation += fraction;
  }

  /** Makes the present price equal to `price`; all that follows is scaled with it. */
  rebase(price: number): void {
    this.#anchor *= price / this.price;
  }
}
