import type { Side } from '../domain/index.ts';
import { MINUTE_MS, type Random } from '../kernel/index.ts';
import type { SyntheticParameters } from './config.ts';
import { decay } from './fair-value.ts';

/** Tail exponent of trade sizes; between 1.5 and 2 on real markets. */
const SIZE_TAIL = 1.7;
/** The largest trade as a multiple of the average. */
const SIZE_MAX = 50;
/** The most takers of one step, whatever the excitement. */
const TAKERS_MAX = 50;

/** What a taker wants. */
export interface Taker {
  readonly side: Side;
  /** In the quote currency. */
  readonly value: number;
}

/**
 * When takers come, which way and how big: arrivals excite further arrivals (a Hawkes process), the
 * direction tends to stay, sizes have a heavy tail (Pareto).
 */
export class TakerFlow {
  readonly #parameters: SyntheticParameters;
  readonly #random: Random;
  /** Arrivals a millisecond above the base rate. */
  #excitement = 0;
  #side: Side = 'buy';

  constructor(parameters: SyntheticParameters, random: Random) {
    this.#parameters = parameters;
    this.#random = random;
  }

  /** The takers of a step. `turbulence`: a wild market draws more of them. */
  arrivals({ durationMs, turbulence }: { durationMs: number; turbulence: number }): Taker[] {
    const { tradesPerMinute, clustering, clusteringHalfLifeMs } = this.#parameters;
    const base = ((1 - clustering) * tradesPerMinute * turbulence) / MINUTE_MS;
    const count = Math.min(
      TAKERS_MAX,
      poisson(this.#random, (base + this.#excitement) * durationMs),
    );
    this.#excitement *= decay(durationMs, clusteringHalfLifeMs);
    this.#excitement += (count * clustering * Math.LN2) / clusteringHalfLifeMs;
    return Array.from({ length: count }, () => this.#taker());
  }

  #taker(): Taker {
    if (this.#random.next() >= this.#parameters.persistence) {
      this.#side = this.#side === 'buy' ? 'sell' : 'buy';
    }
    const smallest = (this.#parameters.tradeValue * (SIZE_TAIL - 1)) / SIZE_TAIL;
    const value = smallest * (1 - this.#random.next()) ** (-1 / SIZE_TAIL);
    return { side: this.#side, value: Math.min(value, SIZE_MAX * this.#parameters.tradeValue) };
  }
}

/** A Poisson deviate (Knuth's product of uniforms; a normal approximation for large means). */
export function poisson(random: Random, mean: number): number {
  if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.normal()));
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random.next(); product > limit; product *= random.next()) count++;
  return count;
}
